// Rows of RTF, whose cells say only where they end → cells with spans.

import type { Block, Cell } from '@octavo/contract'
import { tableBlock } from './table.ts'

export interface CellEdge {
  right: number
  joins_left: boolean
  joins_above: boolean
}

export interface RtfRow {
  left: number
  edges: CellEdge[]
  texts: string[]
}

/** Programs round differently from row to row, in twentieths of a point. */
const SAME = 30
const MAX_PLACES = 1_000

export function rtfTable(rows: readonly RtfRow[]): Block | null {
  const places = placesOf(rows)
  const columnAt = (place: number): number => {
    const found = places.findIndex((one) => Math.abs(one - place) <= SAME)
    return found < 0 ? places.length : found
  }
  const cells: Cell[] = []
  let above = new Map<number, Cell>()
  for (const [index, { left, edges, texts }] of rows.entries()) {
    const below = new Map<number, Cell>()
    let last: Cell | null = null
    let column = Math.max(0, columnAt(left)) + 1
    for (const [i, text] of texts.entries()) {
      const edge = edges[i]
      const end = edge ? Math.max(column, columnAt(edge.right)) : column
      const span = end - column + 1
      const upper: Cell | undefined = edge?.joins_above ? above.get(column) : undefined
      if (upper) {
        upper.row_span += 1
        below.set(column, upper)
      } else if (edge?.joins_left && last) last.column_span += span
      else {
        last = { row: index + 1, column, row_span: 1, column_span: span, text: text.trim() }
        cells.push(last)
        below.set(column, last)
      }
      column = end + 1
    }
    above = below
  }
  return tableBlock(cells, rows.length)
}

function placesOf(rows: readonly RtfRow[]): number[] {
  const all = [...new Set(rows.flatMap(({ left, edges }) => [left, ...edges.map(({ right }) => right)]))].sort(
    (a, b) => a - b,
  )
  const places: number[] = []
  for (const place of all.slice(0, MAX_PLACES))
    if (places.length === 0 || place - (places.at(-1) ?? 0) > SAME) places.push(place)
  return places
}
