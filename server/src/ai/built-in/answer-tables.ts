// Cells of a table → values with the head of their column and the name of their row.

import type { Table } from '@octavo/contract'
import { type FoundValue, lineFieldsIn, MAX_LABEL, SIGNATURE } from './answer-fields.ts'
import type { Span } from './positions.ts'

/** Longer cells are text, not values. */
const MAX_VALUE = 80

interface PlacedCell extends Span {
  row: number
  column: number
  text: string
}

/** The text of a table is a line for each row with tabs between cells (base/src/blocks.ts). */
function placeCells(table: Table, text: string): PlacedCell[] {
  const lines = text.split('\n')
  const byRow = Map.groupBy(table.cells, ({ row }) => row)
  const placed: PlacedCell[] = []
  let at = 0
  for (const [i, line] of lines.entries()) {
    const parts = line.split('\t')
    const cells = byRow.get(i + 1) ?? []
    let start = at
    for (const [j, part] of parts.entries()) {
      const cell = cells[j]
      // A cell with only a currency sign is no value.
      if (cell && part !== '' && !/^[\p{Sc}\s–-]*\p{Sc}[\p{Sc}\s–-]*$/u.test(part))
        placed.push({ row: cell.row, column: cell.column, text: part, start, end: start + part.length })
      start += part.length + 1
    }
    at += line.length + 1
  }
  return placed
}

/** `text`: of the table's block. Places are in its UTF-16 units. */
export function cellsOf(table: Table, text: string): FoundValue[] {
  const cells = placeCells(table, text)
  const rows = Map.groupBy(cells, ({ row }) => row)
  const inner = headsBelow(rows)
  const headOf = headsOf(table, inner)
  const hasHeads = hasNumericColumns(cells) || isRowOfHeads(rows.get(1) ?? [], rows.size)
  const isHead = ({ row }: PlacedCell): boolean => inner.includes(row) || (hasHeads && row === 1)
  const found: FoundValue[] = []
  const title = bandRows(rows, rows.size) === 0 ? [] : (rows.get(1) ?? []).map(({ text: part }) => part)
  for (const cell of cells) {
    for (const field of NUMBERED.test(cell.text) ? [] : lineFieldsIn(cell.text))
      found.push({ ...field, start: cell.start + field.start, end: cell.start + field.end })
    if (cell.text.length > MAX_VALUE || /[:：]$/.test(cell.text) || isHead(cell) || isLegend(cell.text)) continue
    found.push(...valuesOf(cell, { cells, rows, head: headOf(cell), title }))
  }
  return found
}

interface Surroundings {
  cells: readonly PlacedCell[]
  rows: ReadonlyMap<number, readonly PlacedCell[]>
  head: string
  /** The first row, if it is only a title. */
  title: readonly string[]
}

/** A cell with each of its labels. */
function valuesOf(cell: PlacedCell, { cells, rows, head, title }: Surroundings): FoundValue[] {
  const row = rows.get(cell.row) ?? []
  const left = row.filter(({ column }) => column < cell.column).at(-1)
  const names = rowNames(row, cells).filter((name) => name !== cell)
  const near = [...row.flatMap((other) => (other === cell ? [] : [other.text])), ...title].join(' ')
  const name = names.map((one) => one.text).join(' ')
  const rivals = cells.flatMap((other) =>
    other.row > 1 && other.row !== cell.row && other === rows.get(other.row)?.[0] && !PROSE.test(other.text)
      ? [other.text]
      : [],
  )
  const { start, end, text } = cell
  const numbers = NUMBER_HEAD.test(head)
    ? cells.filter(
        (other) =>
          other.row <= 2 && other.row < cell.row && other.column !== cell.column && NUMBER_HEAD.test(other.text),
      )
    : []
  const unique = row.filter((other) => other !== cell && isName(other.text) && isUnique(other, cells))
  const base = {
    kind: 'cell' as const,
    text,
    start,
    end,
    near,
    head,
    row: name,
    rivals: [...rivals, ...numbers.map((one) => one.text)].join(' '),
    names: unique.map((one) => one.text),
  }
  const found: FoundValue[] = []
  const legend = rows.get(cell.row + 1)?.find((below) => below.column === cell.column && isLegend(below.text))
  if (legend) found.push({ ...base, label: legend.text.slice(1, -1), head: '', row: '' })
  // The label beside it, as in a form; or the head of its column with the name of its row.
  const isLabel = left && left.text.length <= MAX_LABEL && /\p{L}/u.test(left.text) && !legend
  if (isLabel) found.push({ ...base, label: SIGNATURE.test(text) ? 'Signed by' : left.text, near: `${near} ${head}` })
  if (head && cell.row > 1)
    for (const one of names.length > 0 ? names : [undefined])
      found.push({ ...base, label: `${head} ${one?.text ?? ''}`.trim() })
  else if (!isLabel && !legend && name && /\p{Sc}/u.test(text)) found.push({ ...base, label: name })
  return found
}

