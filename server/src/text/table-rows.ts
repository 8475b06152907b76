// Turns table rows into self-contained lines: "header: value; header: value".

import type { Cell, Table } from '@octavo/contract'

const MAX_HEADER_CHARACTERS = 100
const NUMBER = /^[-+−(]?\p{Sc}?\s?\d[\d.,'’\s]*(?:%|\p{Sc}|[A-Z]{3})?\)?$/u
const YEAR = /^(?:19|20)\d\d$/

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
const isFilled = ({ text }: Cell): boolean => text.trim() !== ''
const isValue = (text: string): boolean => NUMBER.test(text) && !YEAR.test(text)

const rowsOf = ({ cells }: Table): Map<number, Cell[]> => Map.groupBy(cells.filter(isFilled), ({ row }) => row)

/**
 * A line for each row; null for a header row, because the other lines repeat the headers. `given` are the headers of a
 * table that began on an earlier page.
 */
export function expandRows(table: Table, given: readonly string[] | null = null): (string | null)[] {
  const byRow = rowsOf(table)
  const head = given ? { first: 1, last: 0 } : headerRows(table, byRow)
  const headers = given ?? headersOf(table, byRow, head)
  return Array.from({ length: table.rows }, (_, index) => {
    if (index + 1 >= head.first && index + 1 <= head.last) return null
    const cells = byRow.get(index + 1) ?? []
    return index + 1 < head.first || cells.length === 1 ? joinCells(cells) : expandRow(cells, headers)
  })
}

/** One header per column; empty if the column has none. */
export function headersIn(table: Table): string[] {
  const byRow = rowsOf(table)
  return headersOf(table, byRow, headerRows(table, byRow))
}

const hasValues = (cells: readonly Cell[]): boolean =>
  cells.some(({ column, text }) => column > 1 && isValue(text.trim()))

/** Whether the first row has no values, but most others have some below it. */
export function looksHeaded(table: Table): boolean {
  const byRow = rowsOf(table)
  const [first = [], ...others] = Array.from({ length: table.rows }, (_, index) => byRow.get(index + 1) ?? [])
  return !hasValues(first) && others.filter(hasValues).length > others.length / 2
}

const joinCells = (cells: readonly Cell[]): string => cells.map(({ text }) => oneLine(text)).join('; ')

function expandRow(cells: readonly Cell[], headers: readonly string[]): string {
  // A table with two columns and no header contains labels and values.
  if (cells.length === 2 && headers.every((header) => header === ''))
    return cells.map(({ text }, i) => (i === 0 ? oneLine(text).replace(/\s*[:：]$/, '') : oneLine(text))).join(': ')
  return cells
    .map(({ column, text }) => {
      const header = headers[column - 1] ?? ''
      return header === '' ? oneLine(text) : `${header}: ${oneLine(text)}`
    })
    .join('; ')
}

/** The header rows, starting at 1; `last` is smaller than `first` if there are none. A title may be above them. */
function headerRows({ rows, columns }: Table, byRow: ReadonlyMap<number, Cell[]>): { first: number; last: number } {
  const last_title = columns > 1 ? rows - 1 : 0
  let first = 1
  while (first <= last_title && isTitle(byRow.get(first) ?? [])) first++
  const cells = byRow.get(first) ?? []
  const numbers = cells.filter(({ column, text }) => column > 1 && isValue(text.trim())).length
  const isData =
    cells.length === 0 ||
    isTitle(cells) ||
    first >= rows ||
    numbers * 2 >= cells.length ||
    isPairs(columns, byRow, first)
  if (isData) return { first, last: first - 1 }
  let last = first
  for (const { row_span } of cells) last = Math.max(last, first + row_span - 1)
  // A header that spans several columns has the names of these columns below it.
  if (last === first && cells.some(({ column_span }) => column_span > 1)) last++
  return { first, last: Math.min(last, rows - 1) }
}

/** Whether a row is empty or has only its first cell. */
const isTitle = (cells: readonly Cell[]): boolean =>
  cells.length === 0 || (cells.length === 1 && cells[0]?.column === 1)

/** Whether the first row is already a label and its value. */
function isPairs(columns: number, byRow: ReadonlyMap<number, Cell[]>, first: number): boolean {
  return columns === 2 && /[:：]$/.test(byRow.get(first)?.[0]?.text.trim() ?? '')
}

function headersOf(
  { columns }: Table,
  byRow: ReadonlyMap<number, Cell[]>,
  { first, last }: { first: number; last: number },
): string[] {
  return Array.from({ length: columns }, (_, index) => {
    const texts: string[] = []
    for (let row = first; row <= last; row++) {
      const cell = byRow
        .get(row)
        ?.find(({ column, column_span }) => column <= index + 1 && index + 1 < column + Math.max(1, column_span))
      const text = cell ? oneLine(cell.text).replace(/\s*[:：]$/, '') : ''
      if (text !== '' && !texts.includes(text)) texts.push(text)
    }
    return texts.join(' ').slice(0, MAX_HEADER_CHARACTERS)
  })
}
