// The text of a chunk with its tables written out: each row with its headers, below the table's caption. The header of a
// long table is in its first chunk only, and a row without it says little.

import { textFromBlocks, textOfTable } from '@octavo/base/blocks.ts'
import type { Block } from '@octavo/contract'
import { findContinuation, type OpenTable } from '../../text/open-tables.ts'
import { expandRows } from '../../text/table-rows.ts'

/** Positions are code points. */
export interface PlacedTable {
  start: number
  end: number
  caption: string
  rows: { start: number; end: number; expanded: string | null }[]
}

const MAX_EXPANDED = 4_000

interface PageBlocks {
  text: string
  blocks: readonly Block[] | null
  /** The table that the page before ends with. */
  open_table?: OpenTable | null
}

/** The tables of a page. None if its text is not that of its blocks. */
export function placeTables({ text, blocks, open_table = null }: PageBlocks): PlacedTable[] {
  if (!blocks?.some(({ table }) => table)) return []
  const derived = textFromBlocks(blocks)
  if (derived.text !== text) return []
  const continued = findContinuation(blocks, open_table)
  const tables: PlacedTable[] = []
  let [unit, point] = [0, 0]
  for (const [index, { table, text: own, caption = '' }] of blocks.entries()) {
    const span = derived.spans[index]
    if (!table || !span || own !== textOfTable(table)) continue
    point += countPoints(text.slice(unit, span.start))
    unit = span.start
    const headers = index === continued ? (open_table?.headers ?? null) : null
    tables.push(placeRows(own, { start: point, caption, expanded: expandRows(table, headers) }))
  }
  return tables
}

const countPoints = (text: string): number => [...text].length

function placeRows(
  text: string,
  { start, caption, expanded }: { start: number; caption: string; expanded: readonly (string | null)[] },
): PlacedTable {
  let at = start
  const rows = text.split('\n').map((line, index) => {
    const row = { start: at, end: at + countPoints(line), expanded: expanded[index] ?? null }
    at = row.end + 1
    return row
  })
  return { start, end: at - 1, caption, rows }
}

/** `points`: the characters of the page. null: the chunk has no table. */
export function expandChunk(
  points: readonly string[],
  tables: readonly PlacedTable[],
  chunk: { start: number; end: number },
): string | null {
  const own = tables.filter(({ start, end }) => start < chunk.end && chunk.start < end)
  if (own.length === 0) return null
  const plain = points.slice(chunk.start, chunk.end).join('')
  const parts: string[] = []
  let at = chunk.start
  for (const table of own) {
    const before = points.slice(at, Math.max(at, table.start)).join('').trim()
    if (before !== '') parts.push(before)
    parts.push(expandTable(points, table, { ...chunk, plain }))
    at = Math.min(table.end, chunk.end)
  }
  const rest = points.slice(at, chunk.end).join('').trim()
  if (rest !== '') parts.push(rest)
  const text = [...parts.join('\n\n')].slice(0, MAX_EXPANDED).join('')
  return text === plain ? null : text
}

function expandTable(
  points: readonly string[],
  { caption, rows }: PlacedTable,
  { start, end, plain }: { start: number; end: number; plain: string },
): string {
  const own = rows.filter((row) => row.start < end && start < row.end)
  const hasData = own.some(({ expanded }) => expanded !== null)
  const lines = own.flatMap((row) => {
    const isWhole = row.start >= start && row.end <= end
    if (!isWhole || !hasData) return [points.slice(Math.max(row.start, start), Math.min(row.end, end)).join('')]
    return row.expanded ? [row.expanded] : []
  })
  return (caption === '' || plain.includes(caption) ? lines : [caption, ...lines]).join('\n')
}