/** "(Commission File Number)" below its value, as on the cover of a report. */
const isLegend = (text: string): boolean => /^\(\p{L}[^()]{3,}\)$/u.test(text)

const MIN_INNER_HEADS = 3
/** "Item 2" is a name, not a label with a value. */
const NUMBERED = /^\p{L}+ \d$/u
/** A column for each year or each train. */
const NUMBER_HEAD = /^\D{0,3}\d{2,6}\D{0,3}$/u
/** Two sentences, as in the notes below the items of a bill. */
const PROSE = /\p{L}{2}[.!?]\s+\p{Lu}/u
const isNumber = (text: string): boolean => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text)

/** Rows of heads below other rows: words above numbers in several columns, as where a form is above the items of a bill. */
function headsBelow(rows: ReadonlyMap<number, readonly PlacedCell[]>): number[] {
  return [...rows].flatMap(([row, cells]) => {
    const below = rows.get(row + 1) ?? []
    const numbers = cells.filter(({ column }) => isNumber(below.find((other) => other.column === column)?.text ?? ''))
    const isWords = cells.every(({ text }) => !/[\d:：]/.test(text))
    const hasValues = [...rows].some(([other, own]) => other < row && own.some(({ text }) => isNumber(text)))
    return cells.length >= MIN_INNER_HEADS && isWords && numbers.length >= 2 && hasValues ? [row] : []
  })
}

/** The first cell names its row. If it is a number, so does the first cell of words, unless other rows have it too. */
function rowNames(row: readonly PlacedCell[], cells: readonly PlacedCell[]): PlacedCell[] {
  const [first] = row
  if (!first || /\p{L}{2}/u.test(first.text)) return row.slice(0, 1)
  const words = row.find(({ text }) => isName(text))
  return words && isUnique(words, cells) ? [first, words] : [first]
}

const isName = (text: string): boolean => /\p{L}{3}/u.test(text) && !/\d/.test(text)
const isUnique = (one: PlacedCell, cells: readonly PlacedCell[]): boolean =>
  cells.every((cell) => cell === one || cell.text !== one.text)

/** The texts above a cell in the rows of heads: the first row, and those below it while they hold no number. */
function headsOf({ cells, rows }: Table, inner: readonly number[]): (cell: PlacedCell) => string {
  const byRow = Map.groupBy(cells, ({ row }) => row)
  const band = bandRows(byRow, rows)
  let heads = band + 1
  while (
    heads < Math.min(3, rows - 1) &&
    (byRow.get(heads + 1) ?? []).every(({ text }) => !/\d/.test(text) || /^\D*(?:19|20)\d\d\D*$/.test(text))
  )
    heads++
  return ({ row, column }) => {
    const nearest = inner.findLast((head) => head < row)
    return cells
      .filter(
        (cell) =>
          (nearest === undefined ? band < cell.row && cell.row <= heads && cell.row < row : cell.row === nearest) &&
          cell.column <= column &&
          column < cell.column + Math.max(1, cell.column_span),
      )
      .map(({ text }) => text.trim())
      .filter(Boolean)
      .join(' ')
  }
}

const MAX_BAND_CELLS = 2
const MIN_TITLE = 30

/** 1 if the first row is only the title of the table. Short texts, or several long ones, are heads of several columns. */
function bandRows(byRow: ReadonlyMap<number, readonly { text: string }[]>, rows: number): number {
  const filled = (row: number): string[] =>
    (byRow.get(row) ?? []).flatMap(({ text }) => (text.trim() === '' ? [] : [text.trim()]))
  const [first, second] = [filled(1), filled(2)]
  const long = first.filter((text) => text.length >= MIN_TITLE)
  const isTitle = first.length <= MAX_BAND_CELLS && long.length === 1 && !/\d/.test(long.join())
  return rows > 2 && isTitle && second.length > 2 * MAX_BAND_CELLS ? 1 : 0
}

const MIN_HEADS = 5
/** Five or more cells without a number or a colon: a form has labels and values in turn. */
const isRowOfHeads = (row: readonly PlacedCell[], rows: number): boolean =>
  rows > 1 && row.length >= MIN_HEADS && row.every(({ text }) => !/[\d:：]/.test(text))

const NUMERIC_SHARE = 0.6

/** Two adjacent columns of numbers under a first row of words: a table of data, not a form of labels and values. */
function hasNumericColumns(cells: readonly PlacedCell[]): boolean {
  const columns = Map.groupBy(cells, ({ column }) => column)
  const isNumeric = (column: number): boolean => {
    const [first, ...body] = columns.get(column) ?? []
    return (
      first?.row === 1 &&
      !/\d/.test(first.text) &&
      body.length >= 2 &&
      body.filter(({ text }) => /\d/.test(text)).length >= NUMERIC_SHARE * body.length
    )
  }
  return [...columns.keys()].some((column) => isNumeric(column) && isNumeric(column + 1))
}
