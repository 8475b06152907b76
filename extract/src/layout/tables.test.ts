import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutPage } from './layout.ts'
import { across, cellsIn, down, layout, line, lines, texts } from './testing.ts'
import type { Word } from './types.ts'

const LONG = 'A paragraph that runs from one side of the page to the other and then'
/** Words in columns that begin at 50, 150, 250 … */
const row = (y: number, cells: readonly string[], step = 100): Word[] =>
  cells.flatMap((text, column) => (text === '' ? [] : line(50 + column * step, y, text)))
const rows = (y: number, all: readonly (readonly string[])[]): Word[] =>
  all.flatMap((cells, index) => row(y + index * 20, cells))

test('two tables of equal width stay separate, with the text between them', () => {
  const words = [
    ...rows(105, [
      ['Name', 'Count', 'Price', 'Part'],
      ['Tools', '12', '1.50', '3%'],
      ['Ropes', '17', '9.10', '8%'],
    ]),
    ...line(50, 185, 'The second', { size: 14 }),
    ...lines(50, 205, [LONG, 'it ends.']),
    ...rows(245, [
      ['Day', 'Where it was found'],
      ['Monday', 'Harbour'],
      ['Friday', 'Mill'],
    ]),
  ]
  const rules = [100, 120, 160, 240, 260, 300].map((y) => across(y, 50, 450))

  assert.deepEqual(
    layout(words, rules).map(({ type, table }) => [type, table?.rows, table?.columns]),
    [
      ['table', 3, 4],
      ['heading', undefined, undefined],
      ['paragraph', undefined, undefined],
      ['table', 3, 2],
    ],
  )
})

test('a header over two columns spans them, and one without a subheader spans both rows', () => {
  const words = [
    ...line(50, 104, 'Name'),
    ...line(193, 104, 'Both'),
    ...rows(124, [
      ['', 'Count', 'Price'],
      ['Tools', '12345', '1.500'],
      ['Ropes', '17345', '9.100'],
      ['Nails', '18345', '9.200'],
    ]),
  ]
  const rules = [100, 138, 200].map((y) => across(y, 45, 300))

  for (const drawn of [rules, []])
    assert.deepEqual(cellsIn(layout(words, drawn)[0]?.table)?.slice(0, 7), [
      '1,1 2x1 Name',
      '1,2 1x2 Both',
      '2,2 1x1 Count',
      '2,3 1x1 Price',
      '3,1 1x1 Tools',
      '3,2 1x1 12345',
      '3,3 1x1 1.500',
    ])
})

test('a rule that stops short of a column leaves a cell of two rows', () => {
  const words = rows(105, [
    ['Group', 'Name', 'Count'],
    ['First', 'Tools', '12'],
    ['', 'Ropes', '17'],
    ['Second', 'Nails', '18'],
    ['', 'Bolts', '19'],
  ])
  const rules = [100, 120, 160, 200].map((y) => across(y, 45, 300))
  rules.push(across(140, 140, 300), across(180, 140, 300))

  const blocks = layout(words, rules)
  assert.equal(blocks.length, 1)
  assert.deepEqual(
    cellsIn(blocks[0]?.table)?.filter((cell) => !cell.includes(' 1x1 ')),
    ['2,1 2x1 First', '4,1 2x1 Second'],
  )
})

test('a number below a number starts a row, even with few cells', () => {
  const words = [
    ...row(100, ['lighthouse', 'salt', 'pier', 'ferry'], 62),
    ...row(115, ['copper lamp', '7,600', '5,371', ''], 62),
    ...row(130, ['ladder room', '8,298', '', '551.27'], 62),
    ...row(145, ['north lamps', '4,401', '7,051', ''], 62),
    ...row(160, ['ladder', '2,602', '', ''], 62),
  ]

  assert.equal(layout(words)[0]?.text.split('\n').at(-1), 'ladder\t2,602\t\t')
})

test('does not read long text in table cells as text columns', () => {
  const cell = ['rope north pier harbour lamp map', 'room ladder sailcloth ferry and', 'the copper of the old harbour']
  const labels = ['tide', 'salt store north pier', 'bell', 'salt store north lamp']
  const words = labels.flatMap((label, index) => [
    ...line(50, 100 + index * 50, label),
    ...lines(180, 100 + index * 50, cell, 12),
    ...lines(370, 100 + index * 50, cell, 12),
  ])

  const blocks = layout(words)
  assert.deepEqual(
    blocks.map(({ type, table }) => [type, table?.rows, table?.columns]),
    [['table', 4, 3]],
  )
  assert.equal(blocks[0]?.table?.cells[4]?.text, cell.join(' '))
})

