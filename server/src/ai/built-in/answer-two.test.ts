import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askPages, pageOf, paragraph, tableOf } from '../../testing/answer-pages.ts'
import { splitQuestion } from './answer-double.ts'
import { stackedFieldsIn } from './answer-fields.ts'
import { readQuestion } from './answer-question.ts'

test('a question for two things is two questions', () => {
  assert.deepEqual(splitQuestion('What are the tax and the tip on the Contoso receipt?'), [
    'What is the tax on the Contoso receipt?',
    'What is the tip on the Contoso receipt?',
  ])
  assert.deepEqual(splitQuestion('When is invoice INV-7 due and what is its subtotal?'), [
    'When is invoice INV-7 due?',
    'what is the subtotal of INV-7?',
  ])
  assert.equal(splitQuestion('Which law governs the agreement between Ann and Bob?'), null)
})

test('answers both parts of a question or none', async () => {
  const bill = pageOf(
    { type: 'heading', text: 'NORTHWIND INVOICE INV-7' },
    paragraph('Due date: 12/15/2019\nSubtotal: $550.00\nTotal: $610.00'),
  )

  assert.equal(await askPages('When is invoice INV-7 due and what is its subtotal?', bill), '12/15/2019 / $550.00')
  assert.equal(await askPages('When is invoice INV-7 due and what is its shipping cost?', bill), null)
})

test('a label can be on the line above its value', () => {
  const text = 'Analyst:\nCarolyn Murray\n\nInvoice Date\nJun 3, 2013\nThank you\n17 times'
  const fields = stackedFieldsIn(text, { start: 0, end: text.length }).map(({ label, text: value }) => [label, value])

  assert.deepEqual(fields, [
    ['Analyst:', 'Carolyn Murray'],
    ['Invoice Date', 'Jun 3, 2013'],
  ])
})

test('a typed signature answers who signed', async () => {
  const report = pageOf(
    { type: 'heading', text: 'NORTHWIND TECHNOLOGIES CURRENT REPORT' },
    tableOf([
      ['Date:', 'March 17, 2023', 'By:', '/s/ P. Diana Chiu'],
      ['', '', 'Title:', 'Vice President'],
    ]),
  )

  assert.match((await askPages('Who signed the report of Northwind Technologies?', report)) ?? '', /Diana Chiu/)
})

test('the cell at the crossing of the asked row and column is the answer, though its label lacks a word', async () => {
  const times = pageOf(
    paragraph('How long programs run, in seconds.'),
    tableOf([
      ['Language', 'Time', 'Version'],
      ['Julia', '1.92', '0.2'],
      ['Matlab', '7.91', '2014'],
    ]),
  )

  assert.equal(await askPages('What is the run time of Julia?', times), '1.92')
  assert.equal(await askPages('What is the run time of Rust?', times), null)
})

test('abbreviations of labels and verbs without a meaning do not count', async () => {
  const bill = pageOf(
    paragraph('Northwind invoice 103767'),
    tableOf([
      ['Total € Incl. VAT', '681.87'],
      ['Discount', '25%'],
    ]),
  )

  assert.equal(await askPages('What is the total including VAT of invoice 103767?', bill), '681.87')
  assert.equal(readQuestion('What discount was given on the training?', 'en').attributes.includes('given'), false)
})

test('a number does not answer a question for an institution', async () => {
  const paper = pageOf(paragraph('Ann Lee and Bob Kim'), tableOf([['University', '715', 'Broadway', '7']]))

  assert.equal(await askPages('Which university do Ann Lee and Bob Kim belong to?', paper), null)
})

test('a telephone number has the form that its label says', async () => {
  const letter = pageOf(
    paragraph('The museum society of Seestadt'),
    paragraph('Tel: 089 /286629-0\nFax: 089 /286629-28'),
  )

  assert.match((await askPages('What is the phone number of the museum society?', letter)) ?? '', /286629-0/)
})

test('a balance due is an amount of money', () => {
  assert.equal(readQuestion('What is the balance due to Northwind?', 'en').kind, 'money')
})
