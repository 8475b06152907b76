import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lexicalVectors } from './lexical.ts'
import { SUMMARY_SENTENCES, summarise } from './summary.ts'
import type { Embed } from './vectors.ts'

const article = [
  'The council approved the new bridge over the river on Monday.',
  'The bridge over the river will cost forty million and open in two years.',
  'Residents had asked the council for a bridge since the flood of the river.',
  'The council expects that the bridge will halve the time to the station.',
  'A cat slept on the steps of the town hall during the whole debate.',
  'Somebody sold coffee and cake in the hall before the meeting began.',
].join(' ')

const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => `Page ${i} is about the pump of type ${i % 7}. ${article}`)

test('a summary consists of document sentences in their order', async () => {
  const found = await summarise([article], { length: 'short', language: 'en' })

  assert.equal(found.length, SUMMARY_SENTENCES.short)
  for (const { text, start, end } of found) assert.equal(article.slice(start, end), text)
  assert.deepEqual(
    found,
    found.toSorted((a, b) => a.start - b.start),
  )
  assert.ok(!found.some(({ text }) => text.includes('cat') || text.includes('coffee')))
})

test('focus brings matching sentences into the summary', async () => {
  const found = await summarise([article], {
    length: 'short',
    language: 'en',
    focus: 'coffee and cake sold in the hall',
  })

  assert.ok(found.some(({ text }) => text.includes('coffee')))
})

test('includes text repeated on every page only once', async () => {
  const pages = [1, 2, 3].map(
    (page) => `${article.replaceAll('. ', page === 2 ? '.\n' : '. ')} Page ${page} of this paper ends here.`,
  )

  const found = await summarise(pages, { length: 'long', language: 'en' })

  const texts = found.map(({ text }) => text)
  assert.deepEqual(texts, [...new Set(texts)])
  assert.ok(found.every(({ text, part }) => part === 0 || text.startsWith('Page')))
  assert.equal(texts.length, 9)
})

test('summarizes a document of 2,000 pages with a bounded number of vectors', async () => {
  let asked = 0
  const embed: Embed = async (texts) => {
    asked += texts.length
    return lexicalVectors(texts, 'en')
  }
  const started = performance.now()

  const found = await summarise(pagesOf(2_000), { length: 'long', language: 'en', embed })

  assert.equal(found.length, SUMMARY_SENTENCES.long)
  assert.ok(asked <= 2_000, `${asked} vectors`)
  assert.ok(performance.now() - started < 20_000)
})

test('returns no sentences for empty text and handles very short texts', async () => {
  assert.deepEqual(await summarise(['', ' \n'], { length: 'short', language: null }), [])
  assert.equal((await summarise(['Total 5'], { length: 'short', language: null })).length, 1)
  assert.equal(
    (
      await summarise(
        [
          'この契約は来年の三月一日に始まる。家賃は毎月一日に銀行で払うものとする。この家で犬と猫を飼ってはならない。鍵は契約の終わりに必ず大家に返す。',
        ],
        { length: 'short', language: 'ja' },
      )
    ).length,
    3,
  )
})
