// Sheets, read row by row → pages with tables. A page is a sheet, or a part of a long one.

import type { Block, Cell } from '@octavo/contract'
import { MAX_CELLS } from '@octavo/contract/block-limits'
import type { OpenFormat } from '../types.ts'
import { pageOf } from './flow.ts'
import { tableBlock } from './table.ts'

const PAGE_ROWS = 2_000
const PAGE_CHARACTERS = 500_000
const MAX_CELL_CHARACTERS = 32_767
/** More empty rows than this separate two tables. */
const MAX_EMPTY_ROWS = 20
/** Above this, columns without anything in them are left out. */
const MAX_LOOSE_COLUMNS = 256
/** A merged area counts as used up to here; some cover a whole row of a sheet. */
const MAX_COUNTED_SPAN = 50

export interface SheetCell {
  column: number
  row_span: number
  column_span: number
  text: string
}

export interface SheetRow {
  row: number
  cells: SheetCell[]
}

export interface Sheet {
  name: string
  is_hidden: boolean
  /** From the top, in order; only rows and cells with something in them. May be asked for again. */
  rows(): Generator<SheetRow, void>
  /** Spans that are known only after the rows were read once. */
  lateSpans?(): Iterable<{ column: number; column_span: number }>
  /** Content of the sheet other than its cells. */
  others(): Block[]
}

interface Part {
  sheet: Sheet
  /** Columns of the sheet → those of the table. */
  columnOf: (column: number) => number
  columns: number
  first_row: number
  last_row: number
  is_first: boolean
  is_last: boolean
}

export function openSheets(sheets: readonly Sheet[]): Pick<OpenFormat, 'page_count' | 'page'> {
  const parts = sheets.flatMap(planSheet)
  let reader: RowReader | null = null
  return {
    page_count: parts.length,
    page(number) {
      const part = parts[number - 1]
      if (!part) return pageOf([], null)
      const { sheet, first_row } = part
      if (!reader || reader.sheet !== sheet || !reader.isBefore(first_row)) reader = new RowReader(sheet)
      const tables = tablesOf(reader.read(first_row, part.last_row), part)
      const heading: Block[] = part.is_first && sheet.name ? [{ type: 'heading', level: 1, text: sheet.name }] : []
      const others = part.is_last ? sheet.others() : []
      const content = [...tables, ...others]
      const is_empty = content.every(({ type }) => type === 'header' || type === 'footer')
      const warnings = sheet.is_hidden && part.is_first ? ['This sheet is hidden in the file.'] : []
      return pageOf(is_empty ? [] : [...heading, ...content], null, warnings)
    },
  }
}

/** Pages are mostly asked for in order: rows are read on from where the last page ended. */
class RowReader {
  readonly sheet: Sheet
  readonly #rows: Generator<SheetRow, void>
  #next: SheetRow | null

  constructor(sheet: Sheet) {
    this.sheet = sheet
    this.#rows = sheet.rows()
    this.#next = this.#rows.next().value ?? null
  }
  isBefore(row: number): boolean {
    return this.#next !== null && this.#next.row <= row
  }
  *read(first: number, last: number): Generator<SheetRow, void> {
    while (this.#next && this.#next.row <= last) {
      const { row } = this.#next
      if (row >= first) yield this.#next
      this.#next = this.#rows.next().value ?? null
    }
  }
}

function planSheet(sheet: Sheet): Part[] {
  const rows: number[] = []
  const sizes: number[] = []
  const used = new Set<number>()
  for (const { row, cells } of sheet.rows()) {
    rows.push(row)
    sizes.push(cells.reduce((sum, { text }) => sum + Math.min(text.length, MAX_CELL_CHARACTERS), 0))
    for (const cell of cells) addUsed(used, cell)
  }
  for (const span of sheet.lateSpans?.() ?? []) if (used.has(span.column)) addUsed(used, span)
  const { columnOf, columns } = columnsOf(used)
  const base = { sheet, columnOf, columns }
  const starts = startsOf(rows, sizes, Math.max(1, Math.min(PAGE_ROWS, Math.floor(MAX_CELLS / Math.max(1, columns)))))
  return starts.map((first_row, i) => ({
    ...base,
    first_row,
    last_row: (starts[i + 1] ?? Number.POSITIVE_INFINITY) - 1,
    is_first: i === 0,
    is_last: i === starts.length - 1,
  }))
}

