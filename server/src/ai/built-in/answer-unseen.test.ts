import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askPages, pageOf, paragraph, tableOf } from '../../testing/answer-pages.ts'
import { fieldsIn, lineFieldsIn } from './answer-fields.ts'
import { holdsKind } from './answer-kinds.ts'
import { readQuestion } from './answer-question.ts'

const PRICES = pageOf(
  paragraph('Price list of Northwind'),
  tableOf([
    ['Item', 'Quantity', 'Price', 'Amount'],
    ['Tool A', '500', '$1.00', '$500.00'],
    ['Service B', '1', '$900.00', '$900.00'],
    ['Service C', '50', '$12.00', '$600.00'],
  ]),
)

test('does not answer with Service B for Service D', async () => {
  assert.equal(await askPages('What is the price of Service B?', PRICES), '$900.00')
  assert.equal(await askPages('What is the price of Service D?', PRICES), null)
})

test('does not answer with another row if the document does not mention the one that was asked for', async () => {
  const water = pageOf(
    tableOf([
      ['sample', 'red LED value', 'blue LED value'],
      ['clear water', '79', '97'],
      ['green water', '14', '35'],
    ]),
  )

  assert.equal(await askPages('What was the red LED value of clear water?', water), '79')
  assert.equal(await askPages('What was the red LED value of salt water?', water), null)
})

test('answers with the price of an item rather than its quantity', async () => {
  const bill = pageOf(
    paragraph('Northwind invoice 23413561'),
    tableOf([
      ['HDMI cable', '12', '$9.99', '$119.88'],
      ['Computer monitor', '12', '$399.99', '$4,799.88'],
    ]),
  )

  assert.notEqual(await askPages('How much does one computer monitor cost?', bill), '12')
})

test('reads the label of a value in parentheses below it', async () => {
  const cover = pageOf(
    { type: 'heading', text: 'NORTHWIND TECHNOLOGIES, INC.' },
    tableOf([
      ['Delaware', '001-15405', '77-0518772'],
      ['(State of Incorporation)', '(Commission File Number)', '(Employer Identification No.)'],
    ]),
  )

  assert.equal(await askPages('What is the commission file number of Northwind Technologies?', cover), '001-15405')
})

test('finds a telephone number without a label near the name', async () => {
  const letter = pageOf(
    paragraph('Stanford Plumbing 123 Madison drive, Seattle 990-120-4560'),
    paragraph('Margaret Small 93196 Bryan Village Suite 434 margaret@example.com 990-302-1898'),
  )

  assert.equal(await askPages("What is Margaret Small's phone number?", letter), '990-302-1898')
  assert.equal(await askPages("What is Margaret Small's email address?", letter), 'margaret@example.com')
  assert.equal(await askPages("What is Jane Brown's phone number?", letter), null)
})

test('the heads of items below a form are not its values', async () => {
  const bill = pageOf(
    paragraph('Turnpike Designs'),
    tableOf([
      ['Bill to', '', 'Invoice number', '14'],
      ['Services', 'Quantity', 'Price', 'Amount'],
      ['Web hosting package', '1', '$65.00', '$65.00'],
      ['Mobile designs', '3', '$250.00', '$750.00'],
    ]),
  )

  assert.equal(await askPages('What is the price of the mobile designs?', bill), '$250.00')
})

test('a label ends where the text of another column ends', () => {
  const [field] = fieldsIn('Mountain View, CA 94043 Balance Due: $4,647.68')

  assert.deepEqual([field?.label, field?.text], ['Balance Due', '$4,647.68'])
})

test('a number with hyphens after its label is a value', () => {
  const values = lineFieldsIn('PAYER TIN 63-0476286 in 2012-13').map(({ text }) => text)

  assert.equal(values.includes('63-0476286'), true)
  assert.equal(values.includes('2012-13'), false)
})

test('a date is no person', () => {
  const isPerson = (text: string) => holdsKind(text, 'person', { isAsked: () => false, isValue: true })

  assert.deepEqual(['March 15, 2023', '15. August 2025', 'April Jones'].map(isPerson), [false, false, true])
})

test('a German question with "was" is no question for yes or no', () => {
  assert.equal(readQuestion('Was ist die Telefonnummer des Vereins?', 'de').kind, 'phone')
  assert.equal(readQuestion('Was the meeting held on time?', 'en').kind, 'yes_no')
})
