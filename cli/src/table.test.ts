import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CliColumn, tabLine, tableLines } from './table.ts'
import { widthOf } from './width.ts'

const columns: CliColumn[] = [
  { title: 'FILE', shrinks_to: 12, tail: 4 },
  { title: 'PAGES', is_right: true },
  { title: 'DOCUMENT' },
]

test('aligns columns that contain wide characters', () => {
  const lines = tableLines(
    columns,
    [
      ['lease.pdf', '3', 'doc_1'],
      ['売上.pdf', '12', 'doc_2'],
    ],
    80,
  )

  assert.deepEqual(lines, ['FILE       PAGES  DOCUMENT', 'lease.pdf      3  doc_1', '売上.pdf      12  doc_2'])
})

test('a narrow terminal truncates the name, not the id', () => {
  const id = 'doc_01h455vb4pex5vsknk084sn02q'
  const rows = [['a name that is far too long for any line of any terminal, draft 3.pdf', '3', id]]

  for (const width of [52, 60, 80, 120]) {
    const lines = tableLines(columns, rows, width)
    assert.ok(lines.every((line) => widthOf(line) <= width))
    assert.ok(lines[1]!.endsWith(id))
    assert.match(lines[1]!, width < 120 ? /….pdf {2}/ : /draft 3\.pdf {2}/)
  }
})

test('a tab-separated line contains no other tabs or line breaks', () => {
  assert.equal(tabLine(['a\tb', 'c\nd', '']), 'a b\tc d\t')
})
