// Tables of HTML pages: rows and cells with spans, or mere layout.

import type { Cell, Table } from '@octavo/contract'
import {
  childrenOf,
  type Element,
  elementsWithin,
  findAttribute,
  isElement,
  isHidden,
  oneLine,
  textWithin,
} from './html-tree.ts'

const MAX_COLUMNS = 1_000
/** Limit per cell: a page may claim that a cell spans a billion rows. */
const MAX_ROW_SPAN = 10_000
const MAX_CELLS = 100_000

/** Web pages and email use tables for layout; such tables are ignored, and their cells are read as text. */
export function isLayout(table: Element): boolean {
  const role = findAttribute(table, 'role')
  if (role === 'presentation' || role === 'none') return true
  return elementsWithin(table, new Set(['table']), (element) => element.tagName === 'table').length > 0
}

export function tableOf(table: Element): { table: Table; caption: string } {
  const rows = elementsWithin(
    table,
    new Set(['tr']),
    (element) => element.tagName === 'tr' || element.tagName === 'table',
  )
  const [caption] = elementsWithin(table, new Set(['caption']), (element) => element.tagName === 'tr')
  return { table: place(rows.filter((row) => !isHidden(row))), caption: caption ? oneLine(textWithin(caption)) : '' }
}

function place(rows: readonly Element[]): Table {
  const cells: Cell[] = []
  /** By column: the last row that a cell from above covers. */
  const covered: number[] = []
  let columns = 0
  for (const [index, row] of rows.entries()) {
    let column = 1
    for (const element of childrenOf(row)) {
      if (!isElement(element) || (element.tagName !== 'td' && element.tagName !== 'th')) continue
      while ((covered[column] ?? 0) > index) column++
      if (column > MAX_COLUMNS || cells.length >= MAX_CELLS) break
      const column_span = Math.min(spanOf(element, 'colspan'), MAX_COLUMNS - column + 1)
      const row_span = Math.min(spanOf(element, 'rowspan'), rows.length - index, MAX_ROW_SPAN)
      cells.push({ row: index + 1, column, row_span, column_span, text: cellText(element) })
      for (let c = column; c < column + column_span; c++) covered[c] = index + row_span
      column += column_span
      columns = Math.max(columns, column - 1)
    }
  }
  return { rows: rows.length, columns, cells }
}

const cellText = (element: Element): string =>
  textWithin(element)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim()

function spanOf(element: Element, name: string): number {
  const span = Number.parseInt(findAttribute(element, name) ?? '1', 10)
  if (name === 'rowspan' && span === 0) return MAX_ROW_SPAN
  return span >= 1 ? span : 1
}
