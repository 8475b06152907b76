// Tables that lines keep apart: a grid of lines, and the words in its cells.

import type { Cell, Table } from '@octavo/contract'
import { cellText, type FoundTable, tableOf } from './cells.ts'
import { columnsOf, type Piece, type Scale } from './gaps.ts'
import { around, holds, middleX, middleY, shared, Unions } from './geometry.ts'
import { type Grid, gridsOf } from './grid.ts'
import { partsOf, type Row, rowsOf } from './lines.ts'
import type { Lines } from './rules.ts'
import { findStacked } from './stacked.ts'
import { mergeLines } from './table-rows.ts'
import type { Box, Word } from './types.ts'

const MAX_PLACES = 20_000

export function findRuled(words: readonly Word[], lines: Lines, scale: Scale): FoundTable[] {
  const tables: FoundTable[] = []
  const taken = new Set<Word>()
  const { grids, stacks } = gridsOf(lines, scale.em)
  for (const grid of grids) {
    const inside = words.filter((word) => !taken.has(word) && holds(grid.box, word))
    const table = inside.length > 0 ? tableIn(grid, inside, scale) : null
    if (!table) continue
    for (const word of inside) taken.add(word)
    tables.push({ box: grid.box, table, words: new Set(inside) })
  }
  // Lines that stop at a cell spanning several rows form a separate stack inside the table of the longer lines.
  for (const stack of stacks) {
    const free = taken.size === 0 ? words : words.filter((word) => !taken.has(word))
    for (const table of findStacked(free, stack, { scale, across: lines.across })) {
      for (const word of table.words) taken.add(word)
      tables.push(table)
    }
  }
  return tables
}

function tableIn(grid: Grid, words: readonly Word[], scale: Scale): Table | null {
  const full = withGaps(grid, words, scale)
  const columns = full.xs.length - 1
  const rows = full.ys.length - 1
  if (columns * rows < 2 || columns * rows > MAX_PLACES) return null
  if (isOpen(full, words)) return byLines(full, words)
  const cells = cellsOf(full, words)
  const filled = cells.filter(({ text }) => text !== '').length
  if (cells.length < 2 || filled < 2 || filled < cells.length * 0.15) return null
  return compact({ rows, columns, cells })
}

/** Columns that only space keeps apart, within those that lines keep apart. */
function withGaps(grid: Grid, words: readonly Word[], scale: Scale): Grid {
  const xs: number[] = []
  const added = new Set<number>()
  for (const [index, x0] of grid.xs.entries()) {
    xs.push(x0)
    const x1 = grid.xs[index + 1]
    if (x1 === undefined) break
    const own = words.filter((word) => (word.x0 + word.x1) / 2 > x0 && (word.x0 + word.x1) / 2 < x1)
    for (const x of gapsIn(own, grid, scale)) {
      xs.push(x)
      added.add(x)
    }
  }
  if (added.size === 0) return grid
  const old = (x: number) => grid.xs.indexOf(x)
  return {
    ...grid,
    xs,
    hasDown: (row, at) => {
      const x = xs[at] ?? 0
      return added.has(x) ? 'weak' : grid.hasDown(row, old(x))
    },
    hasAcross: (at, column) =>
      grid.hasAcross(
        at,
        grid.xs.findLastIndex((x) => x <= (xs[column] ?? 0)),
      ),
  }
}

function gapsIn(words: readonly Word[], grid: Grid, scale: Scale): number[] {
  const rows = rowsOf(words)
  const several = rows.filter((row) => partsOf(row.words, scale.gap * 1.4).length > 1).length
  if (rows.length < 2 || several < Math.max(2, Math.min(rows.length, grid.ys.length - 1) * 0.6)) return []
  const columns = columnsOf(rows, scale)
  return columns.slice(1).map((column, index) => ((columns[index]?.x1 ?? column.x0) + column.x0) / 2)
}

/** A frame around other things: much of its text runs over the columns that lines inside it draw. */
function isOpen({ xs, ys, is_open }: Grid, words: readonly Word[]): boolean {
  if (is_open) return true
  if (xs.length < 3 || ys.length > 4) return false
  return ys.slice(1).some((bottom, index) => {
    const top = ys[index] ?? 0
    const own = rowsOf(words.filter(({ y0, y1 }) => (y0 + y1) / 2 > top && (y0 + y1) / 2 < bottom))
    if (own.length < 3) return false
    const counts = own.map(
      (row) => new Set(row.words.map((word) => xs.findLastIndex((x) => x <= (word.x0 + word.x1) / 2))).size,
    )
    return counts.filter((count) => count >= 2).length >= own.length * 0.7 && !isProse(own, xs)
  })
}

/** Lines that end where their column ends were broken there. */
function isProse(rows: ReturnType<typeof rowsOf>, xs: readonly number[]): boolean {
  let [full, all] = [0, 0]
  for (const row of rows.slice(0, -1)) {
    for (const [index, x0] of xs.entries()) {
      const x1 = xs[index + 1]
      const own = x1 === undefined ? [] : row.words.filter((word) => word.x0 >= x0 - 1 && word.x1 <= x1 + 1)
      if (own.length === 0 || x1 === undefined) continue
      all++
      const reach = around(own).x1
      if (own.length > 1 && reach - x0 > (x1 - x0) * 0.75) full++
    }
  }
  return full > all * 0.4
}

function byLines(grid: Grid, words: readonly Word[]): Table {
  const columns = grid.xs.slice(1).map((x1, index) => ({ x0: grid.xs[index] ?? 0, x1 }))
  const lines = rowsOf(words).map((row) => ({
    y0: row.y0,
    y1: row.y1,
    size: row.size,
    pieces: piecesBetween(grid, row),
  }))
  const merged = mergeLines(lines, columns, grid.ys)
  return tableOf(
    merged.map(({ pieces }) => pieces),
    columns.length,
  )
}

