// Tables whose headings have a filled area each: the areas show the columns, and the rows below keep to them.

import { type FoundBlock, foundTable, tableOf } from './cells.ts'
import type { Piece, Scale, Stretch } from './gaps.ts'
import { around, holds, middleY, shared } from './geometry.ts'
import { partsOf, type Row, rowsOf } from './lines.ts'
import type { Line, Lines } from './rules.ts'
import { mergeLines, type TableLine } from './table-rows.ts'
import type { Box, Word } from './types.ts'

/** Each is compared with all others. */
const MAX_FILLS = 300
const MIN_COLUMNS = 3
/** In ems. */
const [MIN_HEIGHT, MAX_HEIGHT, MAX_BETWEEN] = [0.9, 7, 0.8]
/** In ems, from the foot of one row to the head of the next. */
const MAX_ROW_GAP = 4
/** In ems: rows that are not filled may be this high. */
const MAX_STRIPE = 12
/** Headings of two lines have one band above the other. */
const MIN_ROWS_ABOVE = 2
/** In words: a longer line over several columns is a paragraph. */
const MAX_WORDS = 12

/** Filled areas side by side, from left to right. */
type HeadBand = Box[]

export function findBanded(
  words: readonly Word[],
  fills: readonly Box[],
  { lines, scale }: { lines: Lines; scale: Scale },
): FoundBlock[] {
  const all = bandsOf(fills, scale.em)
  const heads = all.filter(
    (band) =>
      isHead(band, words) &&
      !all.some((other) => areStripes(band, other, scale.em)) &&
      countAbove(band, all, scale.em) < MIN_ROWS_ABOVE,
  )
  const others = fills.filter((fill) => !heads.some((band) => band.includes(fill)))
  const bands = heads.filter((band) => !isGrid(band, { fills: others, lines, scale }))
  return bands.flatMap((band) => {
    const table = tableBelow(band, words, { bands, across: lines.across, scale })
    return table ? [table] : []
  })
}

function bandsOf(fills: readonly Box[], em: number): HeadBand[] {
  const own = fills.filter(({ x0, y0, x1, y1 }) => {
    const [wide, high] = [x1 - x0, y1 - y0]
    return wide > em * 1.5 && high > em * MIN_HEIGHT && high < em * MAX_HEIGHT
  })
  const bands: HeadBand[] = []
  for (const fill of own.slice(0, MAX_FILLS).sort((a, b) => a.x0 - b.x0)) {
    const band = bands.find((others) => {
      const last = others.at(-1)
      if (!last || Math.abs(last.y0 - fill.y0) > em * 0.2 || Math.abs(last.y1 - fill.y1) > em * 0.2) return false
      return fill.x0 - last.x1 > -em * 0.2 && fill.x0 - last.x1 < em * MAX_BETWEEN
    })
    if (band) band.push(fill)
    else bands.push([fill])
  }
  return bands.filter((band) => band.length >= MIN_COLUMNS)
}

/** Whether two bands have the same columns, as filled rows of one table have. */
const areStripes = (band: HeadBand, other: HeadBand, em: number): boolean =>
  band !== other &&
  band.length === other.length &&
  band.every(({ x0 }, index) => Math.abs(x0 - (other[index]?.x0 ?? x0)) < em * 0.3)

/** How many bands of the same width are stacked on a band: with several of them it is the last row of their table. */
function countAbove(band: HeadBand, all: readonly HeadBand[], em: number): number {
  const { x0, x1, y0 } = around(band)
  const above = all.find((other) => {
    const box = around(other)
    return Math.abs(box.x0 - x0) < em && Math.abs(box.x1 - x1) < em && Math.abs(box.y1 - y0) < em * MAX_BETWEEN
  })
  return above && above !== band ? 1 + countAbove(above, all, em) : 0
}

/** Whether most areas hold a text, and no text reaches out of its area. */
function isHead(band: HeadBand, words: readonly Word[]): boolean {
  const held = band.filter((fill) => words.some((word) => holds(fill, word)))
  const box = around(band)
  const inside = words.filter((word) => holds(box, word))
  const over = inside.filter((word) =>
    band.some(({ x1 }) => word.x0 < x1 - word.size * 0.3 && word.x1 > x1 + word.size * 0.3),
  )
  return held.length >= band.length * 0.7 && over.length === 0
}

