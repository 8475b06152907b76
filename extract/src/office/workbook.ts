// The sheets of Excel, row by row.

import { type Archive, findEntry, readEntry } from '../archive.ts'
import { formatOf, plain, type Show, showBy } from './number-format.ts'
import type { SheetCell, SheetRow } from './sheets.ts'
import { childrenNamed, type Element, eachPiece, findChild, scanXmlSlices, textInside } from './xml.ts'

export interface Workbook {
  strings: readonly string[]
  shows: readonly Show[]
  from_1904: boolean
}

const MAX_COLUMN = 16_384
const MAX_ROW = 1_048_576

export function sharedStrings(archive: Archive, part: string | null): string[] {
  const strings: string[] = []
  const bytes = part ? findEntry(archive, part) : null
  if (bytes)
    eachPiece(bytes, {
      isPiece: (name) => name === 'si',
      ignored: new Set(['rPh', 'rPr', 'phoneticPr']),
      visit: (item) => strings.push(textInside(item)),
    })
  return strings
}

export function showsOf(styles: Element | null): Show[] {
  const own = new Map<number, string>()
  for (const { attributes } of childrenNamed(findChild(styles, 'numFmts'), 'numFmt'))
    own.set(Number(attributes.numFmtId), attributes.formatCode ?? 'General')
  const made = new Map<string, Show>()
  return childrenNamed(findChild(styles, 'cellXfs'), 'xf').map(({ attributes }) => {
    const format = formatOf(Number(attributes.numFmtId ?? 0), own)
    const show = made.get(format) ?? showBy(format)
    made.set(format, show)
    return show
  })
}

/**
 * The part of a sheet after its cells. It is complete once all rows have been read, which first happens to count them.
 */
export class SheetEnd {
  readonly spans = new Map<number, { column: number; row_span: number; column_span: number }>()
  header = ''
  footer = ''

  spanAt(row: number, column: number): { row_span: number; column_span: number } {
    return this.spans.get(keyOf(row, column)) ?? ONE
  }

  merge(reference: string): void {
    const [from = '', to = from] = reference.split(':')
    const [first, last] = [placeOf(from), placeOf(to)]
    if (!first || !last || last.row < first.row || last.column < first.column) return
    this.spans.set(keyOf(first.row, first.column), {
      column: first.column,
      row_span: last.row - first.row + 1,
      column_span: last.column - first.column + 1,
    })
  }
}

const ONE = { row_span: 1, column_span: 1 }
const keyOf = (row: number, column: number): number => row * 32_768 + column

function placeOf(reference: string): { row: number; column: number } | null {
  const [, letters = '', digits = ''] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(reference) ?? []
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  const row = Number(digits)
  return column >= 1 && column <= MAX_COLUMN && row >= 1 && row <= MAX_ROW ? { row, column } : null
}

export function* rowsOf(archive: Archive, part: string, book: Workbook, end: SheetEnd): Generator<SheetRow, void> {
  const done: SheetRow[] = []
  let [row, column] = [0, 0]
  let cells: SheetCell[] = []
  let cell: { type: string; style: number } | null = null
  let text = ''
  let is_value = false
  let is_running = false
  let phonetic = 0
  const slices = scanXmlSlices(readEntry(archive, part), {
    open(name, attributes) {
      if (name === 'row') {
        const given = Number(attributes.r)
        row = Number.isInteger(given) && given > row ? Math.min(given, MAX_ROW) : row + 1
        column = 0
        cells = []
      } else if (name === 'c') {
        column = placeOf(attributes.r ?? '')?.column ?? column + 1
        cell = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0) }
        text = ''
      } else if (name === 'rPh') phonetic++
      else if (name === 'mergeCell') end.merge(attributes.ref ?? '')
      is_running = name === 'oddHeader' || name === 'oddFooter'
      if (is_running) text = ''
      is_value = cell !== null && phonetic === 0 && (name === 'v' || name === 't')
    },
    text(piece) {
      if (is_value || is_running) text += piece
    },
    close(name) {
      is_value = false
      is_running = false
      if (name === 'oddHeader') end.header = plainRunning(text)
      else if (name === 'oddFooter') end.footer = plainRunning(text)
      else if (name === 'rPh') phonetic--
      else if (name === 'c' && cell) {
        const shown = shownOf(text, cell, book)
        const { row_span, column_span } = end.spanAt(row, column)
        if (shown.trim() !== '') cells.push({ column, text: shown, row_span, column_span })
        cell = null
      } else if (name === 'row' && cells.length > 0) done.push({ row, cells })
    },
  })
  for (const _ of slices) yield* done.splice(0)
}

function shownOf(
  text: string,
  { type, style }: { type: string; style: number },
  { strings, shows, from_1904 }: Workbook,
): string {
  if (type === 's') return strings[Number(text)] ?? ''
  if (type === 'b') return text.trim() === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return shownDate(text, shows[style] ?? plain)
  if (type !== 'n' || text.trim() === '') return text
  const show = shows[style] ?? plain
  // Most numbers are stored as they are shown; formatting each one takes longer than reading it.
  if (show === plain && text.length <= 12 && /^-?\d+(\.\d*[1-9])?$/.test(text)) return text
  const value = Number(text)
  return Number.isFinite(value) ? show(value, from_1904) : text
}

/** A date in ISO 8601. A cell without a number format shows it as it is stored. */
function shownDate(text: string, show: Show): string {
  const time = /^\d{4}-\d\d-\d\d/.test(text)
    ? Date.parse(/[T ]/.test(text) ? `${text.replace(/Z$/, '')}Z` : text)
    : Number.NaN
  if (show === plain || Number.isNaN(time)) return text
  return show((time - Date.UTC(1899, 11, 30)) / 86_400_000, false)
}

/** Without its codes and the numbers of pages: `&L`, `&P`, `&"Arial,Bold"`, `&12`. */
const plainRunning = (text: string): string =>
  text
    .replace(/&[LCR]/g, ' ')
    .replace(/(\p{L}+\s*)?&P(\s*[\p{L}/]+\s*&N)?/gu, ' ')
    .replace(/&"[^"]*"|&K[0-9A-F]{6}|&\d+|&[A-Z]/gi, ' ')
    .replaceAll('&&', '&')
    .replace(/\s+/g, ' ')
    .trim()
