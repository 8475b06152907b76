import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutPage } from './layout.ts'
import { across, cellsIn, down, layout, line, lines, texts } from './testing.ts'
import type { Word } from './types.ts'

const kinds = (words: readonly Word[], rules: Parameters<typeof layout>[1] = []) =>
  layout(words, rules).map(({ type, table }) => (table ? `${type} ${table.rows}x${table.columns}` : type))
const rowAt = (y: number, cells: Record<number, string>, own: Partial<Word> = {}): Word[] =>
  Object.entries(cells).flatMap(([x, text]) => line(Number(x), y, text, own))

test('a bullet and the text next to it form a list item, however wide the gap', () => {
  const words = [0, 1, 2].flatMap((index) => [
    ...line(50, 100 + index * 40, '•'),
    ...lines(75, 100 + index * 40, ['Writers gained tools to organize their ideas in', 'many new ways.']),
  ])

  assert.deepEqual(
    texts(layout(words)),
    Array(3).fill('list_item: Writers gained tools to organize their ideas in many new ways.'),
  )
})

test('a numbered list is not a table', () => {
  const words = [0, 1, 2, 3].flatMap((index) => [
    ...line(50, 100 + index * 40, `${index + 1}.`),
    ...lines(80, 100 + index * 40, ['Word processors are no longer standalone tools', 'but parts of a platform.']),
  ])

  assert.ok(!kinds(words).some((kind) => kind.startsWith('table')))
})

test('leaves out the line numbers of a transcript', () => {
  const words = Array.from({ length: 14 }, (_, index) => [
    ...line(50, 100 + index * 24, String(index + 1).padStart(2)).filter(({ text }) => text !== ''),
    ...line(90, 100 + index * 24, index % 3 === 0 ? 'JUSTICE ROBERTS: We hear' : 'argument this morning in the case'),
  ]).flat()

  const blocks = layout(words)
  assert.ok(blocks.every(({ type, text }) => type !== 'table' && !/\d/.test(text)))
})

test('keeps row numbers under a heading in their table', () => {
  const words = [
    ...rowAt(100, { 50: 'No.', 90: 'Item', 250: 'Count' }),
    ...Array.from({ length: 14 }, (_, index) =>
      rowAt(114 + index * 14, { 50: String(index + 1), 90: 'Bedplate', 250: String(index * 7) }),
    ).flat(),
  ]

  assert.deepEqual(kinds(words), ['table 15x3'])
})

test('splits rows by text lines if rules enclose several of them', () => {
  const words = [
    ...rowAt(104, { 55: 'Layers', 155: 'Language', 255: 'Score', 355: 'Time' }),
    ...rowAt(131, { 55: '6' }),
    ...rowAt(124, { 155: 'OTSL', 255: '0.955', 355: '2.73' }),
    ...rowAt(138, { 155: 'HTML', 255: '0.934', 355: '5.39' }),
    ...rowAt(161, { 55: '4' }),
    ...rowAt(154, { 155: 'OTSL', 255: '0.927', 355: '1.97' }),
    ...rowAt(168, { 155: 'HTML', 255: '0.915', 355: '3.77' }),
  ]
  const rules = [100, 120, 152, 182].map((y) => across(y, 50, 450))
  rules.push(...[50, 150, 250, 350, 450].map((x) => down(x, 100, 182)))

  const table = layout(words, rules)[0]?.table
  assert.deepEqual([table?.rows, table?.columns], [5, 4])
  assert.deepEqual(cellsIn(table)?.slice(4, 11), [
    '2,1 2x1 6',
    '2,2 1x1 OTSL',
    '2,3 1x1 0.955',
    '2,4 1x1 2.73',
    '3,2 1x1 HTML',
    '3,3 1x1 0.934',
    '3,4 1x1 5.39',
  ])
})

test('columns ruled only in the header continue below it', () => {
  const body = Array.from({ length: 5 }, (_, index) =>
    rowAt(130 + index * 14, { 55: `A-00${index}`, 155: 'Travel', 255: `${index}20.50` }),
  ).flat()
  const words = [...rowAt(106, { 55: 'Number', 155: 'Purpose', 255: 'Amount' }), ...body]
  const rules = [across(100, 50, 350), across(122, 50, 350), across(210, 50, 350)]
  rules.push(down(50, 100, 210), down(350, 100, 210), down(150, 100, 122), down(250, 100, 122))

  assert.deepEqual(kinds(words, rules), ['table 6x3'])
})

test('a heading separates tables with different columns', () => {
  const words = [
    ...rowAt(100, { 50: 'Start', 150: 'End', 250: 'Shows' }),
    ...rowAt(114, { 50: '12/20/24', 150: '12/31/24', 250: '48' }),
    ...line(50, 136, 'Totals', { size: 12, is_bold: true }),
    ...rowAt(156, { 50: 'Month', 200: 'Gross', 300: 'Net', 400: 'Share' }),
    ...rowAt(170, { 50: 'December', 200: '$12,500', 300: '$11,250', 400: '85%' }),
    ...rowAt(184, { 50: 'January', 200: '$10,500', 300: '$10,250', 400: '80%' }),
  ]

  assert.deepEqual(kinds(words), ['table 2x3', 'heading', 'table 3x4'])
})

