// Tables that lines keep apart: a grid of lines, and the words in its cells.

import type { Table } from '@octavo/contract'
import { cellFrom, type FoundBlock, foundTable } from './cells.ts'
import { isCode } from './evidence.ts'
import { withGapColumns } from './gap-columns.ts'
import type { Scale } from './gaps.ts'
import { holds, middleX, middleY, placeIn, shared, Unions } from './geometry.ts'
import { drawnWithin, type Grid, gridsOf, transposed, withoutColumn } from './grid.ts'
import { cutsLines, isBackground } from './highlights.ts'
import { partsOf, type Row, rowsOf } from './lines.ts'
import { splitOpenBands } from './open-bands.ts'
import { withOpenTop } from './open-top.ts'
import { tableFromPlaces } from './places.ts'
import type { Lines } from './rules.ts'
import { withoutSignColumns } from './signs.ts'
import { findStacked } from './stacked.ts'
import { headBorders, joinedBeside, openBorders } from './stripes.ts'
import type { Word } from './types.ts'

const MAX_PLACES = 20_000
/** In ems: a column or row without words that is not wider lies between the two strokes of a double line. */
const MAX_SLIVER = 1.2
/** Space between filled areas may be wider. */
const UNDRAWN = 2.5
/** Fewer cells, each alone in its row, are texts in boxes. */
const MIN_ALONE = 4

/** In ems, between the baselines of two rows of one line each. */
const MIN_ROW_STEP = 1.8
/** In lines of text. */
const MIN_PANEL_ROWS = 5
/** Fewer cells beside one that spans rows and columns are labels at the arrows of a diagram. */
const MIN_BESIDE_BOX = 5

