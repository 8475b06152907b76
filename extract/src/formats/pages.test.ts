import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block, Cell } from '@octavo/contract'
import { PAGE_CHARACTERS, paginate, tableBlock } from './pages.ts'

const paragraph = (length: number): Block => ({ type: 'paragraph', text: 'x'.repeat(length) })
const heading: Block = { type: 'heading', level: 1, text: 'Heading' }
const sizes = (pages: Block[][]) => pages.map((page) => page.length)

test('breaks pages before a block that does not fit and at each break', () => {
  assert.deepEqual(sizes(paginate([])), [])
  assert.deepEqual(sizes(paginate([paragraph(9000), paragraph(9000), paragraph(9000)])), [2, 1])
  assert.deepEqual(sizes(paginate([paragraph(1), paragraph(1), paragraph(1)], new Set([0, 1, 3]))), [1, 2])
})

test('keeps a heading with the block after it, unless it is alone', () => {
  assert.deepEqual(sizes(paginate([paragraph(15_000), heading, paragraph(9000)])), [1, 2])
  assert.deepEqual(sizes(paginate([paragraph(9000), heading], new Set([1]))), [1, 1])
  assert.deepEqual(sizes(paginate(Array.from({ length: 5000 }, () => heading))), [2000, 2000, 1000])
})

test('splits a large table between rows that no cell spans', () => {
  const cells: Cell[] = Array.from({ length: 100 }, (_, index) => [
    {
      row: index + 1,
      column: 1,
      row_span: index % 2 === 0 ? 2 : 1,
      column_span: 1,
      text: index % 2 === 0 ? 'y'.repeat(300) : '',
    },
    { row: index + 1, column: 2, row_span: 1, column_span: 1, text: 'z'.repeat(700) },
  ])
    .flat()
    .filter(({ text }) => text !== '')

  const pages = paginate([tableBlock({ rows: 100, columns: 2, cells })])

  const tables = pages.flat().map(({ table }) => table)
  assert.equal(pages.length, 5)
  assert.ok(pages.flat().every(({ text }) => text.length <= PAGE_CHARACTERS + 1000))
  assert.ok(tables.every((table) => table && table.rows % 2 === 0 && table.cells[0]?.row === 1 && table.columns === 2))
  assert.equal(
    tables.reduce((sum, table) => sum + (table?.rows ?? 0), 0),
    100,
  )
  assert.equal(
    tables.reduce((sum, table) => sum + (table?.cells.length ?? 0), 0),
    cells.length,
  )
})
