import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEntities } from './entities.ts'

const text =
  '😀 Dr. John Smith of Acme Corp. paid $4.5 million to the Bank of England in New York on 3 March 2021, or 20%.'

test('finds names, dates and amounts with their offsets', async () => {
  const found = await findEntities(text, 'en')

  assert.deepEqual(
    found.map(({ type, text: own }) => [type, own]),
    [
      ['person', 'John Smith'],
      ['organization', 'Acme Corp.'],
      ['money', '$4.5 million'],
      ['organization', 'Bank of England'],
      ['location', 'New York'],
      ['date', '3 March 2021'],
      ['percentage', '20%'],
    ],
  )
  const points = [...text]
  for (const { start, end, text: own } of found) assert.equal(points.slice(start, end).join(''), own)
})

test('an amount is one value for any digit grouping', async () => {
  const found = await findEntities(
    "The bill is CHF 3'360.00, of which 1’250.50 CHF were paid, then EUR 12.500,00 and 80 €.",
    'en',
  )

  assert.deepEqual(
    found.filter(({ type }) => type === 'money').map(({ text: own }) => own),
    ["CHF 3'360.00", '1’250.50 CHF', 'EUR 12.500,00', '80 €'],
  )
})

test('does not take words in all-caps text for names', async () => {
  assert.deepEqual(await findEntities('TERMS AND CONDITIONS OF SALE', 'en'), [])
})

test('skips other languages', async () => {
  assert.deepEqual(await findEntities('Angela Merkel war in Berlin.', 'de'), [])
  assert.deepEqual(await findEntities(text, null), [])
})
