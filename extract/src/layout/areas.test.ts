import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rule } from '../types.ts'
import { layoutPage } from './layout.ts'
import { across, down, line } from './testing.ts'
import type { Box, FormField, Word } from './types.ts'

const PAGE = { width: 600, height: 800 }
interface Drawn {
  rules?: Rule[]
  fills?: Box[]
  form?: FormField[]
}
const tablesIn = (words: readonly Word[], { rules = [], ...drawn }: Drawn) =>
  layoutPage(words, { ...PAGE, rules, ...drawn }).flatMap(({ table }) => (table ? [table] : []))
const shapesOf = (words: readonly Word[], drawn: Drawn) =>
  tablesIn(words, drawn).map(({ rows, columns }) => `${rows}x${columns}`)

/** The area that a word processor draws behind a line. */
const behind = (words: readonly Word[]): Box[] => {
  const [first, last] = [words[0], words.at(-1)]
  return first && last ? [{ x0: first.x0 - 0.5, y0: first.y0 - 3, x1: last.x1 + 1, y1: first.y1 + 3 }] : []
}
const frame = ({ x0, y0, x1, y1 }: Box): Rule[] => [
  across(y0, x0, x1),
  across(y1, x0, x1),
  down(x0, y0, y1),
  down(x1, y0, y1),
]

test('lines with a background each are text', () => {
  const lines = [
    line(60, 100, 'Tuesday, March 6'),
    line(90, 116, 'The cafeteria is open from six to eight in the evening'),
    line(90, 132, 'for all members who want to hear the latest news'),
    line(90, 148, 'and for their guests.'),
  ]

  assert.deepEqual(shapesOf(lines.flat(), { fills: lines.flatMap(behind), rules: [across(111, 60, 135)] }), [])
})

test('backgrounds of single lines do not divide the cells of a table', () => {
  const rows = [
    [
      line(200, 100, 'limits', { is_bold: true }),
      line(320, 100, 'deductible', { is_bold: true }),
      line(440, 100, 'premium', { is_bold: true }),
    ],
    [
      line(60, 124, 'Bodily injury', { is_bold: true }),
      line(200, 124, '$25,000 each'),
      line(320, 124, '.....'),
      line(440, 124, '$100'),
    ],
    [line(60, 140, 'liability', { is_bold: true }), line(200, 140, 'accident')],
    [
      line(60, 164, 'Damage', { is_bold: true }),
      line(200, 164, '$20,000 each'),
      line(320, 164, '.....'),
      line(440, 164, '$10'),
    ],
    [
      line(60, 188, 'Comprehensive', { is_bold: true }),
      line(200, 188, '.....'),
      line(320, 188, '$250'),
      line(440, 188, '$150'),
    ],
  ]
  const cells = rows.flat()

  const [table] = tablesIn(cells.flat(), { fills: cells.flatMap(behind) })

  assert.equal(`${table?.rows}x${table?.columns}`, '4x4')
  assert.ok(table?.cells.some(({ text }) => text.includes('$25,000 each accident')))
})

test('a panel behind a page does not join the tables that are drawn on it', () => {
  const grid = (y: number): Rule[] => [
    ...[y, y + 16, y + 32].map((at) => across(at, 60, 540)),
    ...[60, 220, 380, 540].map((x) => down(x, y, y + 32)),
  ]
  const cells = (y: number, name: string): Word[] =>
    [0, 16].flatMap((row) => [70, 230, 390].flatMap((x) => line(x, y + row + 3, `${name}${row}${x}`)))
  const words = [...cells(140, 'a'), ...line(70, 260, 'Between the two tables'), ...cells(340, 'b')]

  const fills = [{ x0: 59.6, y0: 120, x1: 540.4, y1: 460 }]

  assert.deepEqual(shapesOf(words, { fills, rules: [...grid(140), ...grid(340)] }), ['2x3', '2x3'])
})

test('boxes around single words of several lines are no table', () => {
  const rows = [100, 113, 126, 139].map((y) => line(60, y, 'point, 307, 483 and 512'))
  const boxes = rows.flatMap((words) =>
    words.slice(1, 3).flatMap(({ x0, y0, x1, y1 }) => frame({ x0: x0 - 1, y0: y0 - 1.5, x1: x1 + 1, y1: y1 + 1.5 })),
  )

  assert.deepEqual(shapesOf(rows.flat(), { rules: boxes }), [])
})

test('a box with a text and a note below it are no table', () => {
  const rules = [...frame({ x0: 300, y0: 100, x1: 380, y1: 120 }), ...frame({ x0: 380, y0: 120, x1: 540, y1: 140 })]

  assert.deepEqual(
    shapesOf([...line(310, 105, 'prog1(x,y)'), ...line(390, 125, 'If arguments are required')], { rules }),
    [],
  )
})

test('the boxes of a form that can be filled in are no table', () => {
  const form = [130, 160, 190, 220].flatMap((y0) =>
    [160, 340].map((x0) => ({ x0, y0, x1: x0 + 100, y1: y0 + 18, name: `Text${y0}`, value: '', is_box: false })),
  )
  const rules = [
    ...[96, 126, 156, 186, 216, 246].map((y) => across(y, 60, 540)),
    ...[60, 150, 270, 330, 450, 540].map((x) => down(x, 96, 246)),
  ]
  const words = [62, 152, 272, 332, 452].flatMap((x, index) => line(x, 104, `Part ${index}`))
  const notes = [134, 164, 194, 224].flatMap((y) => line(462, y, 'office use'))

  assert.deepEqual(shapesOf([...words, ...notes], { rules, form }), [])
})

test('two rows without values, heading or lines are no table', () => {
  const words = [
    ...line(60, 100, 'extraction)'),
    ...line(140, 100, 'is a subtask'),
    ...line(330, 100, 'Results of models'),
    ...line(60, 116, 'information'),
    ...line(140, 116, 'retrieval that'),
    ...line(330, 116, 'and of rules'),
  ]

  assert.deepEqual(shapesOf(words, {}), [])
})
