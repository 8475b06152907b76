// Rows and columns of words → a table.

import type { Block, Table } from '@octavo/contract'
import { textOfTable } from '../../lib/blocks.ts'
import type { Piece } from './gaps.ts'
import { joinLines, rowsOf, textOfRow } from './lines.ts'
import { letters, rtlLetters } from './script.ts'
import { areOver } from './table-rows.ts'
import type { Box, Word } from './types.ts'

export interface FoundTable {
  box: Box
  table: Table
  words: Set<Word>
}

export function cellText(words: readonly Word[]): string {
  if (words.length === 0) return ''
  return joinLines(rowsOf(words).map((row) => textOfRow(row.words)))
}

/** A cell under construction: its words, and the places that it covers. */
interface Area extends Piece {
  row: number
  rows: number
}

/** Places without words get an empty cell. `isOpen` is true where no line is drawn between a row and the one above it. */
export function tableOf(
  rows: readonly (readonly Piece[])[],
  columns: number,
  isOpen: (row: number, column: number) => boolean = () => false,
): Table {
  const areas: Area[] = []
  let above: Area[] = []
  for (const [row, pieces] of rows.entries()) {
    const below = filledUp(pieces, columns).map((piece) => ({ ...piece, row, rows: 1 }))
    const is_head = row === 1 && isGrouped(rows[0] ?? [], pieces)
    above = below.map((area) => {
      const upper = above.find(({ column, span }) => column === area.column && span === area.span)
      const places = Array.from({ length: area.span }, (_, index) => area.column + index)
      const is_open = places.every((column) => isOpen(row, column)) || (is_head && area.words.length === 0)
      if (upper && is_open) return extended(upper, area)
      areas.push(area)
      return area
    })
  }
  const cells = areas.map(({ row, rows: row_span, column, span, words }) => ({
    row: row + 1,
    column: column + 1,
    row_span,
    column_span: span,
    text: cellText(words),
  }))
  return { rows: rows.length, columns, cells: cells.sort((a, b) => a.row - b.row || a.column - b.column) }
}

function extended(upper: Area, { words }: Area): Area {
  upper.rows++
  for (const word of words) upper.words.push(word)
  return upper
}

function filledUp(pieces: readonly Piece[], columns: number): Piece[] {
  const all = [...pieces]
  for (let column = 0; column < columns; column++) {
    const place = { column, span: 1, words: [] }
    if (!pieces.some((piece) => areOver(piece, place))) all.push(place)
  }
  return all
}

/** Whether a heading of the row spans several columns that each have a separate heading below. */
const isGrouped = (head: readonly Piece[], below: readonly Piece[]): boolean =>
  head.some((piece) => piece.span > 1 && below.filter((other) => areOver(piece, other)).length === piece.span)

export function tableBlock(table: Table): Block {
  const turned = isRtl(table) ? mirrored(table) : table
  return { type: 'table', text: textOfTable(turned), table: turned }
}

function isRtl({ cells }: Table): boolean {
  let [rtl, all] = [0, 0]
  for (const { text } of cells) {
    const own = rtlLetters(text)
    rtl += own
    all += own > 0 ? letters(text) : 0
  }
  return rtl > 0 && rtl * 2 > all && cells.filter(({ text }) => rtlLetters(text) > 0).length * 3 > cells.length
}

/** In a text from right to left the first column is the rightmost one. */
function mirrored({ rows, columns, cells }: Table): Table {
  const turned = cells.map((cell) => ({ ...cell, column: columns - cell.column - cell.column_span + 2 }))
  return { rows, columns, cells: turned.sort((a, b) => a.row - b.row || a.column - b.column) }
}
