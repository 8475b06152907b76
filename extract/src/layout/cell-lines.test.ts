import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutPage } from './layout.ts'
import { across, cellsIn, down, layout, line, lines, texts } from './testing.ts'
import type { Box, Word } from './types.ts'

const rowAt = (y: number, cells: Record<number, string>): Word[] =>
  Object.entries(cells).flatMap(([x, text]) => line(Number(x), y, text))
const tablesIn = (blocks: ReturnType<typeof layout>) =>
  blocks.flatMap(({ table }) => (table ? [cellsIn(table)?.filter((cell) => !cell.endsWith(' '))] : []))

test('single lines as far apart as the rows beside them are rows, though no line is drawn between them', () => {
  const words = [
    ...rowAt(104, { 50: 'Patient Name:', 205: 'John Doe' }),
    ...rowAt(126, { 50: 'Patient ID:', 205: 'NARH-36640' }),
    ...rowAt(148, { 50: 'Gender:', 205: 'Male' }),
  ]
  const rules = [across(98, 45, 500), across(120, 45, 200), across(142, 45, 200), across(164, 45, 500)]
  const sides = [45, 200, 500].map((x) => down(x, 98, 164))

  assert.deepEqual(tablesIn(layout(words, [...rules, ...sides])), [
    [
      '1,1 1x1 Patient Name:',
      '1,2 1x1 John Doe',
      '2,1 1x1 Patient ID:',
      '2,2 1x1 NARH-36640',
      '3,1 1x1 Gender:',
      '3,2 1x1 Male',
    ],
  ])
})

test('headings of one to four lines in a drawn row are one row', () => {
  const xs = [45, 145, 245, 345, 445, 545]
  const words = [
    ...rowAt(104, { 60: 'State', 160: 'Halt', 260: 'Persons', 360: 'Persons', 460: 'Persons' }),
    ...rowAt(116, { 160: 'stations', 260: 'directly', 360: 'trained', 460: 'tested' }),
    ...rowAt(128, { 260: 'reached', 460: 'for HIV' }),
    ...rowAt(140, { 260: '(in lakh)' }),
    ...rowAt(160, { 60: 'Delhi', 160: '8', 260: '1.29', 360: '3,665', 460: '1,000' }),
    ...rowAt(180, { 60: 'Kerala', 160: '9', 260: '1.42', 360: '3,559', 460: '855' }),
  ]
  const rules = [...[98, 155, 175, 195].map((y) => across(y, 45, 545)), ...xs.map((x) => down(x, 98, 195))]

  const [cells] = tablesIn(layout(words, rules))
  assert.ok(cells?.includes('1,3 1x1 Persons directly reached (in lakh)'), String(cells))
  assert.ok(cells?.includes('3,5 1x1 855'), String(cells))
})

test('a filled row of sums with fewer cells is the last row of its table', () => {
  const xs = [50, 150, 250, 350, 450, 550]
  const fills = (y: number, borders: readonly number[]): Box[] =>
    borders.slice(1).map((x1, index) => ({ x0: borders[index] ?? 0, y0: y, x1: x1 - 1, y1: y + 19 }))
  const words = [
    ...rowAt(105, { 60: 'State', 160: 'Date', 260: 'Days', 360: 'Trained', 460: 'Tested' }),
    ...rowAt(125, { 60: 'Delhi', 160: '1.12.2009', 260: '17', 360: '3,665', 460: '1,000' }),
    ...rowAt(145, { 60: 'Kerala', 160: '2.12.2009', 260: '17', 360: '3,559', 460: '855' }),
    ...rowAt(165, { 60: 'Total', 260: '34', 360: '7,224', 460: '1,855' }),
    ...lines(50, 200, ['of the campaign', 'that went on', 'for a year']),
    ...lines(350, 200, ['in all the states', 'of the country', 'by train']),
  ]
  const areas = [100, 120, 140].flatMap((y) => fills(y, xs))
  const sums = fills(160, [50, 250, 350, 450, 550])

  const blocks = layoutPage(words, { width: 600, height: 800, rules: [], fills: [...areas, ...sums] })

  const [cells, ...others] = tablesIn(blocks)
  assert.ok(cells?.includes('4,5 1x1 1,855'), String(cells))
  assert.deepEqual(others, [])
})

