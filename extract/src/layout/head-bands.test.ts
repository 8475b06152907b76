import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutPage } from './layout.ts'
import { cellsIn, line } from './testing.ts'
import type { Box, Word } from './types.ts'

const PAGE = { width: 600, height: 800, rules: [] }
const COLUMNS = [50, 110, 300, 380, 460, 540] as const
const rowAt = (y: number, cells: Record<number, string>, own: Partial<Word> = {}): Word[] =>
  Object.entries(cells).flatMap(([x, text]) => line(Number(x), y, text, own))
/** Areas side by side, with a small space between them. */
const areas = (y0: number, y1: number): Box[] =>
  COLUMNS.slice(1).map((x1, index) => ({ x0: COLUMNS[index] ?? 0, y0, x1: x1 - 2, y1 }))
const tables = (words: readonly Word[], fills: Box[]) =>
  layoutPage(words, { ...PAGE, fills }).flatMap(({ table }) => (table ? [cellsIn(table)] : []))

const HEAD = [
  ...rowAt(92, { 112: 'Customer no.' }),
  ...rowAt(104, { 52: 'Pos', 112: 'Supplier no.', 302: 'Net price', 382: 'Count', 462: 'Amount' }),
]

test('areas behind headings show the columns of rows that are far below them and from each other', () => {
  const words = [
    ...HEAD,
    ...rowAt(148, { 52: '1', 112: 'Steak', 330: '5.50', 400: '5 kg', 490: '27.50' }),
    ...rowAt(172, { 112: 'gross price before all rebates of the agreement' }),
    ...rowAt(210, { 52: '2', 112: 'Water', 330: '5.49', 400: '20', 490: '109.80' }),
    ...line(50, 300, 'Terms', { is_bold: true, size: 14 }),
  ]

  assert.deepEqual(tables(words, areas(88, 118)), [
    [
      '1,1 1x1 Pos',
      '1,2 1x1 Customer no. Supplier no.',
      '1,3 1x1 Net price',
      '1,4 1x1 Count',
      '1,5 1x1 Amount',
      '2,1 1x1 1',
      '2,2 1x1 Steak',
      '2,3 1x1 5.50',
      '2,4 1x1 5 kg',
      '2,5 1x1 27.50',
      '3,1 1x1 ',
      '3,2 1x1 gross price before all rebates of the agreement',
      '3,3 1x1 ',
      '3,4 1x1 ',
      '3,5 1x1 ',
      '4,1 1x1 2',
      '4,2 1x1 Water',
      '4,3 1x1 5.49',
      '4,4 1x1 20',
      '4,5 1x1 109.80',
    ],
  ])
})

test('a bold heading below the rows is not part of the table', () => {
  const words = [
    ...HEAD,
    ...rowAt(140, { 52: '1', 112: 'Steak', 330: '5.50', 400: '5 kg', 490: '27.50' }),
    ...line(50, 165, 'Terms of payment', { is_bold: true, size: 12 }),
    ...line(50, 185, 'Pay within ten days.'),
  ]

  const blocks = layoutPage(words, { ...PAGE, fills: areas(88, 118) })
  assert.equal(blocks[0]?.table?.rows, 2)
  assert.ok(blocks.slice(1).every(({ type }) => type !== 'table'))
})

test('areas without rows below them are no table', () => {
  const words = [...HEAD, ...line(50, 140, 'Nothing was delivered in this month, and nothing was ordered before it.')]

  assert.deepEqual(tables(words, areas(88, 118)), [])
})
