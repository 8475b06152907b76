import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutPage } from './layout.ts'
import { across, down, line } from './testing.ts'
import type { Box, PageFrame, Word } from './types.ts'

const PAGE = { width: 600, height: 800, rules: [] }
const rowsIn = (words: readonly Word[], more: Partial<PageFrame> = {}): string[][] =>
  layoutPage(words, { ...PAGE, ...more }).flatMap(({ table }) =>
    Array.from({ length: table?.rows ?? 0 }, (_, row) =>
      (table?.cells ?? []).filter((cell) => cell.row === row + 1 && cell.text !== '').map(({ text }) => text),
    ),
  )
const amount = (right: number, y: number, text: string): Word[] => line(right - text.length * 5, y, text)

const BODY: [string, string, string][] = [
  ['Services', '19,604', '17,486'],
  ['Products', '63,355', '63,948'],
  ['Licenses', '1,200', '980'],
  ['Total net sales', '84,159', '82,414'],
]
/** Filled areas of a row: the label, and for each of two values the sign and the amount. */
const areas = (y: number): Box[] =>
  [
    [40, 300],
    [300, 312],
    [312, 380],
    [386, 398],
    [398, 466],
  ].map(([x0 = 0, x1 = 0]) => ({ x0, y0: y - 2, x1, y1: y + 12 }))
const signed = (y: number): Word[] => [...line(302, y, '$'), ...line(388, y, '$')]
const body = (y: number, [label, a, b]: [string, string, string]): Word[] => [
  ...line(42, y, label),
  ...amount(378, y, a),
  ...amount(464, y, b),
]
const head = [
  ...line(350, 116, 'Three Months Ended'),
  ...line(318, 132, 'June 25,'),
  ...line(404, 132, 'June 26,'),
  ...line(328, 141, '2022'),
  ...line(414, 141, '2021'),
]
const title = line(120, 80, 'Condensed consolidated statements of operations of the company')

test('headings above rows of filled areas belong to their table', () => {
  const words = [
    ...title,
    ...head,
    ...line(42, 156, 'Net sales:'),
    ...BODY.flatMap((row, index) => body(172 + index * 14, row)),
    ...signed(172),
    ...signed(214),
  ]
  const fills = BODY.flatMap((_, index) => areas(172 + index * 14))

  const rows = rowsIn(words, { fills, rules: [across(129, 300, 380), across(129, 386, 466)] })

  assert.deepEqual(rows.slice(0, 4), [
    ['Three Months Ended'],
    ['June 25, 2022', 'June 26, 2021'],
    ['Net sales:'],
    ['Services', '$ 19,604', '$ 17,486'],
  ])
  assert.deepEqual(rows.at(-1), ['Total net sales', '$ 84,159', '$ 82,414'])
})

test('a paragraph above rows of filled areas is no part of their table', () => {
  const words = [
    ...line(42, 156, 'Sales by kind'),
    ...line(306, 156, 'are given in millions for both of the quarters'),
    ...BODY.flatMap((row, index) => body(172 + index * 14, row)),
  ]
  const fills = BODY.flatMap((_, index) => areas(172 + index * 14))

  assert.deepEqual(rowsIn(words, { fills })[0], ['Services', '19,604', '17,486'])
})

test('currency and percent signs belong to the values beside them', () => {
  const words = [
    ...line(328, 156, '2022'),
    ...line(398, 156, '2021'),
    ...line(450, 156, 'Change'),
    ...BODY.flatMap(([label, a, b], index) => [
      ...line(42, 172 + index * 16, label),
      ...amount(350, 172 + index * 16, a),
      ...amount(420, 172 + index * 16, b),
      ...line(454, 172 + index * 16, String(index + 2)),
      ...line(470, 172 + index * 16, '%'),
    ]),
    ...line(302, 172, '$'),
    ...line(375, 172, '$'),
  ]

  const rows = rowsIn(words)

  assert.deepEqual(rows[1], ['Services', '$ 19,604', '$ 17,486', '2 %'])
  assert.deepEqual(rows.at(-1), ['Total net sales', '84,159', '82,414', '5 %'])
})

test('signs and dashes stay in their cells below a heading of two words and above a note', () => {
  const items = [0, 1, 2].flatMap((index) => {
    const y = 125 + index * 20
    return [
      ...line(55, y, `Item ${index}`),
      ...line(155, y, '$'),
      ...amount(245, y, '500,00'),
      ...line(255, y, '$'),
      ...line(330, y, '-'),
      ...line(352, y, '$'),
      ...amount(445, y, '2.500,00'),
    ]
  })
  const head = [
    ...line(55, 105, 'Item'),
    ...line(165, 105, 'Unit Price'),
    ...line(255, 105, 'Discount'),
    ...line(355, 105, 'Price'),
  ]
  const note = line(55, 185, 'All checks are payable to us within a month of the date')
  const rules = [
    ...[100, 120, 140, 160, 180, 200].map((y) => across(y, 50, 450)),
    ...[50, 350, 450].map((x) => down(x, 100, 200)),
    ...[150, 250].map((x) => down(x, 100, 180)),
  ]

  const rows = rowsIn([...head, ...items, ...note], { rules })

  assert.deepEqual(rows[0], ['Item', 'Unit Price', 'Discount', 'Price'])
  assert.deepEqual(rows[1], ['Item 0', '$ 500,00', '$ -', '$ 2.500,00'])
})
