import assert from 'node:assert/strict'
import test from 'node:test'
import { makePapers } from '../generate/papers.ts'
import { countFields, fieldF1 } from './extraction-score.ts'

const expected = {
  vendor: 'Alder Timber Co.',
  due_date: null,
  total: 4_623.88,
  line_items: [
    { description: 'Desk lamp', quantity: 2 },
    { description: 'Toner', quantity: 3 },
  ],
}

test('scores 1 if every field is right and 0 if none is answered', () => {
  assert.equal(fieldF1([countFields(expected, expected)]).f1, 1)
  assert.equal(fieldF1([countFields({}, expected)]).f1, 0)
})

test('compares values by meaning', () => {
  const answered = { ...expected, vendor: ' ALDER  Timber Co', total: '4623.880', due_date: '' }

  assert.deepEqual(countFields(answered, expected), { right: 6, found: 6, wanted: 6 })
})

test('an extra field lowers precision, a missing field lowers recall', () => {
  const made_up = fieldF1([countFields({ ...expected, due_date: '2026-01-01' }, expected)])
  const left_out = fieldF1([countFields({ ...expected, total: null }, expected)])

  assert.deepEqual([made_up.precision, made_up.recall], [6 / 7, 1])
  assert.deepEqual([left_out.precision, left_out.recall], [1, 5 / 6])
})

test('a missing list item does not make the others wrong', () => {
  const counts = countFields({ ...expected, line_items: [{ description: 'toner', quantity: 3 }] }, expected)

  assert.deepEqual(counts, { right: 4, found: 4, wanted: 6 })
})

test('every paper contains each of its fields', () => {
  const papers = makePapers()

  assert.ok(papers.length >= 100)
  assert.deepEqual(makePapers(), papers)
  for (const { id, pages, expected: fields } of papers) {
    const text = pages.join('\n')
    for (const name of ['vendor', 'number', 'sender', 'recipient', 'subject'])
      if (fields[name]) assert.ok(text.includes(fields[name] as string), `${id} has its ${name}`)
    const dates = [fields.date, fields.due_date, fields.deadline].filter((date) => typeof date === 'string')
    for (const date of dates) assert.ok(text.includes(date.slice(0, 4)), `${id} has ${date}`)
  }
})
