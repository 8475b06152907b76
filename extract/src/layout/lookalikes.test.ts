import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutPage } from './layout.ts'
import { isList } from './lookalikes.ts'
import { across, down, layout, line, lines, PROSE } from './testing.ts'
import type { Box, Word } from './types.ts'

const PAGE = { width: 600, height: 800, rules: [] }
const tables = (words: readonly Word[], rules: Parameters<typeof layout>[1] = []) =>
  layout(words, rules).flatMap(({ table }) => (table ? [`${table.rows}x${table.columns}`] : []))
const rowAt = (y: number, cells: Record<number, string>, own: Partial<Word> = {}): Word[] =>
  Object.entries(cells).flatMap(([x, text]) => line(Number(x), y, text, own))
/** Words with equal spaces from one edge to the other. */
function justified(y: number, text: string, [x0, x1]: [number, number]): Word[] {
  const words = line(0, y, text)
  const free = x1 - x0 - words.reduce((sum, word) => sum + word.x1 - word.x0, 0)
  let at = x0
  return words.map((word) => {
    const moved = { ...word, x0: at, x1: at + word.x1 - word.x0 }
    at = moved.x1 + free / (words.length - 1)
    return moved
  })
}
const box = (x0: number, y0: number, x1: number, y1: number): Box => ({ x0, y0, x1, y1 })

test('justified lines with wide spaces are no table', () => {
  const words = [
    ...justified(100, 'implemented or not implemented', [50, 230]),
    ...justified(113, 'normalized and not normalized', [50, 230]),
    ...justified(126, 'consequences or no consequences', [50, 230]),
  ]

  assert.deepEqual(tables(words), [])
})

test('a single space of a typewriter font does not separate columns', () => {
  const mono = { is_mono: true }
  const words = ['pip install pdfminer.six', 'pip install ghostscript camelot'].flatMap((text, index) => {
    let at = 50
    return text.split(' ').map((part) => {
      const word = {
        text: part,
        x0: at,
        x1: at + part.length * 6,
        y0: 100 + index * 13,
        y1: 110 + index * 13,
        size: 10,
      }
      at = word.x1 + 6
      return { ...word, ...mono }
    })
  })

  assert.deepEqual(tables(words), [])
})

test('a list of references is no table', () => {
  const words = [9, 10, 11, 12].flatMap((number, index) =>
    rowAt(100 + index * 14, { 50: `[${number}]`, 80: 'Matos T. and Magana J.', 260: '[astro-ph]' }),
  )

  assert.deepEqual(tables(words), [])
})

test('entries and pages of contents are no table', () => {
  const titles = ['Introduction', 'The scheme', 'The model', 'Accelerations', 'Conclusions']
  const words = titles.flatMap((title, index) =>
    rowAt(100 + index * 16, { ...(index < 3 && { 50: `${index + 1}.` }), 80: title, 450: String(index * 3 + 2) }),
  )

  assert.deepEqual(tables(words), [])
})

test('a formula with its number is no table', () => {
  const words = [
    ...rowAt(100, { 110: 'X1', 140: 'Y1' }),
    ...rowAt(114, { 60: 'Z =', 110: 'X2', 140: 'Y2', 450: '(8)' }),
  ]
  words.push(...rowAt(128, { 110: 'X3', 140: 'Y3' }))

  assert.deepEqual(tables(words), [])
})

test('names of authors side by side are no table', () => {
  const center = (x: number, y: number, text: string) => {
    const words = line(0, y, text)
    const half = (words.at(-1)?.x1 ?? 0) / 2
    return words.map((word) => ({ ...word, x0: word.x0 + x - half, x1: word.x1 + x - half }))
  }
  const words = ['Muhammad Atif', 'Department of Science', 'NUST, Pakistan', 'atif@example.com'].flatMap(
    (text, row) => [
      ...center(120, 100 + row * 13, text),
      ...center(300, 100 + row * 13, text.replace('Muhammad', 'Saeed')),
    ],
  )

  assert.deepEqual(tables(words), [])
})

test('long paragraphs beside each other are no table, whatever is beside them', () => {
  const text = Array.from({ length: 12 }, (_, index) => PROSE[index % PROSE.length] ?? '')
  const words = [
    ...lines(50, 100, text, 12),
    ...Array.from({ length: 12 }, (_, row) => rowAt(100 + row * 12, { 230: `AB${row}`, 280: 'gold particles' })).flat(),
  ]

  assert.deepEqual(tables(words), [])
})