test('values beside a label that is centered between them are two rows', () => {
  const words = [
    ...rowAt(100, { 50: 'Task', 120: 'Dataset', 300: 'Frozen', 400: 'Tuned' }),
    ...['EBM-NLP', 'NCBI', 'SciERC', 'JNLPBA', 'ChemProt'].flatMap((name, index) =>
      rowAt(120 + index * 12, { 50: 'NER', 120: name, 300: `6${index}.30`, 400: `7${index}.44` }),
    ),
    ...rowAt(180, { 120: 'GENIA - LAS', 300: '91.92', 400: '90.22' }),
    ...rowAt(186, { 50: 'DEP' }),
    ...rowAt(192, { 120: 'GENIA - UAS', 300: '92.84', 400: '91.84' }),
  ]
  const rules = [96, 114, 206].map((y) => across(y, 45, 460))

  const [cells] = tablesIn(layout(words, rules))
  assert.ok(cells?.includes('7,3 1x1 91.92') && cells.includes('8,3 1x1 92.84'), String(cells))
})

test('a box with labels at its arrows is no table', () => {
  const words = [...lines(55, 104, ['Do you owe 1,000 or more', 'after withholding?']), ...line(240, 104, 'If no')]
  const box = [across(98, 50, 230), across(134, 50, 230), down(50, 98, 134), down(230, 98, 134)]
  const arrows = [across(117, 230, 290), down(140, 134, 160), across(98, 230, 290), across(160, 50, 140)]
  const sides = [down(290, 98, 117), down(50, 134, 160)]

  assert.deepEqual(tablesIn(layout([...words, ...line(60, 144, 'If yes')], [...box, ...arrows, ...sides])), [])
})

test('inner lists with the letter o as bullet are text columns side by side', () => {
  const items = (x: number, y: number, name: string): Word[] => [
    ...line(x, y, `• ${name} first item`),
    ...line(x + 60, y + 14, 'o'),
    ...line(x + 78, y + 14, 'This point is about', { is_bold: true }),
    ...lines(x + 78, y + 28, ['many things that', 'an inner list item', 'can have in it so', 'it goes on and on'], 14),
  ]
  const left = lines(
    50,
    100,
    Array.from({ length: 12 }, () => 'a line of the left text column that is long'),
    14,
  )

  const blocks = layout([...left, ...items(320, 100, 'Alpha'), ...items(320, 184, 'Beta')])

  assert.deepEqual(tablesIn(blocks), [])
  const read = texts(blocks).join('\n')
  assert.match(read, /list_item: This point is about/)
  assert.match(read, /many things that an inner list item can have in it/)
})

test('labels and values with colons below each other are fields, also in a filled panel', () => {
  const words = [
    ...rowAt(110, { 50: 'Date', 150: ':', 170: '02/11/2019' }),
    ...rowAt(126, { 50: 'Invoice', 150: ':', 170: '1160884830' }),
    ...rowAt(142, { 50: 'Account number', 150: ':', 170: '1.40660897' }),
    ...rowAt(158, { 50: 'Renewal', 150: ':', 170: 'none' }),
    ...rowAt(174, { 50: 'Line', 150: ':', 170: '06 99 12' }),
  ]
  const fills = [
    { x0: 20, y0: 20, x1: 45, y1: 300 },
    { x0: 45, y0: 100, x1: 300, y1: 190 },
  ]

  const blocks = layoutPage(words, { width: 600, height: 800, rules: [], fills })

  assert.deepEqual(texts(blocks), [
    'fields: Date: 02/11/2019\nInvoice: 1160884830\nAccount number: 1.40660897\nRenewal: none\nLine: 06 99 12',
  ])
})

test('a court caption with colons beside some lines only is no form', () => {
  const words = [
    ...rowAt(100, { 50: 'ANN LEE,', 250: ':', 280: 'No. 22-451' }),
    ...rowAt(116, { 80: 'Petitioner,', 250: ':' }),
    ...rowAt(132, { 50: 'v.', 250: ':' }),
    ...rowAt(148, { 50: 'GINA ROE,', 250: ':', 280: 'Argued' }),
  ]

  assert.ok(layout(words).every(({ type }) => type !== 'fields'))
})
