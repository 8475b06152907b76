// Tests that every embedder must pass, wherever it runs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from '../ai/model.ts'

/** `open` gives the same embedder each time, or an equal one. */
export function testEmbedder(name: string, open: () => Embedder): void {
  const embed = (texts: readonly string[], as: 'query' | 'passage' | 'text' = 'text') =>
    open().embed(texts, { as, signal: never() })

  void test(`${name}: the same text has the same meaning twice`, async () => {
    const [text, passage] = ['The lease ends in May.', 'Bananas are rich in potassium.']
    const { vectors } = await embed([text, passage, text])
    const again = await embed([text])

    assert.ok(cosine(vectors[0], vectors[2]) > 0.98)
    assert.ok(cosine(vectors[0], again.vectors[0]) > 0.98)
    assert.ok(cosine(vectors[0], vectors[1]) < 0.9)
  })

  void test(`${name}: what is alike is nearer than what is not`, async () => {
    const { vectors } = await embed([
      'The cat sleeps on the sofa.',
      'A kitten naps on the couch.',
      'Interest rates rose by half a percent.',
    ])

    assert.ok(cosine(vectors[0], vectors[1]) > cosine(vectors[0], vectors[2]) + 0.2)
  })

  void test(`${name}: a question finds its passage`, async () => {
    const passages = [
      'Rent is due on the first of each month.',
      'The tenant keeps two dogs.',
      'The roof was repaired in 2019.',
    ]
    const [query] = (await embed(['When must the rent be paid?'], 'query')).vectors
    const { vectors } = await embed(passages, 'passage')

    const scores = vectors.map((vector) => cosine(query, vector))
    assert.equal(scores.indexOf(Math.max(...scores)), 0)
  })

  void test(`${name}: vectors are of length 1, and tokens are counted`, async () => {
    const { vectors, spent } = await embed(['One.', 'Two or three words more.'])

    for (const vector of vectors) {
      assert.equal(vector.length, open().card.dimensions)
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-3)
    }
    assert.ok(spent.input_tokens >= 6 && spent.input_tokens < 40, String(spent.input_tokens))
    assert.equal(spent.output_tokens, 0)
  })

  void test(`${name}: texts that are empty, strange or very long have vectors too`, async () => {
    const texts = [
      '',
      ' \n\t ',
      '\ud800',
      '\u0000',
      '漢'.repeat(5_000),
      'a'.repeat(300_000),
      'word '.repeat(100_000),
      ' '.repeat(50_000),
    ]
    const { vectors } = await embed(texts)

    assert.equal(vectors.length, texts.length)
    for (const vector of vectors) assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-3)
  })

  void test(`${name}: no texts, no vectors`, async () => {
    assert.deepEqual(await embed([]), { vectors: [], spent: { input_tokens: 0, output_tokens: 0 } })
  })

  void test(`${name}: 300 texts come back in their order`, async () => {
    const texts = Array.from({ length: 300 }, (_, index) => sentenceOf(index))
    const { vectors } = await embed(texts, 'passage')

    assert.equal(vectors.length, 300)
    for (const index of [0, 1, 77, 150, 298, 299]) {
      const [alone] = (await embed([texts[index] ?? ''], 'passage')).vectors
      const scores = vectors.map((vector) => cosine(alone, vector))
      assert.equal(scores.indexOf(Math.max(...scores)), index)
    }
  })

  void test(`${name}: whoever gives up hears so at once`, async () => {
    const [before, during] = [AbortSignal.abort(new Error('given up')), new AbortController()]
    const texts = Array.from({ length: 200 }, (_, index) => sentenceOf(index).repeat(5))

    await assert.rejects(open().embed(['One.'], { as: 'text', signal: before }), { message: 'given up' })
    const asked = open().embed(texts, { as: 'passage', signal: during.signal })
    setTimeout(() => during.abort(new Error('given up')), 50)
    await assert.rejects(asked, { message: 'given up' })
    assert.equal((await embed(['Still there.'])).vectors.length, 1)
  })
}

export const never = (): AbortSignal => new AbortController().signal

export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  assert.ok(a && b)
  return a.reduce((sum, number, index) => sum + number * (b[index] ?? 0), 0)
}

const THINGS = [
  'apple',
  'bridge',
  'court',
  'dog',
  'engine',
  'forest',
  'guitar',
  'hospital',
  'island',
  'judge',
  'kitchen',
  'lawyer',
  'mountain',
]
const DEEDS = [
  'was sold',
  'burned down',
  'sings',
  'is very old',
  'was painted green',
  'costs a fortune',
  'disappeared',
  'won a prize',
]
const PLACES = ['in Paris', 'near the sea', 'at night', 'during the war']

/** Different for every index below 416. */
export function sentenceOf(index: number): string {
  const [thing, deed] = [THINGS[index % THINGS.length], DEEDS[Math.floor(index / THINGS.length) % DEEDS.length]]
  return `The ${thing} ${deed} ${PLACES[Math.floor(index / (THINGS.length * DEEDS.length)) % PLACES.length]}.`
}
