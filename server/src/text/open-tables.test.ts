import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOfTable } from '@octavo/base/blocks.ts'
import type { Block } from '@octavo/contract'
import { findContinuation, findOpenTable } from './open-tables.ts'

const BBOX = [0.1, 0.1, 0.9, 0.4]

function tableBlock(lines: string[][], bbox = BBOX): Block {
  const cells = lines.flatMap((line, row) =>
    line.map((text, column) => ({ row: row + 1, column: column + 1, row_span: 1, column_span: 1, text })),
  )
  const table = { rows: lines.length, columns: lines[0]?.length ?? 0, cells }
  return { type: 'table', text: textOfTable(table), table, bbox }
}
const HEAD = ['Town', 'People', 'Country']
const ROWS = [
  ['Oslo', '700', 'Norway'],
  ['Bergen', '280', 'Norway'],
]
const before = findOpenTable([tableBlock([HEAD, ...ROWS])], null)
const running: Block = { type: 'header', text: 'Towns', is_running: true }

test('a table at the top of a page goes on with the one above the end of the page before', () => {
  const next = [running, tableBlock(ROWS), { type: 'paragraph', text: 'The end.' } as const]

  assert.deepEqual(before?.headers, HEAD)
  assert.equal(findContinuation(next, before), 1)
  assert.equal(findOpenTable(next, before), null)
})

test('a table that fills a page passes its headers on', () => {
  const whole = [running, tableBlock(ROWS), { type: 'footer', text: '7' } as const]

  assert.deepEqual(findOpenTable(whole, before)?.headers, HEAD)
})

test('a table with headers, other columns or another place is a new one', () => {
  const others = [
    tableBlock([['City', 'Size', 'Land'], ...ROWS]),
    tableBlock(ROWS.map((row) => row.slice(1))),
    tableBlock(ROWS, [0.3, 0.1, 0.9, 0.4]),
  ]

  for (const block of others) assert.equal(findContinuation([block], before), -1)
  assert.equal(findContinuation([{ type: 'caption', text: 'Table 3. Rivers' }, tableBlock(ROWS)], before), -1)
  assert.equal(findContinuation([{ type: 'caption', text: 'Table 2 (continued)' }, tableBlock(ROWS)], before), 1)
})
