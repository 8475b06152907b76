import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuse, highlightsOf, rerank } from './searches.retrieve.rules.ts'

const list = (...ids: string[]) => ids.map((chunk_id, i) => ({ chunk_id, score: 10 - i }))
const idsOf = (found: readonly { chunk_id: string }[]): string => found.map(({ chunk_id }) => chunk_id).join('')

test('what both rankings name comes before what one of them puts first', () => {
  const found = fuse(list('a', 'b', 'c'), list('d', 'c', 'e'))

  assert.equal(idsOf(found), 'cadbe')
  assert.deepEqual(found[0]!.scores, { keyword: 8, semantic: 9, fused: 1 / 63 + 1 / 62, rerank: null })
  assert.deepEqual(found[1]!.scores, { keyword: 10, semantic: null, fused: 1 / 61, rerank: null })
})

test('one ranking stays as it is, and keeps its scores', () => {
  const found = fuse(null, list('b', 'a'))

  assert.equal(idsOf(found), 'ba')
  assert.deepEqual([found[0]!.score, found[0]!.scores.fused], [10, null])
  assert.deepEqual(fuse([], []), [])
})

test('who reranks decides the order, and equal scores have one too', () => {
  assert.equal(idsOf(rerank(fuse(list('c', 'b', 'a'), null), [1, 2, 1])), 'bac')
})

test('highlights are the words that were found', () => {
  const words = ['Rent', 'is', 'rents'].map((text, i) => ({ text, start: i * 5, end: i * 5 + text.length }))

  assert.deepEqual(
    highlightsOf(words, (word) => /rent/i.test(word)),
    [
      { start: 0, end: 4 },
      { start: 10, end: 15 },
    ],
  )
})