test('labels and values side by side become fields, one block after another', () => {
  const words = [
    ...rowAt(100, { 50: 'Order:', 150: '2024-12', 350: 'Cinema:', 450: 'Downtown' }),
    ...rowAt(114, { 50: 'Product:', 150: 'Movie Package', 350: 'Contact:', 450: 'Sarah Johnson' }),
    ...rowAt(128, { 50: 'Estimate:', 150: 'EST-456' }),
  ]

  const blocks = layout(words)
  assert.deepEqual(texts(blocks), [
    'fields: Order: 2024-12\nProduct: Movie Package\nEstimate: EST-456',
    'fields: Cinema: Downtown\nContact: Sarah Johnson',
  ])
  assert.deepEqual(blocks[0]?.fields?.[0], {
    label: 'Order',
    value: '2024-12',
    label_bbox: [0.08333, 0.125, 0.13333, 0.1375],
    value_bbox: [0.25, 0.125, 0.30833, 0.1375],
  })
})

test('text printed over a table does not become a row', () => {
  const words = [
    ...rowAt(100, { 50: 'Show', 150: 'Title', 300: 'Revenue' }),
    ...rowAt(114, { 50: '1', 150: 'Holiday', 300: '$3,000' }),
    ...line(50, 119, 'All showtimes are approximate and subject to change', { size: 8 }),
    ...rowAt(128, { 50: '2', 150: 'Winter', 300: '$3,600' }),
  ]

  assert.deepEqual(cellsIn(layout(words).find(({ table }) => table)?.table)?.slice(3), [
    '2,1 1x1 1',
    '2,2 1x1 Holiday',
    '2,3 1x1 $3,000',
    '3,1 1x1 2',
    '3,2 1x1 Winter',
    '3,3 1x1 $3,600',
  ])
})

test('a frame around a page is not a table', () => {
  const prose = Array.from(
    { length: 9 },
    () => 'This is an estimate for the visible damage of the vehicle and of no more',
  )
  const words = [...lines(60, 110, prose), ...rowAt(260, { 60: 'Parts', 200: '10', 300: '2,100' })]
  words.push(
    ...rowAt(276, { 60: 'Labor', 200: '20', 300: '1,100' }),
    ...rowAt(292, { 60: 'Paint', 200: '30', 300: '100' }),
  )
  const rules = [across(100, 50, 450), across(400, 50, 450), across(255, 180, 450), across(310, 50, 450)]
  rules.push(down(50, 100, 400), down(450, 100, 400), down(180, 255, 310))

  assert.deepEqual(kinds(words, rules), ['paragraph', 'table 3x3'])
})

test('numbered headings and a table of contents are not tables', () => {
  const headings = [
    ...rowAt(100, { 50: '2', 90: 'Quantifying the savings of fuel' }),
    ...rowAt(130, { 50: '2.1', 90: 'Savings from individual driving' }),
    ...rowAt(160, { 50: '2.1.1', 90: 'Profiles of real driving' }),
  ]
  const contents = [1, 2, 3, 4].flatMap((number) =>
    rowAt(100 + number * 14, { 50: String(number), 80: 'Chapter of words', 400: String(number * 7) }),
  )

  for (const words of [headings, contents]) assert.ok(!kinds(words).some((kind) => kind.startsWith('table')))
})

test('a rule above a total does not merge its label with the one above', () => {
  const words = [
    ...rowAt(100, { 50: 'Item', 200: 'Count', 300: 'Amount' }),
    ...rowAt(114, { 50: 'Revaluation', 200: '12', 300: '2,076' }),
    ...rowAt(128, { 50: 'Costs', 200: '13', 300: '106' }),
    ...rowAt(144, { 50: 'Total result', 200: '25', 300: '1,969' }),
  ]

  const table = layout(words, [across(140, 295, 340)])[0]?.table
  assert.deepEqual(
    cellsIn(table)?.filter((cell) => !cell.includes('1x1')),
    [],
  )
  assert.equal(table?.rows, 4)
})

test('a title on a filled band is the first row of the table below', () => {
  const row = (y: number, label: string, value: string) => [
    ...line(50, y, label, { is_bold: true }),
    ...line(150, y, value),
  ]
  const words = [
    ...line(90, 100, 'Customer', { is_bold: true }),
    ...row(120, 'Name', 'Gabriel Diaz'),
    ...row(134, 'Claim', 'SF-1008'),
    ...row(148, 'Phone', '425 111'),
  ]

  const [block] = layoutPage(words, {
    width: 600,
    height: 800,
    rules: [],
    fills: [{ x0: 48, y0: 98, x1: 230, y1: 113 }],
  })
  assert.equal(block?.text, 'Customer\nName\tGabriel Diaz\nClaim\tSF-1008\nPhone\t425 111')
})

test('bold labels below each other start rows, however narrow their column', () => {
  const row = (y: number, label: string, value: string) => [
    ...line(50, y, label, { is_bold: true }),
    ...line(150, y, value),
  ]
  const words = [
    ...row(100, 'VIN', '1C4RJFBG2NC123456'),
    ...row(112, 'Color', 'White'),
    ...row(128, 'Odometer', '9,800'),
    ...row(144, 'Trim', 'Limited'),
  ]
  const rules = [125, 141].map((y) => across(y, 50, 240))

  assert.deepEqual(texts(layout(words, rules)), [
    'fields: VIN: 1C4RJFBG2NC123456\nColor: White\nOdometer: 9,800\nTrim: Limited',
  ])
})
