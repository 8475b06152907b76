import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutPage } from './layout.ts'
import { across, down, line } from './testing.ts'
import type { Word } from './types.ts'

const tablesIn = (words: readonly Word[], rules: ReturnType<typeof across>[]) =>
  layoutPage(words, { width: 600, height: 800, rules }).flatMap(({ table }) => (table ? [table] : []))
const rowAt = (y: number, cells: Record<number, string>): Word[] =>
  Object.entries(cells).flatMap(([x, text]) => line(Number(x), y, text))

test('headings that are centered in their cells are one row', () => {
  const words = [
    ...rowAt(106, { 154: 'Assignment', 254: 'Currency' }),
    ...rowAt(112, { 54: 'Subscribers', 354: 'Minimum' }),
    ...rowAt(118, { 154: 'of the sums', 254: 'of the' }),
    ...rowAt(124, { 54: 'concerned', 354: 'subscription' }),
    ...rowAt(130, { 154: 'distributed', 254: 'fund' }),
    ...rowAt(150, { 54: 'All', 154: 'Growth', 254: 'EUR', 354: 'none' }),
  ]
  const rules = [
    ...[100, 144, 164].map((y) => across(y, 50, 450)),
    ...[50, 150, 250, 350, 450].map((x) => down(x, 100, 164)),
  ]

  const [table] = tablesIn(words, rules)

  assert.equal(`${table?.rows}x${table?.columns}`, '2x4')
  assert.equal(table?.cells[1]?.text, 'Assignment of the sums distributed')
})

test('rounded boxes below each other are not rows of one table', () => {
  const box = (top: number, bottom: number) => [
    across(top, 47, 553),
    across(bottom, 47, 553),
    down(40, top + 7, bottom - 7),
    down(560, top + 7, bottom - 7),
  ]
  const words = [
    ...rowAt(112, { 60: 'Beginning balance', 200: '5,823.37', 320: 'Days in this period', 500: '31' }),
    ...rowAt(126, { 60: 'Credits', 200: '1,000.00', 320: 'Yield', 500: '0.50%' }),
    ...rowAt(172, { 60: 'Fee summary', 360: 'This period', 460: 'This year' }),
    ...rowAt(186, { 60: 'Items paid', 360: '0.00', 460: '0.00' }),
    ...rowAt(200, { 60: 'Items returned', 360: '0.00', 460: '0.00' }),
  ]

  const tables = tablesIn(words, [...box(100, 148), ...box(160, 220)])

  assert.ok(tables.some(({ rows, columns }) => rows === 3 && columns === 3))
  assert.ok(tables.every(({ rows }) => rows <= 3))
})
