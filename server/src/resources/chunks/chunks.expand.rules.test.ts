import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textFromBlocks, textOfTable } from '@octavo/base/blocks.ts'
import type { Block } from '@octavo/contract'
import { expandChunk, placeTables } from './chunks.expand.rules.ts'
import { chunkPage } from './chunks.rules.ts'

function tableBlock(lines: string[][], caption?: string): Block {
  const cells = lines.flatMap((line, r) =>
    line.map((text, c) => ({ row: r + 1, column: c + 1, row_span: 1, column_span: 1, text })),
  )
  const table = { rows: lines.length, columns: lines[0]?.length ?? 0, cells }
  return { type: 'table', text: textOfTable(table), table, ...(caption !== undefined && { caption }) }
}

function expandAll(blocks: Block[]) {
  const { text } = textFromBlocks(blocks)
  const tables = placeTables({ text, blocks })
  const points = [...text]
  return chunkPage({ text, blocks, tables }, []).chunks.map((chunk) => ({
    text: points.slice(chunk.start, chunk.end).join(''),
    expanded: expandChunk(points, tables, chunk),
  }))
}

test('a chunk repeats the headers in each row of its table', () => {
  const [chunk] = expandAll([
    { type: 'paragraph', text: 'Sales 😀 by region.' },
    tableBlock([
      ['Region', 'Sales'],
      ['North', '12'],
      ['South', '7'],
    ]),
    { type: 'paragraph', text: 'All in euros.' },
  ])

  assert.equal(
    chunk?.expanded,
    'Sales 😀 by region.\n\nRegion: North; Sales: 12\nRegion: South; Sales: 7\n\nAll in euros.',
  )
})

test('splits a long table between rows and gives each part the caption and headers', () => {
  const rows = Array.from({ length: 90 }, (_, i) => [`Inc. no. ${i} of the group`, `${i * 31}`])
  const caption: Block = { type: 'caption', text: 'Table 1. Firms' }

  const chunks = expandAll([caption, tableBlock([['Firm', 'Sales'], ...rows], 'Table 1. Firms')])

  assert.ok(chunks.length >= 3)
  for (const { text, expanded } of chunks) {
    assert.match(text.split('\n').at(-1) ?? '', /^Inc\. no\. \d+ of the group\t\d+$/)
    assert.match(expanded ?? '', /^Table 1\. Firms\n+Firm: Inc\. no\. \d+ of the group; Sales: \d+\n/)
  }
})

test('does not expand a chunk without a table or a page whose text was corrected', () => {
  const table = tableBlock([
    ['A', 'B'],
    ['1', '2'],
  ])

  assert.deepEqual(
    expandAll([{ type: 'paragraph', text: 'Text.' }]).map(({ expanded }) => expanded),
    [null],
  )
  assert.deepEqual(placeTables({ text: 'Corrected.', blocks: [table] }), [])
})