export function findRuled(words: readonly Word[], lines: Lines, scale: Scale): FoundBlock[] {
  const tables: FoundBlock[] = []
  const taken = new Set<Word>()
  const framed = new Set<Grid>()
  const { grids: drawn, stacks } = gridsOf(lines, scale.em)
  const grids = joinedBeside(drawn, scale.em)
  for (let lined = grids.shift(); lined; lined = grids.shift()) {
    const free = taken.size === 0 ? words : words.filter((word) => !taken.has(word))
    const grid = withOpenTop(lined, { words: free, others: grids, across: lines.across, scale })
    const { box } = grid
    const inside = free.filter((word) => holds(box, word))
    const table = inside.length > 0 ? tableIn(grid, inside, { scale, is_framed: framed.has(lined) }) : null
    if (table === 'frame') {
      const inner = gridsOf(drawnWithin(lines, box, scale.em), scale.em)
      const smaller = inner.grids.filter((other) => other.box.y1 - other.box.y0 < box.y1 - box.y0 - scale.em)
      for (const other of smaller) framed.add(other)
      grids.unshift(...smaller)
      stacks.push(...inner.stacks)
    }
    if (!table || table === 'frame' || isBackground(grid, table, words)) continue
    if (cutsLines(inside, words) || isCode(rowsOf(inside))) continue
    for (const word of inside) taken.add(word)
    tables.push(foundTable(table, box, inside))
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

function tableIn(
  drawn: Grid,
  words: readonly Word[],
  { scale, is_framed }: { scale: Scale; is_framed: boolean },
): Table | 'frame' | null {
  const columns = withoutSignColumns(withoutSlivers(drawn, words, scale.em), words)
  if (isPanel(columns, words)) return null
  const whole = withGapColumns(withHeadColumns(columns, words, scale), words, scale)
  if (isTooLarge(whole)) return null
  if (isFrame(whole, words, scale)) return 'frame'
  const grid = splitOpenBands(whole, words)
  // Few lines within a frame separate groups of rows, and the rows around them belong to the table as well.
  if (isTooLarge(grid) || (is_framed && grid.ys.length > whole.ys.length)) return null
  const table = cellsIn(grid, words)
  const filled = table.cells.filter(({ text }) => text !== '')
  if (filled.length < 2 || filled.length < table.cells.length * 0.15) return null
  const used_rows = new Set(filled.map(({ row }) => row))
  if (used_rows.size < 2 || new Set(filled.map(({ column }) => column)).size < 2) return null
  if (used_rows.size === filled.length && filled.length < MIN_ALONE) return null
  if (filled.length < MIN_BESIDE_BOX && filled.some(({ row_span, column_span }) => row_span > 1 && column_span > 1))
    return null
  return compact(table)
}

/** Whether nearly all text is in one of several fields: a panel of a drawing, whose text is found without its lines. */
function isPanel(grid: Grid, words: readonly Word[]): boolean {
  const places = wordsByPlace(grid, words)
  const most = places.reduce((some, others) => (others.length > some.length ? others : some), [])
  return places.length > 1 && most.length >= words.length * 0.9 && rowsOf(most).length >= MIN_PANEL_ROWS
}

const isTooLarge = ({ xs, ys }: Grid): boolean => (xs.length - 1) * (ys.length - 1) > MAX_PLACES

function withoutSlivers(grid: Grid, words: readonly Word[], em: number): Grid {
  const columns = withoutThinColumns(grid, words.map(middleX), em * MAX_SLIVER)
  return transposed(withoutThinColumns(transposed(columns), words.map(middleY), em * MAX_SLIVER * 0.6))
}

function withoutThinColumns(grid: Grid, middles: readonly number[], max: number): Grid {
  let result = grid
  for (let column = grid.xs.length - 2; column >= 0 && result.xs.length > 2; column--) {
    const [x0 = 0, x1 = 0] = result.xs.slice(column, column + 2)
    const is_drawn = [column, column + 1].some((border) => result.downs[border]?.includes(2))
    if (x1 - x0 <= (is_drawn ? max : max * UNDRAWN) && !middles.some((x) => x > x0 && x < x1))
      result = withoutColumn(result, column)
  }
  return result
}

/** Rows of the grid → the text rows in each. */
const bandsOf = (grid: Grid, words: readonly Word[]): Row[][] =>
  grid.ys.slice(1).map((bottom, index) => {
    const top = grid.ys[index] ?? 0
    return rowsOf(words.filter((word) => middleY(word) > top && middleY(word) <= bottom))
  })

/** Columns that are drawn in the head only go on below it, where the text keeps to them. */
function withHeadColumns(grid: Grid, words: readonly Word[], { gap }: Scale): Grid {
  const inner = grid.xs.slice(1, -1)
  if (inner.length === 0) return grid
  const downs = grid.downs.map((own) => [...own])
  for (const [row, rows] of bandsOf(grid, words).entries()) {
    const parts = rows.flatMap(({ words: own }) => partsOf(own, gap))
    const is_drawn = inner.some((_, index) => downs[index + 1]?.[row] !== 0)
    const columns = new Set(parts.map((part) => inner.filter((x) => x < middleX(part)).length))
    if (!is_drawn && columns.size >= 2) for (const [index] of inner.entries()) downs[index + 1]?.splice(row, 1, 1)
    const open = rows.length === 1 && row === 0 ? headBorders(grid, row, parts) : []
    if (is_drawn) for (const border of [...open, ...openBorders(grid, row, parts)]) downs[border]?.splice(row, 1, 1)
  }
  return { ...grid, downs }
}

/** A frame around other things: much of its text runs over the columns that lines inside it draw. */
function isFrame(grid: Grid, words: readonly Word[], { em }: Scale): boolean {
  const inner = grid.xs.slice(1, -1)
  return (
    bandsOf(grid, words).some((rows) => {
      if (rows.length < 6) return false
      const crossing = rows.filter((row) => inner.some((x) => isCrossed(x, row.words)))
      return inner.length === 0 || (crossing.length >= 4 && crossing.length >= rows.length * 0.25)
    }) && grid.box.y1 - grid.box.y0 > em * 20
  )
}

function cellsIn(grid: Grid, words: readonly Word[]): Table {
  const columns = grid.xs.length - 1
  const rows = grid.ys.length - 1
  const at = (row: number, column: number) => row * columns + column
  const content = wordsByPlace(grid, words)
  const settled = new Set<number>()
  for (let row = 0; row < rows; row++) for (const place of settleOverflow(grid, content, row)) settled.add(place)
  const near = (row: number, column: number) => [
    ...(content[at(row, column)] ?? []),
    ...(content[at(row, column + 1)] ?? []),
  ]
  const areRows = (row: number, column: number) =>
    areSpaced(content[at(row, column)] ?? [], content[at(row + 1, column)] ?? [])
  const unions = new Unions(rows * columns)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const beside = grid.downs[column + 1]?.[row] ?? 0
      const isOpen = () =>
        beside === 0 ||
        (beside === 1 && !settled.has(at(row, column)) && isCrossed(grid.xs[column + 1] ?? 0, near(row, column)))
      if (column + 1 < columns && isOpen()) unions.join(at(row, column), at(row, column + 1))
      if (row + 1 < rows && (grid.acrosses[row + 1]?.[column] ?? 0) === 0 && !areRows(row, column))
        unions.join(at(row, column), at(row + 1, column))
    }
  }
  const owners = Int32Array.from(content, (_, place) => unions.find(place))
  return tableFromPlaces({ rows, columns, owners, content }, cellFrom)
}

