import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Citation } from '@octavo/sdk'
import { citationPlace, hang, numberSources } from './citations.ts'

const cite = (page_number: number, quote: string, start = 0): Citation => ({
  document_id: 'doc_1',
  page_id: `page_${page_number}`,
  page_number,
  page_sha256: '',
  start,
  end: start + quote.length,
  quote,
  bbox: null,
  match: 'exact',
  match_score: 1,
})

test('sentences carry source numbers, and a place cited twice has one number', () => {
  const { lines, sources } = numberSources([
    { text: 'Rent is  due.', citations: [cite(2, 'Rent is due.'), cite(3, 'as agreed')] },
    { text: 'It was agreed.', citations: [cite(3, 'as agreed'), cite(3, 'as agreed')] },
    { text: 'Nobody knows.', citations: [] },
    { text: 'It is late.', citations: [cite(3, 'late', 40)] },
  ])

  assert.deepEqual(lines, [
    { text: 'Rent is due.', numbers: [1, 2] },
    { text: 'It was agreed.', numbers: [2] },
    { text: 'Nobody knows.', numbers: [] },
    { text: 'It is late.', numbers: [3] },
  ])
  assert.deepEqual(
    sources.map(({ number, page_number, quote }) => [number, page_number, quote]),
    [
      [1, 2, 'Rent is due.'],
      [2, 3, 'as agreed'],
      [3, 3, 'late'],
    ],
  )
})

test('a place shows its title and page, or whichever is known', () => {
  const titles = new Map([['doc_1', 'Lease']])

  assert.equal(citationPlace({ document_id: 'doc_1', page_number: 2 }, titles), 'Lease, page 2')
  assert.equal(citationPlace({ document_id: 'doc_2', page_number: null }, titles), 'doc_2')
  assert.equal(citationPlace({ document_id: null, page_number: null }, titles), 'the text')
})

test('wrapped lines are indented under the text after the number', () => {
  assert.deepEqual(hang('[1] ', 'Lease, page 2: all of it', 16), ['[1] Lease, page', '    2: all of it'])
})
