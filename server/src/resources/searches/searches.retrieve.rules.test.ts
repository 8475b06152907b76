import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuse, highlightsOf, limitPerDocument, rerank } from './searches.retrieve.rules.ts'

const list = (scores: Record<string, number>) =>
  Object.entries(scores).map(([chunk_id, score]) => ({ chunk_id, score }))
const words = (scores: Record<string, number>, weight = 10) => ({ ranked: list(scores), weight })
const idsOf = (found: readonly { chunk_id: string }[]): string => found.map(({ chunk_id }) => chunk_id).join('')

test('orders by reciprocal rank, and the score is the mean of both, from 0 to 1', () => {
  const found = fuse(words({ a: 10, b: 30 }), list({ b: 0.6, c: 0.6, d: 0.2 }))

  assert.equal(idsOf(found), 'bacd')
  assert.deepEqual(found[0], {
    chunk_id: 'b',
    score: 0.675,
    scores: { keyword: 30, semantic: 0.6, fused: 0.675, rerank: null },
  })
  // Not among the nearest, so at most as near as the last of them.
  assert.deepEqual([found[1]!.score, found[1]!.scores.semantic], [0.35, null])
})

test('a single ranking keeps its order and has scores from 0 to 1', () => {
  const byMeaning = fuse(null, list({ b: 1.0004, a: 0.4, c: -0.1 }))
  const byWords = fuse(words({ a: 30, b: 10 }), null)

  assert.deepEqual(
    byMeaning.map(({ chunk_id, score }) => [chunk_id, score]),
    [
      ['b', 1],
      ['a', 0.4],
      ['c', 0],
    ],
  )
  assert.deepEqual(
    byWords.map(({ score, scores }) => [score, scores.fused]),
    [
      [0.75, null],
      [0.5, null],
    ],
  )
  assert.deepEqual(fuse(null, null), [])
  assert.deepEqual(fuse(words({}, 0), []), [])
})

test('a reranker determines the order, and logits become probabilities', () => {
  const found = fuse(words({ a: 3, b: 2, c: 1 }), null)

  assert.deepEqual(
    rerank(found, [0.1, 0.9, 0.1]).map(({ chunk_id, score }) => [chunk_id, score]),
    [
      ['b', 0.9],
      ['a', 0.1],
      ['c', 0.1],
    ],
  )
  assert.deepEqual(
    rerank(found, [-4, 0, 6]).map(({ chunk_id, score, scores }) => [chunk_id, score.toFixed(3), scores.rerank]),
    [
      ['c', '0.998', 6],
      ['b', '0.500', 0],
      ['a', '0.018', -4],
    ],
  )
})

test('limits the results per document', () => {
  const found = fuse(words({ a: 4, b: 3, c: 2, d: 1 }), null)
  const documents = new Map([
    ['a', 'one'],
    ['b', 'one'],
    ['c', 'one'],
    ['d', 'two'],
  ])

  assert.equal(idsOf(limitPerDocument(found, documents, 1)), 'ad')
  assert.equal(idsOf(limitPerDocument(found, documents, 2)), 'abd')
})

test('highlights are the matched words', () => {
  const said = ['Rent', 'is', 'rents'].map((text, i) => ({ text, start: i * 5, end: i * 5 + text.length }))

  assert.deepEqual(
    highlightsOf(said, (word) => /rent/i.test(word)),
    [
      { start: 0, end: 4 },
      { start: 10, end: 15 },
    ],
  )
})
