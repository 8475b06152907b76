import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyPhrasesOf } from './key-phrases.ts'

const texts = [
  '😀 Solar panels need regular maintenance. The maintenance of solar panels is expensive.',
  'Old houses need regular maintenance too, and predictive maintenance pays.',
]

test('finds noun phrases and all their offsets', async () => {
  const found = await keyPhrasesOf(texts, { language: 'en' })

  const placesOf = (phrase: string) =>
    found.find(({ text }) => text.toLowerCase() === phrase)?.places.map(({ part }) => part)
  assert.deepEqual(placesOf('solar panels'), [0, 0])
  assert.deepEqual(placesOf('regular maintenance'), [0, 1])
  for (const { text, places } of found) {
    for (const { part, start, end } of places)
      assert.equal([...texts[part]!].slice(start, end).join('').toLowerCase(), text.toLowerCase())
  }
})

test('splits at stop words in a language without a tagger', async () => {
  const found = await keyPhrasesOf(['Der Mieter zahlt die Miete. Die Miete ist am Monatsanfang fällig.'], {
    language: 'de',
  })

  assert.ok(found.some(({ text }) => text === 'Miete'))
  assert.ok(!found.some(({ text }) => text.toLowerCase() === 'die'))
})

test('returns at most the requested number of phrases, and none for empty text', async () => {
  assert.equal((await keyPhrasesOf(texts, { language: 'en', limit: 2 })).length, 2)
  assert.deepEqual(await keyPhrasesOf(['', '123 456'], { language: 'en' }), [])
  assert.deepEqual(await keyPhrasesOf([], { language: null }), [])
})

test('very long words do not stall the tagger', async () => {
  const started = performance.now()
  for (const piece of ['http://', 'a-', 'a@b.', '$1 ', 'x'])
    await keyPhrasesOf([piece.repeat(100_000 / piece.length)], { language: 'en' })

  assert.ok(performance.now() - started < 15_000)
})
