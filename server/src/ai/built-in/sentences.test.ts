import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentencesOf } from './sentences.ts'

const textsOf = (text: string, language?: string) => sentencesOf(text, language).map((sentence) => sentence.text)

test('abbreviations and initials do not end a sentence', () => {
  assert.deepEqual(textsOf('Dr. Smith met J. R. Miller of the U.S. Army. He left at noon.'), [
    'Dr. Smith met J. R. Miller of the U.S. Army.',
    'He left at noon.',
  ])
  assert.deepEqual(textsOf('See No. 5 of the list. She said no. He left.'), [
    'See No. 5 of the list.',
    'She said no.',
    'He left.',
  ])
})

test('a day of the month does not end a German sentence', () => {
  assert.deepEqual(textsOf('Der Vertrag beginnt am 3. März. Er endet nie.', 'de'), [
    'Der Vertrag beginnt am 3. März.',
    'Er endet nie.',
  ])
})

test('joins lines wrapped at the page width, but not headings or list items', () => {
  assert.deepEqual(
    textsOf(
      'Terms of rent\nThe tenant pays the rent on the first day of\nEvery month of the year.\n- one thing\n- another thing',
    ),
    [
      'Terms of rent',
      'The tenant pays the rent on the first day of\nEvery month of the year.',
      '- one thing',
      '- another thing',
    ],
  )
})

test('splits sentences in languages without spaces', () => {
  assert.deepEqual(textsOf('借主は家賃を払う。家は良い状態に保つ。', 'ja'), [
    '借主は家賃を払う。',
    '家は良い状態に保つ。',
  ])
})

test('offsets count code points', () => {
  const text = '😀😀 First one.  Second 😀 one. '
  const points = [...text]

  for (const { start, end, text: own } of sentencesOf(text)) assert.equal(points.slice(start, end).join(''), own)
  assert.equal(sentencesOf(text).length, 2)
})

test('cuts sentences at 1,000 characters without losing text', () => {
  for (const piece of ['a', 'ab ', '😀', 'a\n', 'a. b ', '. ', '你好。', 'A.']) {
    const text = piece.repeat(20_000)
    const started = performance.now()
    const found = sentencesOf(text)

    assert.ok(found.every((sentence) => sentence.text.length <= 1_000))
    assert.equal(found.map((sentence) => sentence.text.replace(/\s/g, '')).join(''), text.replace(/\s/g, ''))
    assert.ok(performance.now() - started < 2_000, piece)
  }
})
