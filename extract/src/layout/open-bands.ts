// Rows that no line keeps apart, within those that lines draw: lines may come every five rows, or only below the head.

import type { Piece } from './gaps.ts'
import { around, median, middleX, middleY, placeIn } from './geometry.ts'
import { type Grid, transposed, withColumnBorder } from './grid.ts'
import { type Row, rowsOf } from './lines.ts'
import { mergeLines } from './table-rows.ts'
import type { Word } from './types.ts'
import { isValue } from './values.ts'

/** In ems, between the baselines of two rows. */
const MIN_STEP = 0.8

/** The text between two horizontal lines. */
interface Band {
  top: number
  bottom: number
  /** Rows of text, without cells that are centered beside several rows. */
  rows: Row[]
  /** Columns whose only line of text is in the middle of the band. */
  centered: Set<number>
}

export function splitOpenBands(grid: Grid, words: readonly Word[]): Grid {
  let result = grid
  const bands = grid.ys.slice(1).map((bottom, index) => bandOf(grid, words, { top: grid.ys[index] ?? 0, bottom }))
  for (const band of bands) {
    if (band.rows.length < 2 || !(grid.is_open || isOpen(grid, band))) continue
    const borders = bordersIn(grid, band)
    for (const y of borders) {
      const marks = grid.xs.slice(1).map((_, column) => (band.centered.has(column) ? 0 : 1))
      result = transposed(withColumnBorder(transposed(result), y, marks))
    }
  }
  return result
}

const columnAt = ({ xs }: Grid, word: Word): number => placeIn(xs, middleX(word))

const columnsOfRow = (grid: Grid, { words }: Row): Set<number> => new Set(words.map((word) => columnAt(grid, word)))

function bandOf(grid: Grid, words: readonly Word[], { top, bottom }: { top: number; bottom: number }): Band {
  const held = words.filter((word) => middleY(word) > top && middleY(word) <= bottom)
  const rows = rowsOf(held)
  const counts = new Map<number, number>()
  for (const row of rows)
    for (const column of columnsOfRow(grid, row)) counts.set(column, (counts.get(column) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  const centered = new Set<number>()
  for (const [column, count] of counts) {
    if (count > 1 || most < 2) continue
    const own = held.filter((word) => columnAt(grid, word) === column)
    const em = median(own.map(({ size }) => size))
    const { y0, y1 } = around(own)
    if (Math.abs((y0 + y1) / 2 - (top + bottom) / 2) < em * 0.45) centered.add(column)
  }
  const rest = rows.filter((row) => ![...columnsOfRow(grid, row)].every((column) => centered.has(column)))
  return { top, bottom, rows: rest.length > 0 ? rest : rows, centered: rest.length > 0 ? centered : new Set() }
}

/** Whether lines of one cell are level with spaces between lines of another, as where cells are centered in a row. */
function isInterleaved(rows: readonly Row[]): boolean {
  const near = rows.slice(1).filter((row, index) => row.y1 - (rows[index]?.y1 ?? 0) < row.size * MIN_STEP)
  return near.length > 0 && near.length >= (rows.length - 1) * 0.4
}

/** Values below values in several columns, or many lines that none of which fills its column. */
function isOpen(grid: Grid, { rows }: Band): boolean {
  const stacks = new Map<number, { values: number; all: number }>()
  let several = 0
  for (const row of rows) {
    const columns = columnsOfRow(grid, row)
    if (columns.size < 2) continue
    several++
    for (const column of columns) {
      const text = row.words
        .filter((word) => columnAt(grid, word) === column)
        .map((word) => word.text)
        .join(' ')
      const stack = stacks.get(column) ?? { values: 0, all: 0 }
      stacks.set(column, { values: stack.values + (isValue(text) ? 1 : 0), all: stack.all + 1 })
    }
  }
  const valued = [...stacks.values()].filter(({ values, all }) => values >= 2 && values >= all * 0.6)
  if (valued.length >= 2 || (valued.length === 1 && (rows.length >= 3 || several === rows.length))) return true
  if (rows.length < 4 || several < rows.length * 0.7 || isInterleaved(rows)) return false
  return !isProse(rows, grid.xs) && !areWrapped(rows.map((row) => columnsOfRow(grid, row)))
}

/** Texts that all begin in the first line and end in different ones: each line has fewer columns than that above it. */
function areWrapped(lines: readonly Set<number>[]): boolean {
  const isPart = (line: Set<number>, index: number) => line.isSubsetOf(lines[index - 1] ?? line)
  return lines.every(isPart) && (lines.at(-1)?.size ?? 0) < (lines[0]?.size ?? 0) * 0.5
}

/** Lines that end where their column ends were broken there. */
function isProse(rows: readonly Row[], xs: readonly number[]): boolean {
  let [full, all] = [0, 0]
  for (const row of rows.slice(0, -1)) {
    for (const [index, x0] of xs.entries()) {
      const x1 = xs[index + 1]
      const own = x1 === undefined ? [] : row.words.filter((word) => word.x0 >= x0 - 1 && word.x1 <= x1 + 1)
      if (own.length === 0 || x1 === undefined) continue
      all++
      if (own.length > 1 && around(own).x1 - x0 > (x1 - x0) * 0.75) full++
    }
  }
  return full > all * 0.4
}

/** Heights between the rows of a band. */
function bordersIn(grid: Grid, { rows }: Band): number[] {
  const columns = grid.xs.slice(1).map((x1, index) => ({ x0: grid.xs[index] ?? 0, x1 }))
  const lines = rows.map((row) => ({ y0: row.y0, y1: row.y1, size: row.size, pieces: piecesOf(grid, row) }))
  const merged = mergeLines(lines, columns).map(({ pieces }) => around(pieces.flatMap(({ words }) => words)))
  return merged.slice(1).map((below, index) => ((merged[index]?.y1 ?? below.y0) + below.y0) / 2)
}

function piecesOf(grid: Grid, row: Row): Piece[] {
  const pieces = new Map<number, Piece>()
  for (const word of row.words) {
    const column = columnAt(grid, word)
    const piece = pieces.get(column)
    if (piece) piece.words.push(word)
    else pieces.set(column, { column, span: 1, words: [word] })
  }
  return [...pieces.values()]
}