/** Whether other areas or lines draw the rows below as well. */
function isGrid(
  band: HeadBand,
  { fills, lines, scale }: { fills: readonly Box[]; lines: Lines; scale: Scale },
): boolean {
  const { x0, x1, y1 } = around(band)
  const isBelow = (top: number, bottom: number) => top < y1 + scale.em * MAX_STRIPE && bottom > y1 + scale.em
  const drawn = lines.down.some(
    ({ at, from, to, is_edge }) => !is_edge && at > x0 - scale.em && at < x1 + scale.em && isBelow(from, to),
  )
  const filled = fills.filter(
    (fill) => fill.x1 - fill.x0 < (x1 - x0) * 1.1 && holds({ x0, y0: y1, x1, y1: Infinity }, fill),
  )
  return drawn || filled.some((fill) => isBelow(fill.y0, fill.y1))
}

function tableBelow(
  band: HeadBand,
  words: readonly Word[],
  { bands, across, scale }: { bands: readonly HeadBand[]; across: readonly Line[]; scale: Scale },
): FoundBlock | null {
  const box = around(band)
  const head = band.map((fill, column) => ({ column, span: 1, words: words.filter((word) => holds(fill, word)) }))
  const rows = rowsBelow(box, words, { bands, scale })
  const lines = rows.map((row): TableLine => ({ ...row, pieces: piecesIn(row, band, scale) }))
  if (!lines.some(({ pieces }) => pieces.length > 1)) return null
  const { y1 } = around(rows)
  const borders = across.filter(
    ({ at, from, to, is_edge }) =>
      !is_edge && at > box.y1 + scale.em * 0.5 && at < y1 && shared(from, to, box.x0, box.x1) > scale.em,
  )
  const merged = mergeLines(
    lines,
    band,
    borders.map(({ at }) => at),
  )
  const all = [...head.flatMap((piece) => piece.words), ...rows.flatMap((row) => row.words)]
  const table = tableOf(
    [head.filter((piece) => piece.words.length > 0), ...merged.map(({ pieces }) => pieces)],
    band.length,
  )
  return foundTable(table, around([box, ...all]), all)
}

/** Rows down to the next band, a heading, a paragraph, or a wide space. */
function rowsBelow(
  { x0, x1, y1 }: Box,
  words: readonly Word[],
  { bands, scale }: { bands: readonly HeadBand[]; scale: Scale },
): Row[] {
  const { em } = scale
  const below = words.filter((word) => middleY(word) > y1 && !bands.some((band) => holds(around(band), word)))
  const inside = (word: Word) => word.x0 > x0 - em && word.x1 < x1 + em
  const rows: Row[] = []
  let bottom = y1
  for (const row of rowsOf(below)) {
    const own = rowsOf(row.words.filter(inside))[0]
    if (!own) continue
    const parts = partsOf(row.words, scale.gap * 1.4)
    const crossed = bands.some((band) => around(band).y0 > y1 && around(band).y0 < own.y0 && around(band).x0 < x1)
    const is_paragraph = parts.length === 1 && own.words.length > MAX_WORDS
    const is_heading = parts.length === 1 && own.x0 < x0 + em * 2 && isBold(own) && !rows.some(isBold)
    if (own.y0 - bottom > em * MAX_ROW_GAP || own.words.length < row.words.length) break
    if (crossed || is_paragraph || is_heading) break
    rows.push(own)
    bottom = own.y1
  }
  return rows
}

const isBold = ({ words }: Row): boolean => words.every((word) => word.is_bold === true)

/** Each part of a line in the column that it shares most with; one that is longer than its column stays there. */
function piecesIn(row: Row, columns: readonly Stretch[], { gap }: Scale): Piece[] {
  const pieces: Piece[] = []
  for (const part of partsBetween(row, columns, gap)) {
    const { x0: from, x1: to } = around(part)
    const common = columns.map(({ x0, x1 }) => shared(from, to, x0, x1))
    const column = common.indexOf(Math.max(...common))
    const met = pieces.find((piece) => piece.column === column)
    if (met) met.words.push(...part)
    else pieces.push({ column, span: 1, words: part })
  }
  return pieces
}

/** A space at the border of two columns may be narrower than others. */
function partsBetween(row: Row, columns: readonly Stretch[], gap: number): Word[][] {
  const parts: Word[][] = []
  for (const word of row.words) {
    const last = parts.at(-1)
    const before = last?.at(-1)
    const space = before ? word.x0 - before.x1 : 0
    const is_border = before && columns.some(({ x1 }) => x1 >= before.x1 - 1 && x1 <= word.x0 + 1)
    if (last && space < gap * (is_border ? 0.8 : 1.4)) last.push(word)
    else parts.push([word])
  }
  return parts
}
