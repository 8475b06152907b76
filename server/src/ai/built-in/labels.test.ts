import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoreLabels } from './labels.ts'
import { type Embed, normalise } from './vectors.ts'

/** A direction for each word, so that what is near to what can be said exactly. */
const words = ['goal', 'match', 'bank', 'profit', 'rain']
const embed: Embed = async (texts) =>
  texts.map((text) => normalise(Float32Array.from(words, (word) => (text.includes(word) ? 1 : 0))))
const labels = [
  { name: 'sport', description: 'goal and match' },
  { name: 'money', description: 'bank and profit' },
]
const options = { embed, model: 'all-minilm-l6-v2', language: 'en', multi_label: false }

test('ranks the label with the nearest description first and cites its passage', async () => {
  const pages = ['The bank made a profit.', 'A goal in the match of the bank. A match, a goal.']

  const [first, second] = await scoreLabels(pages, [labels[1]!], options).then(async ([money]) => [
    money,
    (await scoreLabels(pages, labels, options))[0],
  ])

  assert.equal(second?.label, 'money')
  assert.equal(first?.evidence?.part, 0)
  assert.equal(first?.evidence?.text, 'The bank made a profit.')
})

test('single-label scores are shares, and an unrelated text gets low scores', async () => {
  const scores = (await scoreLabels(['A goal in the match.'], labels, options)).map(({ score }) => score)
  const none = await scoreLabels(['Only rain.'], labels, options)

  assert.ok(scores[0]! > 0.9 && scores[0]! + scores[1]! <= 1)
  assert.ok(none.every(({ score }) => score < 0.5))
})

test('multi-label scores are independent of each other', async () => {
  const results = await scoreLabels(['A goal in the match. The bank made a profit.'], labels, {
    ...options,
    multi_label: true,
  })

  assert.ok(results.every(({ score }) => score > 0.9))
})

test('classifies by examples if the labels have them', async () => {
  const by_example = [
    { name: 'a', examples: ['bank profit', 'rain'] },
    { name: 'b', examples: ['goal', 'match'] },
  ]

  assert.equal((await scoreLabels(['rain'], by_example, options))[0]?.label, 'a')
  assert.equal((await scoreLabels(['the match'], by_example, options))[0]?.label, 'b')
})

test('an empty text gets no label', async () => {
  assert.deepEqual(
    (await scoreLabels([''], labels, options)).map(({ score, evidence }) => [score, evidence]),
    [
      [0, null],
      [0, null],
    ],
  )
})
