import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configOf, findWords, spaceWords } from './words.ts'

test('maps a language to its text search configuration and others to simple', () => {
  assert.deepEqual(['en', 'de-AT', 'nb', 'ja', 'xx', null].map(configOf), [
    'english',
    'german',
    'norwegian',
    'simple',
    'simple',
    'simple',
  ])
})

test('separates words in scripts without spaces and leaves other text unchanged', () => {
  assert.equal(spaceWords('No change: 1,200 €.'), 'No change: 1,200 €.')
  assert.deepEqual(spaceWords('賃料は毎月支払う。').trim().split(/\s+/), ['賃料', 'は', '毎月', '支払う', '。'])
  assert.match(spaceWords('The 租赁合同 ends'), /^The\s+租赁\s+合同\s+ends$/)
})

test('words have offsets in code points', () => {
  const text = '😀 Rent: 1200 は毎月 naïve.'
  const points = [...text]

  const words = findWords(text)

  assert.deepEqual(
    words.map((word) => word.text),
    ['Rent', '1200', 'は', '毎月', 'naïve'],
  )
  for (const { start, end, text: word } of words) assert.equal(points.slice(start, end).join(''), word)
})

test('a long run without spaces takes little time', () => {
  const begun = performance.now()

  spaceWords('賃料'.repeat(100_000))
  findWords('a😀'.repeat(100_000))

  assert.ok(performance.now() - begun < 3_000, `${performance.now() - begun} ms`)
})
