// Rows and columns of words → a table.

import { textOfTable } from '@octavo/base/blocks.ts'
import type { Block, Cell, Table } from '@octavo/contract'
import type { Piece } from './gaps.ts'
import { around, bboxOf } from './geometry.ts'
import { joinLines, rowsOf, textOfRow } from './lines.ts'
import { tableFromPlaces } from './places.ts'
import { letters, rtlLetters } from './script.ts'
import { areOver } from './table-rows.ts'
import type { Box, Word } from './types.ts'

/** A table or fields, and the words that it is made of. */
export interface FoundBlock {
  box: Box
  block: Block
  words: Set<Word>
}

export function cellFrom(words: readonly Word[]): Pick<Cell, 'text' | 'bbox'> {
  if (words.length === 0) return { text: '' }
  return { text: joinLines(rowsOf(words).map((row) => textOfRow(row.words))), bbox: bboxOf(around(words)) }
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
      if (upper && is_open && goesOn(upper, area)) return extended(upper, area)
      areas.push(area)
      return area
    })
  }
  const owners = Int32Array.from({ length: rows.length * columns }, (_, place) => -1 - place)
  const content: Word[][] = Array.from(owners, () => [])
  for (const [index, area] of areas.entries()) {
    content[area.row * columns + area.column]?.push(...area.words)
    for (let row = area.row; row < area.row + area.rows; row++)
      owners.fill(index, row * columns + area.column, row * columns + area.column + area.span)
  }
  return tableFromPlaces({ rows: rows.length, columns, owners, content }, cellFrom)
}

/** A line above a sum may be drawn below its column only: what has a text in both rows is two cells. */
const goesOn = (upper: Area, { words }: Area): boolean =>
  words.length === 0 || upper.words.length === 0 || /^\p{Ll}/u.test(words[0]?.text ?? '')

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

export function foundTable(table: Table, box: Box, words: readonly Word[]): FoundBlock {
  const turned = isRtl(table) ? mirrored(table) : table
  return { box, words: new Set(words), block: { type: 'table', text: textOfTable(turned), table: turned } }
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
