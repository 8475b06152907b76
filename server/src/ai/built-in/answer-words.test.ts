import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askPages, pageOf, paragraph, tableOf } from '../../testing/answer-pages.ts'
import { expectedKind } from './answer-expected.ts'
import { readQuestion } from './answer-question.ts'

const SCHEDULE = pageOf(
  { type: 'title', text: 'Northwind Commission on Water: board meetings' },
  paragraph('Held every second Thursday of the month unless otherwise posted'),
  paragraph('TIME: 3:30pm – 5:00pm'),
  paragraph('LOCATION: 740 North Street, 4th Floor'),
)

test('a field that is named like the kind of answer answers when and where', async () => {
  assert.equal(
    await askPages('At what time does the board of the Northwind Commission meet?', SCHEDULE),
    '3:30pm – 5:00pm',
  )
  assert.equal(
    await askPages('At what address does the Northwind Commission hold its board meetings?', SCHEDULE),
    '740 North Street, 4th Floor',
  )
  assert.equal(await askPages('At what time does the board of the Contoso Commission meet?', SCHEDULE), null)
})

test('the whole purchase is the total', async () => {
  const receipt = pageOf(
    { type: 'title', text: 'NORTHWIND FOODS Springfield' },
    paragraph('Net Sales: $12.00'),
    paragraph('Total: $13.16'),
  )

  assert.equal(await askPages('How much was the whole purchase at Northwind Foods in Springfield?', receipt), '$13.16')
})

test('does not answer with the earnings of a person for the rent', async () => {
  const cases = pageOf(
    paragraph('Patrick is single, employed as a waiter and is earning €8.65 an hour.'),
    paragraph('He pays tax. The rent of others rises.'),
  )

  assert.equal(await askPages('How much rent does the waiter Patrick pay?', cases), null)
  assert.match((await askPages('What is the hourly wage of the waiter Patrick?', cases)) ?? '', /€8\.65 an hour/)
})

test('a name of the whole document does not belong to another row', async () => {
  const sheet = {
    ...pageOf(
      paragraph('Balance sheet'),
      tableOf([
        ['', 'May 31, 2023', 'May 31, 2022'],
        ['Goodwill, net', '62,261', '43,811'],
        ['Total Northwind equity', '1,073', '2,100'],
      ]),
    ),
    title: 'Northwind report',
  }

  assert.equal(
    await askPages('How much goodwill did Northwind show in its balance sheet of May 31, 2023?', sheet),
    '62,261',
  )
})

test('initials are no names, and French and German questions have their kinds', () => {
  assert.deepEqual(readQuestion('What was the pulse of Ann M. Lee?', 'en').anchors, ['ann', 'lee'])
  assert.equal(expectedKind('Quel jour le compte est-il débité ?'), 'date')
  assert.equal(expectedKind('Wie viel muss die Firma insgesamt bezahlen?'), 'money')
})
