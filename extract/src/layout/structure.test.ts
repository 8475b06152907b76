import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layout, line, lines, PROSE } from './testing.ts'
import type { Word } from './types.ts'

const kinds = (words: Word[]) => layout(words).map(({ type, level, text }) => [type, level, text])

test('table of contents entries are separate lines, not headings', () => {
  const bold = { size: 12, is_bold: true }

  const blocks = kinds([
    ...line(50, 100, '1 Rivers . . . . . . . . . 2', bold),
    ...line(50, 115, '1.1 Banks . . . . . . . . . 3'),
    ...line(50, 128, '1.2 Mills . . . . . . . . . 7'),
    ...lines(50, 200, PROSE),
  ])

  assert.deepEqual(
    blocks.slice(0, 3).map(([type, , text]) => [type, String(text).slice(0, 9)]),
    [
      ['paragraph', '1 Rivers '],
      ['paragraph', '1.1 Banks'],
      ['paragraph', '1.2 Mills'],
    ],
  )
})

test('headings of a paper may be as large as its text', () => {
  const blocks = kinds([
    ...line(120, 100, 'II. MATERIALS AND METHODS'),
    ...line(50, 125, 'A. Water Samples', { is_italic: true }),
    ...lines(50, 140, PROSE),
    ...line(50, 230, 'I. Newton wrote this.'),
  ])

  assert.deepEqual(blocks.slice(0, 2), [
    ['heading', 1, 'II. MATERIALS AND METHODS'],
    ['heading', 2, 'A. Water Samples'],
  ])
  assert.equal(blocks.at(-1)?.[0] === 'heading', false)
})

test('items with right-aligned numbers share a level, and a numbered heading is not an item', () => {
  const blocks = kinds([
    ...line(40, 100, '1.2 Naming', { size: 14, is_bold: true }),
    ...lines(50, 125, PROSE),
    ...line(70, 210, '(i) the first thing'),
    ...line(67, 230, '(ii) the second thing'),
    ...line(64, 250, '(iii) the third thing'),
    ...line(95, 270, '• a thing below it'),
  ])

  assert.deepEqual(
    blocks.filter(([type]) => type === 'list_item').map(([, level]) => level),
    [1, 1, 1, 2],
  )
})

test('a listing keeps its empty lines, and a single line of code is code', () => {
  const mono = { is_mono: true }

  const blocks = kinds([
    ...lines(50, 100, PROSE),
    ...line(70, 190, 'BEGIN', mono),
    ...line(70, 214, 'x := 1', mono),
    ...line(70, 226, 'y := 2', mono),
    ...line(70, 238, 'END', mono),
    ...lines(50, 260, PROSE),
    ...line(70, 350, 'x = NULL;', mono),
    ...lines(50, 380, PROSE),
  ])

  assert.deepEqual(
    blocks.filter(([type]) => type === 'code').map(([, , text]) => text),
    ['BEGIN\n\nx := 1\ny := 2\nEND', 'x = NULL;'],
  )
})

test('marked small print at the bottom becomes footnotes', () => {
  const small = { size: 8 }

  const blocks = kinds([
    ...lines(50, 100, PROSE),
    ...line(50, 400, '1 Small print in the middle', small),
    ...lines(50, 500, PROSE),
    ...line(50, 640, '1 See the report of the mill', small),
    ...line(50, 655, '† Closed since then', small),
  ])

  assert.deepEqual(
    blocks.filter(([type]) => type === 'footnote').map(([, , text]) => text),
    ['1 See the report of the mill', '† Closed since then'],
  )
})

test('superscripts and subscripts follow their word without a space and stay raised', () => {
  const script = (x: number, y: number, text: string): Word => ({ text, x0: x, x1: x + 4, y0: y, y1: y + 6, size: 6 })
  const [area] = line(50, 100, '10')
  const words = [
    ...(area ? [area] : []),
    script(60.5, 98, '6'),
    ...line(68, 100, 'km'),
    script(78.5, 98, '2'),
    ...line(83, 100, ')'),
    ...line(92, 100, 'of H'),
    script(110.5, 106, '2'),
    ...line(118, 100, 'O'),
    ...lines(50, 113, PROSE),
  ]

  assert.match(layout(words)[0]?.text ?? '', /^10⁶ km²\) of H2 O The river/)
})

test('a typewritten page keeps its lines together, and a row of dashes is not a list', () => {
  const typed = { is_mono: true }
  const blocks = kinds([
    ...line(50, 100, 'IN THE SUPREME COURT', typed),
    ...line(50, 121, '- - - - - - - - x', typed),
    ...line(50, 142, 'The matter came on', typed),
    ...line(50, 163, 'for argument.', typed),
  ])

  assert.deepEqual(blocks, [
    ['code', undefined, 'IN THE SUPREME COURT\n- - - - - - - - x\nThe matter came on\nfor argument.'],
  ])
})
