import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clean, cut, fit, widthOf, wrap } from './width.ts'

test('measures the columns that a terminal gives a character', () => {
  assert.deepEqual(
    ['lease', 'Übung', 'U\u0308bung', '売上', '👩‍👩‍👧', '🇩🇪', '\u200b', ''].map(widthOf),
    [5, 5, 5, 4, 2, 2, 0, 0],
  )
})

test('cuts text that is too wide and can keep its ending', () => {
  assert.equal(cut('lease.pdf', 9), 'lease.pdf')
  assert.equal(cut('lease of the house.pdf', 10), 'lease of …')
  assert.equal(cut('lease of the house.pdf', 12, 4), 'lease o….pdf')
  assert.equal(cut('売上報告書.pdf', 10, 4), '売上….pdf')
  assert.equal(cut('abc', 0), '')
  for (let width = 0; width < 30; width++)
    for (const tail of [0, 4, 8]) assert.ok(widthOf(cut('ein 売上報告書 mit 👩‍👩‍👧 Namen.pdf', width, tail)) <= width)
})

test('fit pads or cuts text to the exact width', () => {
  assert.equal(fit('売上', 6), '売上  ')
  assert.equal(fit('12', 5, { is_right: true }), '   12')
  assert.equal(widthOf(fit('売上報告書', 6)), 6)
})

test('wraps lines between words, and within a word that is too wide', () => {
  assert.deepEqual(wrap('Rent is due on the third day', 12), ['Rent is due', 'on the third', 'day'])
  assert.deepEqual(wrap('売上報告書です', 6), ['売上報', '告書で', 'す'])
  assert.deepEqual(wrap('  ', 10), [])
})

test('text from a file cannot move the cursor or change the text direction', () => {
  assert.equal(clean('a\u001b[2Jb\u202etxt.exe\u0007\r\nc'), 'a [2Jb txt.exe c')
})
