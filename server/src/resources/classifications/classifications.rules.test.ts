import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelsForTask } from './classifications.prompt.ts'
import { decide, joinParts, scoresOfPart } from './classifications.rules.ts'

const part = (weight: number, scores: Record<string, number>, multi_label = false) => ({
  weight,
  scores: scoresOfPart(
    Object.entries(scores).map(([label, score]) => ({ label, score, citations: [] })),
    multi_label,
  ),
})
const scoresOf = (results: { label: string; score: number }[]) =>
  Object.fromEntries(results.map(({ label, score }) => [label, score]))

test('a single label is the one of most of the text', () => {
  const joined = joinParts(['a', 'b'], [part(900, { a: 0.8 }), part(100, { b: 1 })], false)

  assert.deepEqual(scoresOf(joined), { a: 0.72, b: 0.1 })
})

test('with multiple labels, a part of the text is sufficient', () => {
  const joined = joinParts(['a', 'b', 'c'], [part(900, { a: 0.8, b: 0.9 }, true), part(100, { b: 1 }, true)], true)

  assert.deepEqual(scoresOf(joined), { a: 0.8, b: 1, c: 0 })
})

test('an invalid score counts as zero, and shares above one are normalized', () => {
  assert.deepEqual([...scoresOfPart([{ label: 'a', score: Number.NaN, citations: [] }], true).values()][0]?.score, 0)
  assert.deepEqual(
    [...part(1, { a: 1, b: 0.6 }).scores.values()].map(({ score }) => score),
    [1 / 1.6, 0.6 / 1.6],
  )
})

test('a score at the threshold passes, a zero score never does', () => {
  const results = [
    { label: 'a', score: 0.1, citations: [] },
    { label: 'b', score: 0.29999, citations: [] },
  ]

  assert.deepEqual([decide(results, 0.3).label, decide(results, 0.31).label], ['b', null])
  assert.equal(decide([{ label: 'a', score: 0, citations: [] }], 0).label, null)
})

test('takes examples in turn while they fit and counts the rest', () => {
  const labels = [
    { name: 'a', description: null, examples: ['first', 'second'] },
    { name: 'b', description: 'What b is', examples: ['third'] },
  ]
  const count = (text: string): number => text.length
  const bare = labelsForTask(labels, 0, count)
  const some = labelsForTask(labels, bare.tokens + 16, count)

  assert.deepEqual([bare.left_out, bare.text], [3, '{"label":"a"}\n{"label":"b","description":"What b is"}'])
  assert.deepEqual(
    [some.left_out, some.text],
    [1, '{"label":"a","examples":["first"]}\n{"label":"b","description":"What b is","examples":["third"]}'],
  )
})
