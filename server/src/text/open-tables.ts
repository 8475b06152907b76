// Tables that go on over the end of a page: the part on the next page has no headers.

import type { Block, Table } from '@octavo/contract'
import { headersIn, looksHeaded } from './table-rows.ts'

/** The table that a page ends with. */
export interface OpenTable {
  headers: string[]
  /** Its sides, in parts of the page's width. */
  x0: number
  x1: number
}

/** In parts of the page's width. */
const SAME_SIDE = 0.02
const AROUND = new Set<string>(['header', 'footer', 'footnote'])
const CONTINUED = /\bcont(?:inued|\.|['’]d)|fortsetzung|\bsuite\b|continuación/i

const isContent = ({ type, text, is_running }: Block): boolean =>
  is_running !== true && text !== '' && !AROUND.has(type) && !(type === 'caption' && CONTINUED.test(text))

/** The index of the block that goes on with the table of the page before; -1 if there is none. */
export function findContinuation(blocks: readonly Block[], before: OpenTable | null): number {
  const index = blocks.findIndex(isContent)
  const block = blocks[index]
  return before && block?.table && goesOn(block, block.table, before) ? index : -1
}

function goesOn({ bbox }: Block, table: Table, { headers, x0, x1 }: OpenTable): boolean {
  const [left = -1, , right = -1] = bbox ?? []
  if (table.columns !== headers.length || looksHeaded(table)) return false
  return Math.abs(left - x0) < SAME_SIDE && Math.abs(right - x1) < SAME_SIDE
}

/** The table that ends a page, if it has headers or got them from the page before. */
export function findOpenTable(blocks: readonly Block[], before: OpenTable | null): OpenTable | null {
  const index = blocks.findLastIndex(isContent)
  const { table, bbox } = blocks[index] ?? {}
  const [x0, , x1] = bbox ?? []
  if (!table || x0 === undefined || x1 === undefined) return null
  const headers = index === findContinuation(blocks, before) ? (before?.headers ?? []) : headersIn(table)
  return headers.some((header) => header !== '') ? { headers, x0, x1 } : null
}
