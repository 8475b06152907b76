import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askPages, pageOf, paragraph, tableOf } from '../../testing/answer-pages.ts'
import { lineFieldsIn } from './answer-fields.ts'
import { readQuestion } from './answer-question.ts'
import { stemOf } from './answer-stems.ts'

const MEMO = pageOf(
  { type: 'heading', text: 'Memorandum' },
  paragraph('TO: All developers\nFROM: John Smith\nDATE: 1st January 2020\nSUBJECT: A new parsing tool'),
  paragraph('There is a new tool. It could help you extract the data that we need from the files of the order.'),
)

test('a label that is the phrase of the question answers it, and the rest of the question names the document', async () => {
  const order = pageOf(
    { type: 'heading', text: 'Order of the home brew shop' },
    tableOf([
      ['Subtotal', '£26.28'],
      ['Shipping', '£6'],
      ['Total', '£38.73'],
    ]),
  )

  assert.equal(await askPages('What is the subject of the memorandum?', MEMO), 'A new parsing tool')
  assert.equal(await askPages('How much is the shipping of the home brew order?', order), '£6')
  assert.equal(await askPages('What is the deposit of the home brew order?', order), null)
})

test('a large table leaves room for the passages after it', async () => {
  const rows = Array.from({ length: 400 }, (_, i) => [`Part ${i}`, `${i}.50`])

  assert.equal(
    await askPages('What is the subject of the memorandum?', pageOf(tableOf([['Name', 'Price'], ...rows])), MEMO),
    'A new parsing tool',
  )
})

test('German compounds with the same first part are different words', () => {
  assert.notEqual(stemOf('Rechnungsnummer'), stemOf('Rechnungswährung'))
  assert.equal(stemOf('Rechnungsnummer'), stemOf('Rechnungsnummern'))
})

test('an amount in two units is one amount', async () => {
  const sheet = pageOf(
    { type: 'heading', text: 'Excavator CX57C' },
    tableOf([
      ['Fuel tank', '31.7 gal (120 L)'],
      ['Weight', '12,650 lb (5 740 kg)'],
    ]),
  )

  assert.equal(await askPages('What is the fuel tank capacity of the CX57C?', sheet), '31.7 gal (120 L)')
})

test('a number is not cut at its decimal point', () => {
  const values = lineFieldsIn('business. Turnover of £100.5m and the loss').map(({ text }) => text)

  assert.deepEqual([...new Set(values)], ['£100.5m'])
})

test('a line that announces a value is no answer', async () => {
  const bill = pageOf(
    paragraph('Kraxi Systems'),
    paragraph('John Doe Local sales rep:'),
    paragraph('We thank you for your order.'),
  )

  assert.equal(await askPages('Who is the local sales rep of Kraxi Systems?', bill), null)
})

test('"comments" is no French question word, and the MAX of an airplane is no maximum', () => {
  const text = 'By what date must the FAA receive comments on the proposed 737 MAX directive?'
  const { attributes, qualifiers } = readQuestion(text, 'en')

  assert.ok(attributes.includes(stemOf('comments')))
  assert.deepEqual(qualifiers, [])
  assert.deepEqual(readQuestion('What is the maximum load of the crane?', 'en').qualifiers, [stemOf('maximum')])
})
