import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statisticsOf } from './statistics.ts'

test('sums the counts of all pages', () => {
  assert.deepEqual(statisticsOf(['One two three. Four five.\n\nSix seven.', 'Eight nine ten 😀.'], 'en'), {
    characters: 54,
    words: 10,
    sentences: 4,
    paragraphs: 3,
    average_sentence_words: 2.5,
    average_word_characters: 3.9,
    reading_seconds: 3,
  })
})

test('counts no words in a text without words', () => {
  assert.equal(statisticsOf([' \n ', ''], null).words, 0)
  assert.equal(statisticsOf([], null).average_sentence_words, 0)
})

test('counts Chinese words without spaces between them', () => {
  const { words, sentences } = statisticsOf(['我们明天去北京。你呢？'], 'zh')

  assert.ok(words >= 5 && words <= 8, `${words}`)
  assert.equal(sentences, 2)
})
