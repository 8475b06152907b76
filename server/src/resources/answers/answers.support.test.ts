import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsupportedIn } from './answers.support.ts'

const quotes = ['Anna Meier signed the lease on March 3, 2026 for 1,200 euros a month.']

test('names and numbers from the quotes are supported, also in other notations', () => {
  for (const sentence of [
    'The lease was signed by Anna Meier.',
    'It costs 1200 euros.',
    'It was signed on 3 March 2026.',
    "It is Meier's lease.",
    'It was signed in 2026.',
    'The rent is monthly.',
  ])
    assert.deepEqual(unsupportedIn(sentence, quotes, true), [], sentence)
})

test('other names and numbers are not supported', () => {
  assert.deepEqual(unsupportedIn('The lease was signed by Peter Meier.', quotes, true), ['Peter'])
  assert.deepEqual(unsupportedIn('It costs 1,300 euros.', quotes, true), ['1300'])
  assert.deepEqual(unsupportedIn('It was signed on 4 March 2026.', quotes, true), ['2026-03-04'])
})

test('the first word of a sentence and German nouns do not count as names', () => {
  assert.deepEqual(unsupportedIn('Rent is paid monthly.', quotes, true), [])
  assert.deepEqual(unsupportedIn('Die Wohnung kostet 1.200 Euro Miete.', quotes, false), [])
})
