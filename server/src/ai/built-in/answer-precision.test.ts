import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askPages, pageOf, paragraph, tableOf } from '../../testing/answer-pages.ts'
import { holdsKind } from './answer-kinds.ts'
import { readQuestion } from './answer-question.ts'

test('the label of the next column is no value', async () => {
  const order = pageOf(paragraph('Northwind purchase order'), paragraph('PAYMENT TERMS: SHIPPING\nNet 45'))

  assert.equal(await askPages('What are the payment terms of the Northwind purchase order?', order), null)
})

test('a percentage is no amount of money', () => {
  const isMoney = (text: string) => holdsKind(text, 'money', { isAsked: () => false, isValue: true })

  assert.deepEqual(['TAX 9.25%', '23.13', '9.25% 23.13'].map(isMoney), [false, true, true])
})

test('an acronym that is asked for is no name', async () => {
  const form = pageOf(paragraph('Northwind Club'), paragraph('IBAN: AT92 2040 4000\nBIC: SBGSAT2S'))
  const other = pageOf(paragraph('Vendor information: Northwind Manufacturing Club, ship to building 7.'))

  assert.deepEqual(readQuestion('What is the IBAN of Northwind Club?', 'en').attributes, ['iban'])
  assert.equal(await askPages('What is the IBAN of Northwind Club?', form), 'AT92 2040 4000')
  assert.equal(await askPages('What is the IBAN of Northwind Club?', other), null)
})

test('a name of the question with a title is not its answer', async () => {
  const report = pageOf(paragraph('Name: Dr. Ann Lee\nReporting Manager: Dr. James Thompson'))

  assert.equal(await askPages('Who is the reporting manager of Ann Lee?', report), 'Dr. James Thompson')
  assert.equal(await askPages('Who is the reporting manager of James Thompson?', report), null)
})

test('a sentence about something else is no answer, though the document has the word elsewhere', async () => {
  const policy = pageOf(
    paragraph('Household insurance.'),
    paragraph(
      `We cover your home and your belongings. ${'Our service is available every day of the year. '.repeat(9)}`,
    ),
    paragraph('Claims for water escaping from a washing machine are subject to an excess of €1,000.'),
    paragraph('Every claim has an excess. The policy is intended for events like fire or theft.'),
  )

  assert.match((await askPages('How much is the excess for water claims?', policy)) ?? '', /€1,000/)
  assert.equal(await askPages('How much is the excess for theft claims?', policy), null)
})

test('a column for another year is not the answer', async () => {
  const equity = pageOf(
    tableOf([
      ['Item', '2018', '2019', '2021'],
      ['Capital reserve', '309', '665', '1,590'],
      ['Retained earnings', '319', '895', '1,690'],
    ]),
  )

  assert.equal(await askPages('What was the capital reserve in 2019?', equity), '665')
  assert.equal(await askPages('What was the capital reserve in 2020?', equity), null)
})

test('a maximum is not answered with another value of the same label', async () => {
  const report = pageOf(
    paragraph('Holter report of Ann Lee. The maximum was reached in the morning.'),
    paragraph('Heart rate: 82.4'),
  )

  assert.equal(await askPages('What was the maximum heart rate of Ann Lee?', report), null)
})

test('a line with a name and a role answers who has the role', async () => {
  const letter = pageOf(
    paragraph('Northwind Diagnostics, Inc.\nAttn: Neil Dey, Chief Executive Officer'),
    paragraph('Dear Mr. Dey, we refer to our letter about Northwind Diagnostics.'),
  )

  assert.match(
    (await askPages('Who is the chief executive officer of Northwind Diagnostics?', letter)) ?? '',
    /Neil Dey/,
  )
  assert.equal(await askPages('Who is the chief financial officer of Northwind Diagnostics?', letter), null)
})

test('a field named by the question is found below the heading that says what it is', async () => {
  const report = pageOf(paragraph('Cost allocation by share'), paragraph('Project QD-QUANTUM: 65%\nProject QD-AI: 35%'))

  assert.equal(await askPages('What percentage of the cost allocation has project QD-AI?', report), '35%')
})

test('a range is one amount', async () => {
  const job = pageOf(paragraph('Chaplain at Northwind'), paragraph('Salary Range: 54494 to 84913 USD'))

  assert.match((await askPages('What is the salary range of the chaplain at Northwind?', job)) ?? '', /54494 to 84913/)
})

test('verbs for the kind of answer are not part of what is asked', () => {
  assert.deepEqual(readQuestion('¿Cuánto cuesta la pizza Bianca?', 'es').attributes, ['pizza'])
  assert.equal(readQuestion('By how much did it reduce latency?', 'en').kind, 'number')
  assert.deepEqual(readQuestion('Who is the analyst of service request SR 82506?', 'en').attributes, ['analys'])
})

test('a number of a street is no customer number', async () => {
  const bill = pageOf(paragraph('Ann Lee Hauptstr. 14'), paragraph('Datum 19.01.2016'))

  assert.equal(readQuestion('Wie lautet die Kundennummer von Ann Lee?', 'de').code, 'kundennum')
  assert.equal(await askPages('Wie lautet die Kundennummer von Ann Lee?', bill), null)
})