test('labels of a diagram with curves are neither a table nor headings', () => {
  const words = [100, 130, 160].flatMap((y) => rowAt(y, { 60: 'Alpha', 160: 'Beta', 260: '12' }, { is_bold: true }))
  const drawings = [box(50, 95, 150, 170), box(150, 95, 250, 170), box(240, 90, 300, 175)]

  const read = (more: object) => layoutPage(words, { ...PAGE, ...more }).map(({ type }) => type)
  assert.ok(read({}).includes('table'))
  assert.ok(read({ drawings }).every((type) => type === 'paragraph'))
})

test('texts in boxes that do not touch are a diagram', () => {
  const places = [100, 130, 160].flatMap((y) => [60, 160, 260].map((x) => [x, y] as const))
  const words = places.flatMap(([x, y]) => line(x, y, 'Item 42'))
  const frames = places.map(([x, y]) => box(x - 5, y - 4, x + 45, y + 14))

  const read = (more: object) => layoutPage(words, { ...PAGE, ...more }).map(({ type }) => type)
  assert.deepEqual(read({}), ['table'])
  assert.ok(!read({ frames }).includes('table'))
})

test('labels above the caption of a figure are no table', () => {
  const words = [100, 130, 160].flatMap((y) => rowAt(y, { 60: 'Alpha', 160: '7.5', 260: '12' }))
  words.push(...line(60, 190, 'Figure 3: Growth of both groups'))
  const titled = [...words, ...line(60, 80, 'Table 2: Growth of both groups')]

  assert.deepEqual(tables(words), [])
  assert.deepEqual(tables(titled), ['3x3'])
})

test('lines below the sums of each column do not split a table', () => {
  const words = Array.from({ length: 6 }, (_, row) =>
    rowAt(100 + row * 14, {
      50: `Balance of ${2010 + row}`,
      250: '$',
      270: `${row}1,240`,
      330: '$',
      350: `${row}7,500`,
    }),
  ).flat()
  const rules = [126, 154, 182].flatMap((y) => [250, 330].map((x) => across(y, x - 4, x + 56)))

  assert.deepEqual(tables(words, rules), ['6x3'])
})

test('lines between columns that end short of the lines between rows belong to one table', () => {
  const words = Array.from({ length: 6 }, (_, row) =>
    rowAt(104 + row * 12 + Math.floor(row / 2) * 8, { 60: `TAPAS${row}`, 160: '81.4', 220: '80.9', 300: '79.2' }),
  ).flat()
  const rules = Array.from({ length: 4 }, (_, group) => across(98 + group * 32, 50, 400))
  for (let group = 0; group < 3; group++) rules.push(down(270, 101.7 + group * 32, 128 + group * 32))

  assert.deepEqual(tables(words, rules), ['6x4'])
})

test('numbered clauses of several lines each are a list', () => {
  const piece = (column: number, text: string) => ({ column, span: 1, words: line(50 + column * 50, 100, text) })
  const clause = (label: string) => [
    [piece(0, label), piece(1, 'I agree to the terms that')],
    [piece(1, 'are set out here and that')],
    [piece(1, 'the annex names')],
  ]

  assert.equal(isList(['1.', '2.', '3.', '4.'].flatMap(clause), 2), true)
  assert.equal(isList(['Rent', '2.', 'Term', 'Deposit'].flatMap(clause), 2), false)
})

test('centered lines of names are no table', () => {
  const centered = (y: number, gap: number, names: readonly string[]): Word[] => {
    const width = names.reduce((sum, name) => sum + name.length * 5 + gap, -gap)
    let at = 300 - width / 2
    return names.flatMap((name) => {
      const words = line(at, y, name)
      at += name.length * 5 + gap
      return words
    })
  }
  const words = [
    ...centered(100, 20, ['Jacob Morrison', 'Niklas Berg', 'Aakanksha Naik', 'Crystal Nam']),
    ...centered(116, 20, ['Matthew Peters', 'Abhilasha Rao', 'Kyle Richardson', 'Zejiang Shen']),
    ...centered(132, 40, ['Emma Strubell', 'Nishant Subramani', 'Pete Walsh']),
    ...centered(148, 40, ['Luke Zettlemoyer', 'Noah Smith', 'Jesse Dodge']),
    ...centered(164, 120, ['Kyle Lo', 'Iz Beltagy']),
  ]

  assert.deepEqual(tables(words), [])
})