/** Whether two texts are single lines that are set as far apart as rows. */
function areSpaced(above: readonly Word[], below: readonly Word[]): boolean {
  const [upper, lower] = [rowsOf(above), rowsOf(below)]
  const [first, second] = [upper[0], lower[0]]
  if (!first || !second || upper.length > 1 || lower.length > 1) return false
  return second.y1 - first.y1 > Math.max(first.size, second.size) * MIN_ROW_STEP
}

/**
 * A text that is longer than its column reaches into the next one, which has another text beside it: then it is
 * no cell of two columns.
 */
function settleOverflow({ xs, downs }: Grid, content: Word[][], row: number): number[] {
  const settled: number[] = []
  const columns = xs.length - 1
  for (let column = 0; column + 1 < columns; column++) {
    const [place, x] = [row * columns + column, xs[column + 1] ?? 0]
    const [own = [], next = []] = content.slice(place, place + 2)
    if (downs[column + 1]?.[row] !== 1 || own.length === 0 || next.length === 0) continue
    const parts = rowsOf([...own, ...next]).flatMap((line) => partsOf(line.words, line.size * 0.45))
    const over = parts.filter((part) => part.x0 < x - part.size && part.x1 > x)
    const isBeside = (part: Row) => part.x0 >= x - part.size * 0.3
    if (over.length === 0 || !parts.some(isBeside) || parts.some((part) => isBeside(part) && part.words.length > 3))
      continue
    const moved = new Set(over.flatMap((part) => part.words))
    content[place] = [...own, ...next.filter((word) => moved.has(word))]
    content[place + 1] = next.filter((word) => !moved.has(word))
    settled.push(place)
  }
  return settled
}

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
  const [columns, rows] = [xs.length - 1, ys.length - 1]
  const content: Word[][] = Array.from({ length: columns * rows }, () => [])
  for (const word of words) content[placeIn(ys, middleY(word)) * columns + placeIn(xs, middleX(word))]?.push(word)
  return content
}

const keptIn = (count: number, starts: Set<number>): number[] =>
  Array.from({ length: count }, (_, index) => index + 1).filter((at) => starts.has(at))

/** Removes rows and columns in which no cell begins, such as those between the lines of a double line. */
function compact({ rows, columns, cells }: Table): Table {
  const kept_rows = keptIn(rows, new Set(cells.map(({ row }) => row)))
  const kept_columns = keptIn(columns, new Set(cells.map(({ column }) => column)))
  const moved = cells.map((cell) => ({
    ...cell,
    row: kept_rows.indexOf(cell.row) + 1,
    column: kept_columns.indexOf(cell.column) + 1,
    row_span: countFrom(kept_rows, cell.row, cell.row_span),
    column_span: countFrom(kept_columns, cell.column, cell.column_span),
  }))
  return { rows: kept_rows.length, columns: kept_columns.length, cells: moved }
}

const countFrom = (kept: readonly number[], from: number, span: number): number =>
  kept.filter((at) => at >= from && at < from + span).length