function addUsed(used: Set<number>, { column, column_span }: { column: number; column_span: number }): void {
  used.add(column)
  if (column_span <= MAX_COUNTED_SPAN) for (let at = 1; at < column_span; at++) used.add(column + at)
}

function startsOf(rows: readonly number[], sizes: readonly number[], most_rows: number): number[] {
  const starts = [rows[0] ?? 1]
  let [count, characters] = [0, 0]
  for (const [i, row] of rows.entries()) {
    const gap = i === 0 ? 1 : row - (rows[i - 1] ?? row)
    const own = gap > MAX_EMPTY_ROWS ? 1 : gap
    const size = sizes[i] ?? 0
    if (i > 0 && (count + own > most_rows || characters + size > PAGE_CHARACTERS)) {
      starts.push(row)
      count = 0
      characters = 0
    }
    count += count === 0 ? 1 : own
    characters += size
  }
  return starts
}

function columnsOf(used: ReadonlySet<number>): { columnOf: (column: number) => number; columns: number } {
  const sorted = [...used].sort((a, b) => a - b)
  const [first = 1] = sorted
  const width = (sorted.at(-1) ?? 0) - first + 1
  if (width <= MAX_LOOSE_COLUMNS) return { columnOf: (column) => column - first + 1, columns: Math.max(0, width) }
  const places = new Map(sorted.map((column, i) => [column, i + 1]))
  return { columnOf: (column) => places.get(column) ?? sorted.length + 1, columns: sorted.length }
}

function tablesOf(rows: Generator<SheetRow, void>, part: Part): Block[] {
  const blocks: Block[] = []
  let cells: Cell[] = []
  let [base, last, left] = [0, 0, PAGE_CHARACTERS]
  const flush = (): void => {
    const block = tableBlock(filled(cells, part.columns))
    if (block) blocks.push(block)
    cells = []
  }
  for (const { row, cells: own } of rows) {
    if (cells.length === 0 || row - last > MAX_EMPTY_ROWS) {
      flush()
      base = row - 1
    }
    last = row
    for (const cell of own) {
      const column = part.columnOf(cell.column)
      const text = cell.text.slice(0, Math.min(left, MAX_CELL_CHARACTERS)).trim()
      left -= text.length
      const column_span = Math.max(
        1,
        Math.min(part.columnOf(cell.column + cell.column_span - 1), part.columns) - column + 1,
      )
      cells.push({ row: row - base, column, row_span: Math.min(cell.row_span, MAX_COUNTED_SPAN), column_span, text })
    }
  }
  flush()
  return blocks
}

/** Places without anything get an empty cell, unless a span covers them; what a span covers is not shown. */
function filled(cells: readonly Cell[], columns: number): Cell[] {
  const result: Cell[] = []
  const rows = cells.reduce((most, { row }) => Math.max(most, row), 0)
  const taken = new Set<number>()
  for (const cell of cells) {
    if (taken.has(cell.row * (columns + 1) + cell.column)) continue
    const row_span = Math.min(cell.row_span, rows - cell.row + 1)
    result.push({ ...cell, row_span })
    for (let row = 0; row < row_span; row++)
      for (let column = 0; column < cell.column_span; column++)
        taken.add((cell.row + row) * (columns + 1) + cell.column + column)
  }
  for (let row = 1; row <= rows; row++)
    for (let column = 1; column <= columns; column++)
      if (!taken.has(row * (columns + 1) + column)) result.push({ row, column, row_span: 1, column_span: 1, text: '' })
  return result
}
