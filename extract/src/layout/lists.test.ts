import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layout, line, lines } from './testing.ts'
import type { Word } from './types.ts'

const tables = (words: readonly Word[]) =>
  layout(words).flatMap(({ table }) => (table ? [`${table.rows}x${table.columns}`] : []))
const rowAt = (y: number, cells: Record<number, string>): Word[] =>
  Object.entries(cells).flatMap(([x, text]) => line(Number(x), y, text))

test('numbers of lines below the number of a bill are no text', () => {
  const bill = Array.from({ length: 14 }, () => 'the department sends a notice to both parents of it')
  const words = [
    ...line(60, 40, 'LB704'),
    ...line(60, 54, '2025'),
    ...bill.flatMap((text, index) => [
      ...line(70 - (index < 9 ? 0 : 5), 80 + index * 24, String(index + 1)),
      ...line(100, 80 + index * 24, text),
    ]),
  ]

  const read = layout(words).map(({ text }) => text)
  assert.deepEqual(tables(words), [])
  assert.ok(
    read.every((text) => !/\b\d{1,2} the\b/.test(text)),
    read.join(' / '),
  )
})

test('bullets in two columns are a list', () => {
  const words = [
    ...rowAt(100, { 50: '* Project management', 250: '« Creative design' }),
    ...rowAt(120, { 50: '* Strong decision maker', 250: '« Innovative' }),
    ...rowAt(140, { 50: '* Complex problem solver', 250: '« Service focused' }),
    ...rowAt(160, { 50: '* Public speaker', 250: '« Patient' }),
    ...rowAt(180, { 50: '* Writer', 250: '« Team player' }),
  ]

  assert.deepEqual(tables(words), [])
})

test('empty boxes before statements are a list', () => {
  const words = [
    ...rowAt(100, { 50: '☐', 75: 'Written communications under Rule 425' }),
    ...rowAt(120, { 50: '☐', 75: 'Soliciting material under Rule 14a-12' }),
    ...rowAt(140, { 50: '☐', 75: 'Communications before the offer under Rule 13e-4' }),
  ]

  assert.deepEqual(tables(words), [])
})

test('a clause whose first line is justified is no table', () => {
  const words = [
    ...rowAt(100, { 50: '6.4.4', 110: 'Determination of goals' }).map((word) => ({ ...word, is_bold: true })),
    ...rowAt(114, {
      50: '6.4.4.1',
      110: 'A goal is determined',
      230: 'for each',
      290: 'hazardous',
      355: 'event',
      400: 'of',
      430: 'it',
    }),
    ...lines(50, 133, ['analysis and assessment of the risk that it has in the item']),
  ]

  assert.deepEqual(tables(words), [])
})

test('the axes of a chart are no table', () => {
  const years = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [60 + index * 50, String(2020 + index)]))
  const words = [
    ...rowAt(100, { 60: '1,000', 410: '10%' }),
    ...rowAt(120, { 60: '500' }),
    ...rowAt(140, { 60: '0', 410: '0%' }),
    ...rowAt(160, years),
  ]

  assert.deepEqual(tables(words), [])
})

test('an item whose first line is bold goes on below it, and a paragraph below a bold item does not', () => {
  const bold = { is_bold: true }
  const words = [
    ...line(50, 100, '• Real-Time Execution:', bold),
    ...lines(62, 113, ['it is designed for timely', 'and predictable responses']),
    ...line(50, 145, '• Enhanced Problem Solving:', bold),
    ...lines(50, 158, ['This paragraph is below the list', 'and has a line of text more']),
  ]

  assert.deepEqual(
    layout(words).map(({ type, text }) => `${type}: ${text}`),
    [
      'list_item: Real-Time Execution: it is designed for timely and predictable responses',
      'list_item: Enhanced Problem Solving:',
      'paragraph: This paragraph is below the list and has a line of text more',
    ],
  )
})
