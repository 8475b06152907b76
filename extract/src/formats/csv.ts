// Comma-separated and tab-separated values: one long table, some rows a page. Rows are parsed when their page is asked for.

import type { Cell } from '@octavo/contract'
import { decodeText } from '../decode.ts'
import type { Format, ParsedPage } from '../types.ts'
import { tableBlock } from './pages.ts'

const PAGE_ROWS = 500
/** Limits the rows times columns of a page, and the cells of one row: a longer row continues in the next row. */
const PAGE_CELLS = 20_000
const PAGE_CHARACTERS = 500_000
/** A header is shown again on each page; a wide one would be most of the page. */
const MAX_HEADER_CELLS = 500
const DELIMITERS = [',', ';', '\t', '|'] as const

export const csv: Format = {
  name: 'csv',
  media_types: ['text/csv', 'text/tab-separated-values'],
  open(bytes, { media_type }) {
    const whole = decodeText(bytes)
    const delimiter = media_type === 'text/tab-separated-values' ? '\t' : guessDelimiter(whole)
    const { starts, is_wrapped } = planPages(whole, delimiter)
    const first = parsePage(whole, 0, delimiter).rows[0] ?? []
    const header = isHeader(first) ? first : null
    return {
      title: null,
      warnings: is_wrapped ? [`Rows with more than ${PAGE_CELLS} cells continue in the following rows.`] : [],
      page_count: starts.length,
      page: (number) => {
        const { rows } = parsePage(whole, starts[number - 1] ?? whole.length, delimiter)
        return pageOf(header && number > 1 ? [header, ...rows] : rows)
      },
    }
  },
}

/** The one that gives the same number of columns, over one, in the most of the first rows. */
export function guessDelimiter(whole: string): string {
  let [best, best_score]: [string, number] = [',', 0]
  for (const delimiter of DELIMITERS) {
    const widths = parseRows(whole.slice(0, 20_000), 0, delimiter, 20).rows.map((row) => row.length)
    const usual = mostFrequent(widths.filter((width) => width > 1))
    const score = widths.filter((width) => width === usual && width > 1).length / Math.max(1, widths.length)
    if (score > best_score) [best, best_score] = [delimiter, score]
  }
  return best
}

function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  return [...counts].reduce((most, pair) => (pair[1] > most[1] ? pair : most), [0, 0])[0]
}

const isHeader = (row: readonly string[]): boolean =>
  row.length > 1 && row.length <= MAX_HEADER_CELLS && row.every((cell) => /\p{L}/u.test(cell) && cell.length <= 100)

/** Empty lines are no rows. */
export function parseRows(whole: string, start: number, delimiter: string, count: number): { rows: string[][] } {
  const rows: string[][] = []
  for (let at = start; at < whole.length && rows.length < count; ) {
    const { row, end } = parseRow(whole, at, delimiter)
    if (isRow(row)) rows.push(row)
    at = end
  }
  return { rows }
}

const isRow = (row: readonly string[]): boolean => row.length > 1 || (row[0] ?? '').trim() !== ''

/** `end` is where the next row begins. */
function parseRow(
  whole: string,
  start: number,
  delimiter: string,
): { row: string[]; end: number; is_wrapped: boolean } {
  const row: string[] = []
  let at = start
  for (;;) {
    const { value, end } = whole[at] === '"' ? quotedCell(whole, at, delimiter) : plainCell(whole, at, delimiter)
    row.push(value)
    at = end + 1
    const is_row_open = end < whole.length && whole[end] === delimiter
    if (!is_row_open || row.length === PAGE_CELLS)
      return { row, end: Math.min(at, whole.length), is_wrapped: is_row_open }
  }
}

/** As many rows as fit on a page, and at least one. */
function parsePage(
  whole: string,
  start: number,
  delimiter: string,
): { rows: string[][]; end: number; is_wrapped: boolean } {
  const rows: string[][] = []
  let [at, columns, is_wrapped] = [start, 0, false]
  while (at < whole.length && rows.length < PAGE_ROWS) {
    const { row, end, ...own } = parseRow(whole, at, delimiter)
    if (isRow(row)) {
      columns = Math.max(columns, row.length)
      const is_full = (rows.length + 1) * columns > PAGE_CELLS || end - start > PAGE_CHARACTERS
      if (rows.length > 0 && is_full) break
      rows.push(row)
      is_wrapped ||= own.is_wrapped
    }
    at = end
  }
  return { rows, end: at, is_wrapped }
}

function plainCell(whole: string, at: number, delimiter: string): { value: string; end: number } {
  let end = at
  while (end < whole.length && whole[end] !== delimiter && whole[end] !== '\n') end++
  return { value: whole.slice(at, end), end }
}

function quotedCell(whole: string, at: number, delimiter: string): { value: string; end: number } {
  let end = at + 1
  for (;;) {
    end = whole.indexOf('"', end)
    // A quote that is never closed would swallow the rest of the file.
    if (end < 0) return plainCell(whole, at, delimiter)
    if (whole[end + 1] !== '"') break
    end += 2
  }
  const value = whole.slice(at + 1, end).replaceAll('""', '"')
  const rest = plainCell(whole, end + 1, delimiter)
  return { value: value + rest.value, end: rest.end }
}

function planPages(whole: string, delimiter: string): { starts: number[]; is_wrapped: boolean } {
  const starts: number[] = []
  let [at, is_wrapped] = [0, false]
  while (at < whole.length) {
    const page = parsePage(whole, at, delimiter)
    if (page.rows.length > 0) starts.push(at)
    is_wrapped ||= page.is_wrapped
    at = page.end
  }
  return { starts, is_wrapped }
}

function pageOf(rows: readonly (readonly string[])[]): ParsedPage {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const cells: Cell[] = rows.flatMap((row, r) =>
    row.map((text, c) => ({ row: r + 1, column: c + 1, row_span: 1, column_span: 1, text: text.trim() })),
  )
  const blocks = [tableBlock({ rows: rows.length, columns, cells })]
  return { width: null, height: null, blocks, has_image: false, needs_ocr: false, warnings: [] }
}
