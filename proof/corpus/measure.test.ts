import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '@octavo/contract'
import { cellF1, characterError, countCells, isBoxWithin, orderedRecall, recall, splitWords } from './measure.ts'

const cell = (row: number, column: number, text: string, row_span = 1, column_span = 1): Cell => ({
  row,
  column,
  row_span,
  column_span,
  text,
})
const table = (...cells: Cell[]) => ({ rows: 2, columns: 2, cells })

test('words keep adjacent punctuation, and scripts without spaces split by character', () => {
  assert.deepEqual(splitWords('It cost\u00a018,450\npounds.', 'en'), ['It', 'cost', '18,450', 'pounds.'])
  assert.deepEqual(splitWords('石桥 旁边。1992年', 'zh'), ['石', '桥', '旁', '边', '。', '1992', '年'])
  assert.deepEqual(splitWords(' \u00ad ', 'en'), [])
})

test('recall counts a word expected twice only if it occurs twice', () => {
  assert.equal(recall(['a', 'b', 'a', 'c'], ['a', 'b', 'c', 'd']), 0.75)
  assert.equal(recall(['a'], ['a', 'x', 'y']), 1)
  assert.equal(recall([], []), 1)
})

test('interleaved columns lose order but no words', () => {
  const expected = ['a', 'b', 'c', 'd', 'e', 'f']
  const found = ['a', 'd', 'b', 'e', 'c', 'f']

  assert.equal(recall(expected, found), 1)
  assert.equal(orderedRecall(expected, found), 4 / 6)
  assert.equal(orderedRecall(expected, expected), 1)
})

test('the character error rate counts insertions, deletions and substitutions', () => {
  assert.equal(characterError('kitten', 'sitting', 'en'), 3 / 6)
  assert.equal(characterError('abcd', 'abxcd', 'en'), 1 / 4)
  assert.equal(characterError('abcd', '', 'en'), 1)
  assert.equal(characterError('“a” – b’s', '"a" - b\'s', 'en'), 0)
  assert.equal(characterError('石桥', '石 桥', 'zh'), 0)
})

test('a cell counts only with the right position, spans and text', () => {
  const expected = table(cell(1, 1, 'a', 1, 2), cell(2, 1, 'b'), cell(2, 2, ''))

  assert.deepEqual(countCells([expected], [expected]), { expected: 2, found: 2, right: 2 })
  assert.deepEqual(countCells([expected], [table(cell(1, 1, 'a'), cell(2, 1, ' b '))]), {
    expected: 2,
    found: 2,
    right: 1,
  })
  assert.deepEqual(countCells([expected], [table(cell(1, 1, 'a', 1, 2), cell(2, 2, 'b'))]), {
    expected: 2,
    found: 2,
    right: 1,
  })
  assert.deepEqual(countCells([expected], []), { expected: 2, found: 0, right: 0 })
})

test('matches each expected table with the most similar found table', () => {
  const a = table(cell(1, 1, 'a'), cell(1, 2, 'b'))
  const b = table(cell(1, 1, 'a'), cell(1, 2, 'c'))
  const stray = table(cell(1, 1, 'x'))

  assert.deepEqual(countCells([a, b], [b, stray, a]), { expected: 4, found: 5, right: 4 })
})

test('F1 covers the cells of all tables', () => {
  assert.equal(
    cellF1([
      { expected: 4, found: 4, right: 4 },
      { expected: 4, found: 4, right: 0 },
    ]),
    0.5,
  )
  assert.equal(cellF1([{ expected: 0, found: 3, right: 0 }]), 0)
})

test('a box must exist, lie within the page and have a positive size', () => {
  const box = (...bbox: number[]) => isBoxWithin({ type: 'paragraph', text: '', bbox })
  assert.equal(box(0, 0, 1, 1), true)
  assert.equal(box(0.5, 0, 0.4, 1), false)
  assert.equal(box(0, 0, 1.01, 1), false)
  assert.equal(isBoxWithin({ type: 'paragraph', text: '' }), false)
})