/** The words of a row between lines. */
function piecesBetween(grid: Grid, row: Row): Piece[] {
  const y = middleY(row)
  const band = Math.max(
    0,
    grid.ys.findLastIndex((top) => top <= y),
  )
  const pieces: Piece[] = []
  for (const [column, x0] of grid.xs.slice(0, -1).entries()) {
    const x1 = grid.xs[column + 1] ?? x0
    const last = column === grid.xs.length - 2
    const words = row.words.filter((word) => (column === 0 || middleX(word) >= x0) && (last || middleX(word) < x1))
    const line = grid.hasDown(band, column)
    const is_crossed = row.words.some((word) => word.x0 < x0 - word.size * 0.15 && word.x1 > x0 + word.size * 0.15)
    const before = pieces.at(-1)
    if (before && (line === null || (line === 'weak' && is_crossed))) {
      before.span++
      for (const word of words) before.words.push(word)
    } else pieces.push({ column, span: 1, words })
  }
  return pieces.filter((piece) => piece.words.length > 0)
}

function cellsOf(grid: Grid, words: readonly Word[]): Cell[] {
  const columns = grid.xs.length - 1
  const rows = grid.ys.length - 1
  const at = (row: number, column: number) => row * columns + column
  const held = wordsByPlace(grid, words)
  const near = (row: number, column: number) => [...(held[at(row, column)] ?? []), ...(held[at(row, column + 1)] ?? [])]
  const unions = new Unions(rows * columns)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (
        column + 1 < columns &&
        isMissing(grid.hasDown(row, column + 1), () => isCrossed(grid.xs[column + 1] ?? 0, near(row, column)))
      )
        unions.join(at(row, column), at(row, column + 1))
      if (row + 1 < rows && grid.hasAcross(row + 1, column) === null) unions.join(at(row, column), at(row + 1, column))
    }
  }
  return gather({ rows, columns, unions, held })
}

const isMissing = (line: 'line' | 'weak' | null, isCrossed: () => boolean): boolean =>
  line === null || (line === 'weak' && isCrossed())

/** Whether a word crosses a border, or two words on both sides of it are as close as those of a text. */
function isCrossed(x: number, words: readonly Word[]): boolean {
  if (words.some(({ x0, x1, size }) => x0 < x - size * 0.15 && x1 > x + size * 0.15)) return true
  const [left, right] = [
    words.filter(({ x1 }) => x1 <= x).slice(0, 200),
    words.filter(({ x0 }) => x0 >= x).slice(0, 200),
  ]
  return left.some((a) => right.some((b) => b.x0 - a.x1 < a.size * 0.45 && shared(a.y0, a.y1, b.y0, b.y1) > 0))
}

function wordsByPlace({ xs, ys }: Grid, words: readonly Word[]): Word[][] {
  const columns = xs.length - 1
  const held: Word[][] = Array.from({ length: columns * (ys.length - 1) }, () => [])
  for (const word of words) {
    const column = Math.min(
      columns - 1,
      Math.max(
        0,
        xs.findLastIndex((x) => x <= (word.x0 + word.x1) / 2),
      ),
    )
    const row = Math.min(
      ys.length - 2,
      Math.max(
        0,
        ys.findLastIndex((y) => y <= (word.y0 + word.y1) / 2),
      ),
    )
    held[row * columns + column]?.push(word)
  }
  return held
}

function gather({
  rows,
  columns,
  unions,
  held,
}: {
  rows: number
  columns: number
  unions: Unions
  held: Word[][]
}): Cell[] {
  const areas = new Map<number, { box: Box; words: Word[] }>()
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const place = row * columns + column
      const root = unions.find(place)
      const area = areas.get(root) ?? { box: { x0: column, y0: row, x1: column, y1: row }, words: [] }
      area.box = { ...area.box, x0: Math.min(area.box.x0, column), x1: Math.max(area.box.x1, column), y1: row }
      for (const word of held[place] ?? []) area.words.push(word)
      areas.set(root, area)
    }
  }
  return [...areas.values()].map(({ box, words }) => ({
    row: box.y0 + 1,
    column: box.x0 + 1,
    row_span: box.y1 - box.y0 + 1,
    column_span: box.x1 - box.x0 + 1,
    text: cellText(words),
  }))
}

/** Removes rows and columns in which no cell begins, such as those between the lines of a double line. */
function compact({ rows, columns, cells }: Table): Table {
  const kept_rows = Array.from({ length: rows }, (_, index) => index + 1).filter((row) =>
    cells.some((cell) => cell.row === row),
  )
  const kept_columns = Array.from({ length: columns }, (_, index) => index + 1).filter((column) =>
    cells.some((cell) => cell.column === column),
  )
  if (kept_rows.length === rows && kept_columns.length === columns) return { rows, columns, cells: ordered(cells) }
  const moved = cells.map((cell) => ({
    ...cell,
    row: kept_rows.indexOf(cell.row) + 1,
    column: kept_columns.indexOf(cell.column) + 1,
    row_span: Math.max(1, count(kept_rows, cell.row, cell.row_span)),
    column_span: Math.max(1, count(kept_columns, cell.column, cell.column_span)),
  }))
  return { rows: kept_rows.length, columns: kept_columns.length, cells: ordered(moved) }
}

const count = (kept: readonly number[], from: number, span: number): number =>
  kept.filter((at) => at >= from && at < from + span).length
const ordered = (cells: Cell[]): Cell[] => cells.sort((a, b) => a.row - b.row || a.column - b.column)
