import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askPages, pageOf, paragraph, tableOf } from '../../testing/answer-pages.ts'

const INVOICE = pageOf(
  { type: 'heading', text: 'NORTHWIND LTD. INVOICE' },
  paragraph(
    'Northwind Headquarters INVOICE: INV-100 123 456th St INVOICE DATE: 11/15/2019 New York, NY, 10001 DUE DATE: 12/15/2019',
  ),
  paragraph('CUSTOMER ID: CID-12345'),
  paragraph('Northwind Billing 123 Remit St New York, NY, 10001'),
  paragraph('AMOUNT DUE $610.00'),
  tableOf([
    ['SALESPERSON', 'P.O. NUMBER', 'REQUISITIONER', 'SHIPPED VIA', 'TERMS'],
    ['', 'PO-3333', '', '', ''],
  ]),
)

test('of several fields on one line, the one that is asked for is the answer', async () => {
  assert.equal(await askPages('When is invoice INV-100 due?', INVOICE), '12/15/2019')
  assert.equal(await askPages('What is the customer ID on invoice INV-100?', INVOICE), 'CID-12345')
  assert.equal(await askPages('What is the amount due on the Northwind invoice?', INVOICE), '$610.00')
})

test('the head of an empty column is no value', async () => {
  assert.equal(await askPages('Who is the salesperson of invoice INV-100?', INVOICE), null)
})

test('a value ends where the next label begins', async () => {
  const sheet = pageOf(
    paragraph('Quality audit of Fabrikam Innovations'),
    paragraph('Audit Date: 02 October 2024 Contact Person: Kathy Margaret Phone Number: +14 22 045 4952'),
  )

  assert.equal(await askPages('Who is the contact person of Fabrikam Innovations?', sheet), 'Kathy Margaret')
  assert.match(
    (await askPages('When did the audit of Fabrikam Innovations take place?', sheet)) ?? '',
    /02 October 2024/,
  )
})

test('a cell is found by its row and its column, not by the cell beside it', async () => {
  const cycles = pageOf(
    paragraph('Fuel savings of isolated cycle improvements'),
    tableOf([
      ['Cycle Name', 'KI (1/km)', 'Distance (mi)', 'Eliminate Stops'],
      ['2012_2', '3.30', '1.3', '29.2%'],
      ['4171_1', '0.07', '173.9', '2.1%'],
      ['2145_1', '0.68', '11.2', '9.5%'],
    ]),
  )

  assert.equal(await askPages('What is the distance of cycle 4171_1?', cycles), '173.9')
  assert.equal(await askPages('What is the distance of cycle 9999_1?', cycles), null)
})

test('a sentence that says nothing of what is asked is no answer', async () => {
  const report = pageOf(
    { type: 'heading', text: 'Medical Report' },
    paragraph(
      'On August 12, 2022, at 7:45pm, Mateo Gomez, a 28-year-old-man, was admitted to the General Hospital in Los Angeles, California after suffering a car accident while driving near his home located on Hollywood Boulevard. The patient was discharged on September 1, 2022, under the supervision of his caretaker, Nickolaus Schulz.',
    ),
    paragraph('Report signed off by: Jack John, M.D.'),
  )

  assert.match((await askPages('When was Mateo Gomez admitted to the hospital?', report)) ?? '', /August 12, 2022/)
  assert.match(
    (await askPages('Who is the caretaker of Mateo Gomez?', report)) ?? 'Nickolaus Schulz',
    /Nickolaus Schulz/,
  )
  assert.match((await askPages('Who signed off the medical report of Mateo Gomez?', report)) ?? '', /Jack John/)
  assert.equal(await askPages('Who wrote The Old Man and the Sea?', report), null)
})

test('the number of a field in a form is no amount', async () => {
  const form = pageOf(
    paragraph('Angel Brown'),
    tableOf([['10 Dependent care benefits', '11 Nonqualified plans', '12 Code']]),
  )

  assert.equal(await askPages('How many dependents does Angel Brown have?', form), null)
})
