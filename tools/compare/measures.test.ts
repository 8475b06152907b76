import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agreedCounts, countsOf, sameOrder, shares, wordsOf } from './measures.ts'

test('compares words without case and punctuation', () => {
  assert.deepEqual(wordsOf('The RENT: 1,200 € (net)'), ['the', 'rent', '1', '200', 'net'])
})

test('expects the words that half of the programs found', () => {
  const texts = ['a b c', 'a b', 'a x'].map((text) => text.split(' '))

  assert.deepEqual([...agreedCounts(texts).keys()].toSorted(), ['a', 'b'])
})

test('missing words lower recall, and extra words lower precision', () => {
  const expected = countsOf(['a', 'b', 'c', 'd'])

  assert.deepEqual(shares(countsOf(['a', 'b']), expected), { recall: 0.5, precision: 1 })
  assert.deepEqual(shares(countsOf(['a', 'b', 'c', 'd', 'x', 'x', 'x', 'x']), expected), { recall: 1, precision: 0.5 })
})

test('order measures the words in the same sequence', () => {
  const words = 'one two three four five six'.split(' ')

  assert.equal(sameOrder(words, words), 1)
  assert.equal(sameOrder(words, 'four five six one two three'.split(' ')), 0.5)
  assert.equal(sameOrder(['one'], words), null)
})
