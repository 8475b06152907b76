import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutPage } from './layout.ts'
import { line } from './testing.ts'
import type { Box, Word } from './types.ts'

const PAGE = { width: 600, height: 800, rules: [] }
const shapes = (words: readonly Word[], more: { fills?: Box[] } = {}) =>
  layoutPage(words, { ...PAGE, ...more }).flatMap(({ table }) => (table ? [`${table.rows}x${table.columns}`] : []))
const rowsAt = (rows: readonly Record<number, string>[], own: Partial<Word> = {}): Word[] =>
  rows.flatMap((cells, row) => Object.entries(cells).flatMap(([x, text]) => line(Number(x), 100 + row * 16, text, own)))

test('named sections with their pages are contents, even with a wrong page and titles of parts', () => {
  const titles = ['Business', 'Risk Factors', 'Properties', 'Legal Proceedings', 'Controls', 'Executive Compensation']
  const pages = [3, 17, 28, 29, 118, 114, 119]
  const words = rowsAt([
    ...titles.map((title, index) => ({ 60: `Item ${index + 1}`, 130: title, 500: String(pages[index]) })),
    { 280: 'PART II' },
    { 130: 'Signatures', 500: '120' },
  ])

  assert.deepEqual(shapes(words), [])
})

test('named sections without pages are no table', () => {
  const words = rowsAt(
    ['Revolving Loans.', 'Evidence of Debt.', 'Guaranty.', 'Reinstatement.'].map((title, index) => ({
      60: `Section 2.${index + 1}`,
      200: title,
    })),
  )

  assert.deepEqual(shapes(words), [])
})

test('a ranking whose numbers go up is a table', () => {
  const words = rowsAt([
    { 60: 'Team', 200: 'Races', 300: 'Points' },
    ...['Alpha', 'Beta', 'Gamma', 'Delta'].map((name, index) => ({
      60: name,
      200: String(9 - index),
      300: String(20 + index * 7),
    })),
  ])

  assert.deepEqual(shapes(words), ['5x3'])
})

test('signs and their meanings are no table', () => {
  const words = rowsAt([
    { 60: ':', 90: 'denotes not available' },
    { 60: 'z', 90: 'denotes not applicable' },
    { 60: '0', 90: 'denotes nil' },
    { 60: 'u', 90: 'low reliability' },
  ])

  assert.deepEqual(shapes(words), [])
})

test('marks at the axis of a chart and the names of its series are no table', () => {
  const years = [2011, 2012, 2013, 2014].map((year, index) => [100 + index * 90, `${year}`] as const)
  const names = ['China', 'Japan', 'European Union 27', 'Others'].map(
    (name, index) => [100 + index * 90, name] as const,
  )
  const quarters = years.map(([x], index) => [x, `Q${index + 1}`] as const)
  const values = years.map(([x], index) => [x, `${index}1,240`] as const)

  assert.deepEqual(shapes(rowsAt([years, names].map(Object.fromEntries))), [])
  assert.deepEqual(shapes(rowsAt([quarters, years].map(Object.fromEntries))), [])
  assert.deepEqual(shapes(rowsAt([years, values, values].map(Object.fromEntries))), ['3x4'])
})

test('block characters are bullets', () => {
  const words = rowsAt(
    ['Text reuse by copy and paste', 'Enhanced search results', 'Access to content', 'High quality'].map((text) => ({
      60: '█',
      90: text,
    })),
  )

  assert.deepEqual(shapes(words), [])
})

test('names and roles in two columns are no table', () => {
  const words = rowsAt([
    { 60: 'Paul Foster', 250: 'Robert Flexon' },
    { 60: 'Chair - Director', 250: 'Director' },
    { 60: 'Bill Flores', 250: 'Thomas Gleeson' },
    { 60: 'Vice Chair', 250: 'Chair of Council' },
    { 60: 'Carlos Aguilar', 250: 'Peggy Heeg' },
  ])

  assert.deepEqual(shapes(words), [])
})

test('the caption of a figure is not a row of labels above it', () => {
  const words = rowsAt([
    { 200: 'M', 300: 'N' },
    { 200: 'M N', 300: 'Main Normal' },
    { 200: 'R', 300: 'Reverse' },
    { 60: 'Fig. 1.', 200: 'A simple railway', 300: 'junction' },
  ])

  assert.deepEqual(shapes(words), [])
})

test('marked words in lines of text are no table', () => {
  const spread = (words: Word[]): Word[] =>
    words.map((word, index) => ({ ...word, x0: word.x0 + index * 2, x1: word.x1 + index * 2 }))
  const words = [
    ...spread(line(60, 100, 'templates completed is a short comment')),
    ...spread(line(60, 114, 'attackers, commented above the line of text')),
  ]
  const fills = [98, 112].flatMap((y0) => [
    { x0: 59, y0, x1: 111, y1: y0 + 14 },
    { x0: 111, y0, x1: 162, y1: y0 + 14 },
  ])

  assert.deepEqual(shapes(words, { fills }), [])
})

test('two panels with a text each are no table', () => {
  const words = [
    ...line(70, 110, 'Board of Directors'),
    ...line(70, 124, 'Paul Foster'),
    ...line(330, 110, 'Executive Team'),
    ...line(70, 310, 'Connect with us'),
  ]
  const fills = [
    { x0: 50, y0: 90, x1: 300, y1: 290 },
    { x0: 300, y0: 90, x1: 550, y1: 290 },
    { x0: 50, y0: 290, x1: 550, y1: 400 },
  ]

  assert.deepEqual(shapes(words, { fills }), [])
})

test('code on colored areas is no table', () => {
  const code = ['def hash(path):', 'file = open(path)', 'hasher = md5()', 'return hasher.digest()']
  const words = (own: Partial<Word>) =>
    code.flatMap((text, row) => {
      const [first = '', ...rest] = text.split(' ')
      return [...line(60, 100 + row * 16, first, own), ...line(120, 100 + row * 16, rest.join(' '), own)]
    })
  const fills = [98, 114, 130, 146].flatMap((y0) => [
    { x0: 55, y0, x1: 115, y1: y0 + 16 },
    { x0: 115, y0, x1: 300, y1: y0 + 16 },
  ])

  assert.deepEqual(shapes(words({ is_mono: true }), { fills }), [])
  assert.deepEqual(shapes(words({}), { fills }), ['4x2'])
})
