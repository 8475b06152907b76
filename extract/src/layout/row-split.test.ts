import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutPage } from './layout.ts'
import { across, cellsIn, layout, line } from './testing.ts'
import type { Box, Word } from './types.ts'

const rowAt = (y: number, cells: Record<number, string>): Word[] =>
  Object.entries(cells).flatMap(([x, text]) => line(Number(x), y, text))
const rowsIn = (words: readonly Word[], rules: Parameters<typeof layout>[1]) =>
  layout(words, rules).flatMap(({ table }) =>
    table
      ? Array.from({ length: table.rows }, (_, row) =>
          table.cells.flatMap((cell) => (cell.row === row + 1 && cell.text ? [cell.text] : [])).join(' | '),
        )
      : [],
  )

test('labels below each other beside an address are rows', () => {
  const words = [
    ...rowAt(104, { 50: 'Bill to', 300: 'Number:', 420: '14' }),
    ...rowAt(130, { 50: 'Ann Lee', 300: 'Order number:', 420: 'AD29094' }),
    ...rowAt(142, { 50: '1954 Bloor Street', 300: 'Invoice date:', 420: '2018-09-25' }),
    ...rowAt(154, { 50: 'Toronto', 300: 'Payment due:', 420: 'Upon receipt' }),
    ...rowAt(180, { 50: 'Services', 300: 'Quantity', 420: 'Price' }),
    ...rowAt(204, { 50: 'Web hosting', 300: '1', 420: '$65.00' }),
  ]
  const rules = [100, 120, 172, 196, 220].map((y) => across(y, 45, 500))

  const rows = rowsIn(words, rules)
  assert.ok(
    rows.some((row) => row.endsWith('Order number: | AD29094')),
    rows.join('\n'),
  )
  assert.ok(
    rows.some((row) => row.endsWith('Invoice date: | 2018-09-25')),
    rows.join('\n'),
  )
})

test('dates below each other are rows', () => {
  const words = [
    ...rowAt(104, { 50: 'Ship to', 300: 'Delivery', 420: 'INT-001' }),
    ...rowAt(130, { 50: 'Ann Lee of', 300: 'Delivery date', 420: '10/02/2019' }),
    ...rowAt(142, { 50: '4312 Wood Road', 300: 'Order', 420: '2412/2019' }),
    ...rowAt(154, { 50: 'New York', 300: 'Due date', 420: '25/02/2019' }),
    ...rowAt(180, { 50: 'Items', 300: 'Quantity', 420: 'Price' }),
    ...rowAt(204, { 50: 'Brake cables', 300: '1', 420: '100.00' }),
  ]
  const rules = [100, 120, 172, 196, 220].map((y) => across(y, 45, 500))

  const rows = rowsIn(words, rules)
  assert.ok(
    rows.some((row) => row.endsWith('Due date | 25/02/2019')),
    rows.join('\n'),
  )
})

test('rows without a background have the columns that the filled rows between them draw', () => {
  const words = ['Alpha', 'Bravo', 'Delta', 'Gamma'].flatMap((name, index) =>
    rowAt(105 + index * 20, { 55: name, 155: `${index + 1}.5`, 255: `${index + 2}.7`, 355: 'PASS' }),
  )
  const fills: Box[] = [0, 1, 2, 3].flatMap((index) => {
    const [y0, y1] = [100 + index * 20, 120 + index * 20]
    const result = { x0: 350, y0, x1: 400, y1 }
    const cells = [50, 150, 250].map((x0) => ({ x0, y0, x1: x0 + 100, y1 }))
    return index % 2 === 0 ? [...cells, result] : [result]
  })
  const [block] = layoutPage(words, { width: 600, height: 800, rules: [], fills })

  assert.deepEqual(cellsIn(block?.table)?.slice(4, 8), ['2,1 1x1 Bravo', '2,2 1x1 2.5', '2,3 1x1 3.7', '2,4 1x1 PASS'])
})

test('the last column of a row without a background ends where those of the filled rows end', () => {
  const words = ['Alpha', 'Bravo', 'Delta', 'Gamma'].flatMap((name, index) =>
    rowAt(105 + index * 20, { 55: name, 155: `${index + 1}.5%`, 255: 'The costs of the year' }),
  )
  const fills: Box[] = [0, 1, 2, 3].flatMap((index) => {
    const [y0, y1] = [100 + index * 20, 120 + index * 20]
    const label = { x0: 50, y0, x1: 150, y1 }
    return index % 2 === 0 ? [label, { x0: 150, y0, x1: 250, y1 }, { x0: 250, y0, x1: 400, y1 }] : [label]
  })
  const [block] = layoutPage(words, { width: 600, height: 800, rules: [], fills })

  assert.deepEqual(cellsIn(block?.table)?.slice(3, 6), [
    '2,1 1x1 Bravo',
    '2,2 1x1 2.5%',
    '2,3 1x1 The costs of the year',
  ])
})

test('a row with values does not go on with the headings above it', () => {
  const words = [
    ...rowAt(100, { 120: 'Description', 300: 'Due date', 420: 'Part' }),
    ...rowAt(113, { 50: 'Payable without discount', 300: '20.11.2018' }),
    ...rowAt(139, { 50: 'Payable with discount', 300: '14.11.2018', 420: '3 of 4' }),
    ...rowAt(165, { 50: 'Payable at any time', 300: '14.12.2018', 420: '4 of 4' }),
  ]

  assert.deepEqual(rowsIn(words, []).slice(0, 2), [
    'Description | Due date | Part',
    'Payable without discount | 20.11.2018',
  ])
})

test('space between filled areas is no column', () => {
  const words = ['Alpha', 'Bravo', 'Delta'].flatMap((name, index) =>
    rowAt(105 + index * 20, { 55: name, 155: `${index + 1}.5`, 280: `${index + 2}.7` }),
  )
  const head = rowAt(85, { 55: 'Name', 155: 'First', 280: 'Second' })
  const band = { x0: 50, y0: 80, x1: 375, y1: 100 }
  const fills: Box[] = [0, 1, 2].flatMap((index) => {
    const [y0, y1] = [100 + index * 20, 120 + index * 20]
    return [50, 150, 275].map((x0) => ({ x0, y0, x1: x0 + 100, y1 }))
  })
  const [block] = layoutPage([...head, ...words], { width: 600, height: 800, rules: [], fills: [band, ...fills] })

  assert.deepEqual([block?.table?.rows, block?.table?.columns], [4, 3])
})