test('between rules, text next to a short name is a row, not a paragraph', () => {
  const words = ['Harbour', 'Mill', 'Church'].flatMap((name, index) => [
    ...line(50, 105 + index * 40, name),
    ...lines(
      130,
      105 + index * 40,
      ['Where the ships of the town are built and mended', 'in all the years that anybody here can remember'],
      12,
    ),
  ])
  const rules = [100, 140, 180, 220].map((y) => across(y, 50, 400))

  assert.deepEqual(
    layout(words, rules).map(({ type, table }) => [type, table?.rows, table?.columns]),
    [['table', 3, 2]],
  )
})

test('an underlined word in a cell does not end its row', () => {
  const words = [
    ...rows(100, [['Name', 'What it is']]),
    ...line(50, 120, 'Harbour'),
    ...lines(150, 120, ['Where the ships of the', 'town are'], 12),
    ...line(50, 155, 'Mill'),
    ...line(150, 155, 'Flour and bread for all'),
  ]
  const underline = across(129.5, 150, 260)

  assert.deepEqual(texts(layout(words, [underline])), [
    'table: Name\tWhat it is\nHarbour\tWhere the ships of the town are\nMill\tFlour and bread for all',
  ])
})

test('cells never overlap, even if rules draw an L-shaped cell', () => {
  const words = [
    ...line(55, 105, 'Corner'),
    ...line(155, 105, 'beside'),
    ...line(55, 125, 'below'),
    ...line(155, 125, 'inner'),
    ...line(55, 145, 'left'),
    ...line(155, 145, 'right'),
  ]
  const rules = [across(100, 50, 250), across(120, 150, 250), across(140, 50, 250), across(160, 50, 250)]
  rules.push(down(50, 100, 160), down(150, 120, 160), down(250, 100, 160))

  const [block] = layout(words, rules)
  assert.ok(block?.table)
  const places = block.table.cells.flatMap(({ row, column, row_span, column_span }) =>
    Array.from({ length: row_span * column_span }, (_, step) => [
      row + Math.floor(step / column_span),
      column + (step % column_span),
    ]),
  )
  assert.equal(new Set(places.map(String)).size, places.length)
  assert.equal(places.length, block.table.rows * block.table.columns)
  for (const { text } of words) assert.ok(block.text.includes(text), text)
})

test('headings above the first line of a table belong to it, also at some distance', () => {
  const words = [
    ...[50, 250, 330, 410].flatMap((x, index) => line(x, 100, ['Description', 'Qty', 'Price', 'Amount'][index] ?? '')),
    ...[134, 164, 194].flatMap((y) => [
      ...line(50, y, 'Paper, white'),
      ...line(250, y, '2'),
      ...line(330, y, '$4.50'),
      ...line(410, y, '$9.00'),
    ]),
  ]
  const rules = [114, 154, 184, 214].map((y) => across(y, 50, 450))

  assert.deepEqual(
    layout(words, rules).map(({ type, table }) => [type, table?.rows, table?.columns]),
    [['table', 4, 4]],
  )
})

test('cells of a head with a background each are no titles', () => {
  const xs = [50, 150, 250, 350]
  const words = [
    ...xs.flatMap((x, index) => line(x, 100, ['Kind', 'Base', 'Tax', 'Sum'][index] ?? '')),
    ...[116, 132].flatMap((y) => xs.flatMap((x, index) => line(x, y, ['Fee', '850', '19%', '30'][index] ?? ''))),
  ]
  const fills = xs.map((x) => ({ x0: x - 4, y0: 97, x1: x + 90, y1: 113 }))

  const blocks = layoutPage(words, { width: 600, height: 800, rules: [], fills })
  assert.deepEqual(
    blocks.map(({ type, table }) => [type, table?.rows]),
    [['table', 3]],
  )
})

test('long equal cells below each other are rows, not a paragraph', () => {
  const words = Array.from({ length: 10 }, (_, index) => [
    ...line(50, 100 + index * 15, `${index}.375% Notes due 20${20 + index}`),
    ...line(250, 100 + index * 15, '—'),
    ...line(350, 100 + index * 15, 'The Nasdaq Stock Market LLC'),
  ])

  assert.deepEqual(
    layout(words.flat()).map(({ type, table }) => [type, table?.rows, table?.columns]),
    [['table', 10, 3]],
  )
})
