import assert from 'node:assert/strict'
import { test } from 'node:test'
import { across, cellsIn, down, layout, line } from './testing.ts'
import type { Word } from './types.ts'

const rowAt = (y: number, cells: Record<number, string>, own: Partial<Word> = {}): Word[] =>
  Object.entries(cells).flatMap(([x, text]) => line(Number(x), y, text, own))
const firstRow = (words: readonly Word[]): string[] => {
  const table = layout(words).find((block) => block.table)?.table
  return (table?.cells ?? []).filter(({ row }) => row === 1).map(({ text }) => text)
}
const DATA = [
  ...rowAt(134, { 50: '1', 110: 'Travel', 300: '86.55', 400: '2', 480: '173.10' }),
  ...rowAt(156, { 50: '2', 110: 'Guide', 300: '5.04', 400: '2', 480: '10.08' }),
  ...rowAt(178, { 50: '3', 110: 'Tickets', 300: '23.10', 400: '1', 480: '23.10' }),
]

test('lines of headings above the first values are one row', () => {
  const words = [
    ...rowAt(100, { 110: 'Number of', 480: 'Amount' }),
    ...rowAt(112, { 50: 'Pos', 110: 'customer', 300: 'Price', 400: 'Count', 480: 'without tax' }),
    ...DATA,
  ]

  assert.deepEqual(firstRow(words), ['Pos', 'Number of customer', 'Price', 'Count', 'Amount without tax'])
})

test('a first line of one heading above the others belongs to the head', () => {
  const words = [
    ...line(50, 60, 'The following shares are registered for trade at an exchange of the state.'),
    ...rowAt(100, { 400: 'Trading' }),
    ...rowAt(112, { 50: 'Pos', 110: 'Title', 300: 'Price', 400: 'symbol', 480: 'Amount' }),
    ...DATA,
  ]

  assert.deepEqual(firstRow(words), ['Pos', 'Title', 'Price', 'Trading symbol', 'Amount'])
})

test('headings on a band without lines between them have a column each', () => {
  const xs = [50, 250, 320, 390, 460]
  const ys = [100, 120, 140, 160]
  const words = [
    ...rowAt(105, { 60: 'Income', 274: '2015', 344: '2016', 414: '2017' }),
    ...rowAt(125, { 60: 'Sales', 270: '120.06', 340: '124.40', 410: '115.32' }),
    ...rowAt(145, { 60: 'Services', 270: '1.94', 340: '0.11', 410: '2.53' }),
  ]
  const rules = [
    ...ys.map((y) => across(y, 50, 460)),
    ...xs.map((x) => down(x, x === 50 || x === 250 || x === 460 ? 100 : 120, 160)),
  ]

  const table = layout(words, rules).find((block) => block.table)?.table
  assert.deepEqual(cellsIn(table)?.slice(0, 4), ['1,1 1x1 Income', '1,2 1x1 2015', '1,3 1x1 2016', '1,4 1x1 2017'])
})

test('numbered steps of an algorithm are no table', () => {
  const steps = ['1 Procedure mutate', ' of an attack string', ' Input of length', '2 tokens of it', '3 sample a place']
  const more = ['4 sample some tokens', '5 replace the tokens', '6 return the string']
  const words = [...steps, ...more].flatMap((text, index) => {
    const [number = '', ...rest] = text.split(' ')
    return rowAt(index === 1 ? 108 : 100 + index * 16, { ...(number && { 50: number }), 80: rest.join(' ') })
  })

  assert.ok(layout(words).every(({ type }) => type !== 'table'))
})

test('the foot of two axes and the marks below it are no table', () => {
  const words = [
    ...rowAt(100, { 90: '0', 490: '0' }),
    ...rowAt(113, { 80: '4Q11', 160: '1Q12', 240: '2Q12 Total', 320: '3Q12', 400: '4Q12', 480: '1Q13' }),
  ]

  assert.ok(layout(words).every(({ type }) => type !== 'table'))
})
