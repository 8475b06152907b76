import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyPhrasesOf } from './key-phrases.ts'

const texts = [
  '😀 Solar panels need regular maintenance. The maintenance of solar panels is expensive.',
  'Old houses need regular maintenance too, and predictive maintenance pays.',
]

test('noun phrases are found with the places where they stand', async () => {
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

test('a language without a tagger gives words between stop words', async () => {
  const found = await keyPhrasesOf(['Der Mieter zahlt die Miete. Die Miete ist am Monatsanfang fällig.'], {
    language: 'de',
  })

  assert.ok(found.some(({ text }) => text === 'Miete'))
  assert.ok(!found.some(({ text }) => text.toLowerCase() === 'die'))
})

test('at most as many as were asked for, and none from nothing', async () => {
  assert.equal((await keyPhrasesOf(texts, { language: 'en', limit: 2 })).length, 2)
  assert.deepEqual(await keyPhrasesOf(['', '123 456'], { language: 'en' }), [])
  assert.deepEqual(await keyPhrasesOf([], { language: null }), [])
})

test('words without end do not stop the tagger', async () => {
  const started = performance.now()
  for (const piece of ['http://', 'a-', 'a@b.', '$1 ', 'x'])
    await keyPhrasesOf([piece.repeat(100_000 / piece.length)], { language: 'en' })

  assert.ok(performance.now() - started < 15_000)
})
