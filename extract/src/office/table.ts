// Cells with their spans → a table block.

import { textOfTable } from '@octavo/base/blocks.ts'
import type { Block, Cell } from '@octavo/contract'
import { MAX_CELLS } from '@octavo/contract/block-limits'

const MAX_COLUMNS = 16_384
const MAX_TEXT = 1_000_000

export const clipText = (text: string): string => (text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text)

/** A count that a file states: at least 1, and never so large that a loop over it would hurt. */
export function spanOf(value: string | undefined, most = MAX_COLUMNS): number {
  const count = Number.parseInt(value ?? '1', 10)
  return Number.isFinite(count) ? Math.min(Math.max(1, count), most) : 1
}

/** Rows and columns are counted from what the cells cover; spans end where the table does. */
export function tableBlock(cells: readonly Cell[], least_rows = 0): Block | null {
  if (cells.length === 0) return null
  let rows = least_rows
  let columns = 0
  for (const { row, column, column_span } of cells) {
    rows = Math.max(rows, row)
    columns = Math.max(columns, Math.min(MAX_COLUMNS, column + column_span - 1))
  }
  const kept = cells
    .filter(({ column }) => column <= columns)
    .slice(0, MAX_CELLS)
    .map((cell) => ({
      row: cell.row,
      column: cell.column,
      row_span: Math.min(cell.row_span, rows - cell.row + 1),
      column_span: Math.min(cell.column_span, columns - cell.column + 1),
      text: clipText(cell.text),
    }))
    .sort((a, b) => a.row - b.row || a.column - b.column)
  const table = { rows, columns, cells: kept }
  return { type: 'table', text: clipText(textOfTable(table)), table }
}
