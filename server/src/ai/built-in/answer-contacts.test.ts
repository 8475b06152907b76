import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askPages, pageOf, paragraph, tableOf } from '../../testing/answer-pages.ts'
import { lineFieldsIn } from './answer-fields.ts'
import { stemsOf } from './answer-question.ts'

test('finds the university below the names of the authors', async () => {
  const paper = pageOf(
    { type: 'title', text: 'Discovering Relations without Supervision' },
    paragraph('Yuki Hara Ben Stone'),
    paragraph('Northwind University 715, Broadway, 7th Floor Springfield'),
  )

  assert.equal(await askPages('At which university does Ben Stone work?', paper), 'Northwind University')
  assert.equal(await askPages('At which university does Ann Lee work?', paper), null)
})

test('chooses the university of the degree that is asked for', async () => {
  const resume = pageOf(
    { type: 'title', text: 'Ann Lee' },
    { type: 'heading', text: 'Northwind University Master of Science in Computer Science' },
    paragraph('2013'),
    paragraph('Focus: distributed systems'),
    { type: 'heading', text: 'University of Contoso Bachelor of Arts' },
    paragraph('2009'),
  )

  assert.equal(
    await askPages('From which university did Ann Lee get her Master of Science?', resume),
    'Northwind University',
  )
})

test('the same label in two documents: the kind of document that the question names decides', async () => {
  const order = pageOf(
    { type: 'title', text: 'PURCHASE ORDER' },
    paragraph('Order of Northwind'),
    paragraph('Subtotal: $36,812.50'),
  )
  const receipt = pageOf(
    paragraph('The Burger Place'),
    paragraph('Order 12'),
    paragraph('Subtotal: 7.58'),
    paragraph('We bake our own bread every day. '.repeat(20)),
    paragraph('Purchase any sandwich and get a second one for free.'),
  )

  assert.equal(await askPages('What is the subtotal of the purchase order?', receipt, order), '$36,812.50')
})

test('French articles are no part of a word, and characters have one form', () => {
  assert.deepEqual(stemsOf("l'huile d'olive", 'fr'), stemsOf('huile olive', 'fr'))
  assert.deepEqual(stemsOf('⾦額', 'ja'), stemsOf('金額', 'ja'))
})

test('irregular verbs match their other forms', async () => {
  const paper = pageOf(paragraph('The Transformer is a network. Training took 3.5 days on eight machines.'))

  assert.match((await askPages('How long did the training of the Transformer take?', paper)) ?? '', /3\.5 days/)
})

test('the quantity answers how many items were sold, also if the number is a part of the code in the question', async () => {
  const bill = pageOf(
    { type: 'title', text: 'Invoice 2020-10' },
    tableOf([
      ['Item', 'Quantity', 'Amount (€)'],
      ['Green pens', '10', '20.00'],
      ['Blue pens', '5', '12.50'],
    ]),
  )

  assert.equal(await askPages('How many green pens were sold on invoice 2020-10?', bill), '10')
})

test('a field whose label has all names of the question may have a date after its value', async () => {
  const report = pageOf(
    { type: 'title', text: 'Northwind expense report' },
    { type: 'heading', text: 'Currency conversion rates' },
    paragraph('SGD (S$) → USD: 0.74 (as of 11/28/2024)'),
    paragraph('JPY (¥) → USD: 0.0068 (as of 11/28/2024)'),
  )

  assert.match((await askPages('What was the currency conversion rate from SGD to USD?', report)) ?? '', /^0\.74/)
})

test('an IBAN is one value, also between other fields', () => {
  const values = lineFieldsIn('COMPTE : IBAN : FR76 1254 2547 2569 8542 5874 698 REFERENCE DE PAIEMENT : F2018')

  assert.ok(values.some(({ text }) => text === 'FR76 1254 2547 2569 8542 5874 698'))
})

test('a contact in the head of a page is found from another part of the page', async () => {
  const page = pageOf(
    { type: 'title', text: 'Ann Lee' },
    paragraph('ann.lee@example.org'),
    paragraph('Software engineer.'),
  )
  const part = { ...page, start: [...page.page.text].length - 18, text: 'Software engineer.' }

  assert.equal(await askPages("What is Ann Lee's email address?", part), 'ann.lee@example.org')
})
