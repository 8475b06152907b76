import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LabelTally } from './label-tally.ts'
import { scoreLabels } from './labels.ts'
import { normalise } from './vectors.ts'

const vector = (...numbers: number[]): Float32Array => normalise(Float32Array.from(numbers))
const labels = [
  { centre: vector(1, 0, 0), examples: [] },
  { centre: vector(0, 1, 0), examples: [] },
]
const tallyOf = (vectors: Float32Array[], multi_label: boolean) => {
  const tally = new LabelTally<number>(labels, { model: 'all-minilm-l6-v2', multi_label })
  for (const [i, one] of vectors.entries()) tally.add(i, one)
  return tally.results()
}

test('scores every label 0 without passages', () => {
  assert.deepEqual(tallyOf([], false), [
    { score: 0, passages: [] },
    { score: 0, passages: [] },
  ])
})

test('a single label must cover most of the text; three passages suffice for several', () => {
  const vectors = [
    ...Array.from({ length: 20 }, () => vector(1, 0, 0.1)),
    ...Array.from({ length: 3 }, () => vector(0, 1, 0.1)),
  ]
  const [one, several] = [tallyOf(vectors, false), tallyOf(vectors, true)]

  assert.ok(one[0]!.score > 0.9 && one[1]!.score < 0.1)
  assert.ok(several[0]!.score > 0.9 && several[1]!.score > 0.9)
})

test('cites the nearest passages for a label, nearest first', () => {
  const [first] = tallyOf(
    [vector(0, 1, 0), vector(1, 0.5, 0), vector(1, 0, 0), vector(1, 0.2, 0), vector(0.1, 1, 0)],
    false,
  )

  assert.deepEqual(first!.passages, [2, 3, 1])
})

test('a short text is scored as a whole', async () => {
  const known: Record<string, Float32Array> = {
    'a: one': vector(1, 0, 0),
    'b: two': vector(0, 1, 0),
    text: vector(0.6, 0.5, 0.2),
  }
  const embed = async (texts: string[]) => texts.map((text) => known[text]!)
  const described = [
    { name: 'a', description: 'one' },
    { name: 'b', description: 'two' },
  ]
  const whole = await scoreLabels(['text'], described, {
    embed,
    model: 'all-minilm-l6-v2',
    language: 'en',
    multi_label: false,
  })

  const tallied = tallyOf([known.text!], false)

  assert.deepEqual(
    tallied.map(({ score }) => score),
    whole.map(({ score }) => score),
  )
})
