// Lines that meet → grids.

import { clustered, shared, Unions } from './geometry.ts'
import type { Line, Lines } from './rules.ts'
import type { Box } from './types.ts'

export interface Grid {
  box: Box
  /** Borders of columns and rows, the outermost included. */
  xs: number[]
  ys: number[]
  /** For each border of columns and each row, whether a line is drawn there. */
  downs: Mark[][]
  /** For each border of rows and each column, whether a line is drawn there. */
  acrosses: Mark[][]
  /** Whether lines are drawn between columns only. */
  is_open: boolean
}

/** 2: a line; 1: only the edge of a filled area, or a gap; 0: nothing. */
export type Mark = 0 | 1 | 2

const MOSTLY_DRAWN = 0.7
/** In ems: how far a line may end from the one that it meets. Lines between columns often end short of those between rows. */
const MEETING = 0.4

/** In ems. */
const MAX_CORNER = 1.2
const MIN_EDGES = 4

/** Lines of one length beside each other that none crosses, as in tables that have lines between rows only. */
export type Stack = Line[]

const isDrawn = ({ is_edge }: Line): boolean => !is_edge
const isPart = (line: Line, from: number, to: number): boolean =>
  isDrawn(line) && shared(line.from, line.to, from, to) > 0

/** Lines inside a frame, without those at its four sides, and without filled areas: in a frame these are labels. */
export function drawnWithin({ across, down }: Lines, box: Box, em: number): Lines {
  const reach = em * 0.3
  const isInside = (at: number, from: number, to: number) => at > from + reach && at < to - reach
  return {
    across: across.filter((line) => isInside(line.at, box.y0, box.y1) && isPart(line, box.x0, box.x1)),
    down: down.filter((line) => isInside(line.at, box.x0, box.x1) && isPart(line, box.y0, box.y1)),
  }
}

/** Smallest grids first: a cell of a table may contain another table. */
export function gridsOf(lines: Lines, em: number): { grids: Grid[]; stacks: Stack[] } {
  const groups = groupsOf(withoutInnerEdges(lines, em), em)
  const alone = groups.filter((group) => group.down.length === 0).flatMap((group) => group.across)
  const crossed = groups.filter((group) => group.across.length > 0 && group.down.length > 0)
  const grids = crossed
    .flatMap((group) => gridOf(group, em))
    .filter(isDense)
    .sort((a, b) => area(a.box) - area(b.box))
  const standing = groups.filter((group) => group.across.length === 0).flatMap((group) => group.down)
  for (const pillars of pillarsOf(standing, em)) grids.push(...gridOf({ across: [], down: pillars }, em))
  return { grids, stacks: stacksOf(alone, em).map((stack) => withoutBoxes(stack, lines.down, em)) }
}

/** Whether both of its ends are near the end of a line down, as at the corners of a rounded box. */
function isRoundedEdge({ at, from, to }: Line, down: readonly Line[], em: number): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) < em * MAX_CORNER
  const hasCorner = (x: number) =>
    down.some((line) => isNear(line.at, x) && (isNear(line.from, at) || isNear(line.to, at)))
  return hasCorner(from) && hasCorner(to)
}

/** Edges of several rounded boxes do not keep the rows of a table apart. */
function withoutBoxes(stack: Stack, down: readonly Line[], em: number): Stack {
  const others = stack.filter((line) => !isRoundedEdge(line, down, em))
  return stack.length - others.length < MIN_EDGES ? stack : others
}

/** Lines that meet, directly or through others. */
function groupsOf({ across, down }: Lines, em: number): Lines[] {
  const reach = em * 0.3
  const unions = new Unions(across.length + down.length)
  for (const [i, a] of across.entries()) {
    for (const [j, d] of down.entries()) {
      const is_inner = d.at > a.from + em && d.at < a.to - em && isDrawn(d)
      const above = is_inner ? em * MEETING : reach
      if (d.at >= a.from - reach && d.at <= a.to + reach && a.at >= d.from - above && a.at <= d.to + above)
        unions.join(i, across.length + j)
    }
  }
  const groups = new Map<number, Lines>()
  const groupOf = (index: number): Lines => {
    const root = unions.find(index)
    const group = groups.get(root) ?? { across: [], down: [] }
    groups.set(root, group)
    return group
  }
  for (const [index, one] of across.entries()) groupOf(index).across.push(one)
  for (const [index, one] of down.entries()) groupOf(across.length + index).down.push(one)
  return [...groups.values()]
}

/** Where lines draw a whole grid, edges of filled areas inside it are only backgrounds of cells or of lines of text. */
function withoutInnerEdges(lines: Lines, em: number): Lines {
  const drawn = { across: lines.across.filter(isDrawn), down: lines.down.filter(isDrawn) }
  if (drawn.across.length === lines.across.length && drawn.down.length === lines.down.length) return lines
  const boxes = groupsOf(drawn, em)
    .filter((group) => group.across.length >= 2 && group.down.length >= 2)
    .flatMap((group) => gridOf(group, em))
    .filter(({ xs, ys, downs, acrosses }) => {
      const marks = [...downs, ...acrosses].flat()
      return xs.length + ys.length >= 6 && marks.filter((mark) => mark === 2).length >= marks.length * MOSTLY_DRAWN
    })
    .map(({ box }) => box)
  const isInside = (at: number, from: number, to: number) => at > from - em * 0.5 && at < to + em * 0.5
  return {
    across: lines.across.filter(
      (line) =>
        isDrawn(line) ||
        !boxes.some((box) => isInside(line.at, box.y0, box.y1) && isInside((line.from + line.to) / 2, box.x0, box.x1)),
    ),
    down: lines.down.filter(
      (line) =>
        isDrawn(line) ||
        !boxes.some((box) => isInside(line.at, box.x0, box.x1) && isInside((line.from + line.to) / 2, box.y0, box.y1)),
    ),
  }
}

/** Boxes that only happen to touch draw few of the borders of the grid that they would make together. */
function isDense({ downs, acrosses }: Grid): boolean {
  const marks = [...downs, ...acrosses].flat()
  return marks.filter((mark) => mark > 0).length >= marks.length * 0.4
}

const area = ({ x0, y0, x1, y1 }: Box): number => (x1 - x0) * (y1 - y0)

/** Long lines first. */
function stacksOf(lines: readonly Line[], em: number): Stack[] {
  const stacks: Stack[] = []
  for (const line of lines.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    if (line.to - line.from < em * 3) continue
    const stack = stacks.find(
      ([first]) => first && Math.abs(first.from - line.from) < em * 0.4 && Math.abs(first.to - line.to) < em * 0.4,
    )
    if (stack) stack.push(line)
    else stacks.push([line])
  }
  return stacks.filter((stack) => stack.length >= 2)
}

function gridOf({ across, down }: Lines, em: number): Grid[] {
  const reach = em * 0.3
  const xs = clustered(
    down.map(({ at }) => at),
    reach,
  )
  const heights = across.length > 0 ? across.map(({ at }) => at) : down.flatMap(({ from, to }) => [from, to])
  const ys = clustered(heights, reach)
  addEnds(xs, across, em)
  addEnds(ys, down, em)
  const [x0, x1, y0, y1] = [xs[0], xs.at(-1), ys[0], ys.at(-1)]
  if (x0 === undefined || x1 === undefined || y0 === undefined || y1 === undefined || xs.length < 2 || ys.length < 2)
    return []
  // A single colored row is a stripe: the rows above and below it belong to the table as well.
  if (ys.length === 2 && [...across, ...down].every(({ is_edge }) => is_edge)) return []
  const box = { x0, y0, x1, y1 }
  return [
    { box, xs, ys, downs: presence(down, xs, ys), acrosses: presence(across, ys, xs), is_open: across.length === 0 },
  ]
}

/** Lines down that begin or end together, as in tables that have lines between columns only. */
function pillarsOf(lines: readonly Line[], em: number): Stack[] {
  const pillars: Stack[] = []
  const isNear = (a: number, b: number) => Math.abs(a - b) < em * 0.4
  for (const line of lines.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    if (line.to - line.from < em * 2) continue
    const met = pillars.find(([first]) => first && (isNear(first.from, line.from) || isNear(first.to, line.to)))
    if (met) met.push(line)
    else pillars.push([line])
  }
  return pillars.filter((pillar) => pillar.length >= 3)
}

/** Open sides: lines that go on beyond the last one that crosses them end at a border that is not drawn. */
function addEnds(borders: number[], crossing: readonly Line[], em: number): void {
  const from = Math.min(...crossing.map((line) => line.from))
  const to = Math.max(...crossing.map((line) => line.to))
  if (crossing.length === 0) return
  if (from < (borders[0] ?? Number.POSITIVE_INFINITY) - em * 0.8) borders.unshift(from)
  if (to > (borders.at(-1) ?? Number.NEGATIVE_INFINITY) + em * 0.8) borders.push(to)
}

/** For each border and each stretch between two borders of the other direction, whether a line is drawn. */
function presence(lines: readonly Line[], borders: readonly number[], others: readonly number[]): Mark[][] {
  const marks = borders.map(() => Array.from({ length: Math.max(0, others.length - 1) }, (): Mark => 0))
  for (const line of lines) {
    let nearest = 0
    for (const [index, border] of borders.entries())
      if (Math.abs(border - line.at) < Math.abs((borders[nearest] ?? 0) - line.at)) nearest = index
    const own = marks[nearest]
    if (!own) continue
    for (let index = 0; index < own.length; index++) {
      const [from, to] = [others[index] ?? 0, others[index + 1] ?? 0]
      if (shared(line.from, line.to, from, to) >= (to - from) * 0.5 && own[index] !== 2)
        own[index] = line.is_edge ? 1 : 2
    }
  }
  return marks
}

/** The same grid, turned by a quarter: rows become columns. */
export const transposed = (grid: Grid): Grid => ({
  ...grid,
  xs: grid.ys,
  ys: grid.xs,
  downs: grid.acrosses,
  acrosses: grid.downs,
})

/** Adds a border between two columns, with a mark for each row. */
export function withColumnBorder(grid: Grid, x: number, marks: Mark[]): Grid {
  const at = grid.xs.findIndex((border) => border > x)
  if (at <= 0) return grid
  return {
    ...grid,
    xs: grid.xs.toSpliced(at, 0, x),
    downs: grid.downs.toSpliced(at, 0, marks),
    acrosses: grid.acrosses.map((own) => own.toSpliced(at, 0, own[at - 1] ?? 0)),
  }
}

const strongest = (a: Mark = 0, b: Mark = 0): Mark => (a > b ? a : b)

/** Removes a column by making one border of the two beside it. */
export function withoutColumn(grid: Grid, column: number): Grid {
  const [left, right] = [grid.downs[column] ?? [], grid.downs[column + 1] ?? []]
  const both = left.map((mark, row) => strongest(mark, right[row]))
  const x = ((grid.xs[column] ?? 0) + (grid.xs[column + 1] ?? 0)) / 2
  return {
    ...grid,
    xs: grid.xs.toSpliced(column, 2, x),
    downs: grid.downs.toSpliced(column, 2, both),
    acrosses: grid.acrosses.map((own) => own.toSpliced(column, 1)),
  }
}

/** Makes one column of the two beside a border. */
export function mergedColumns(grid: Grid, border: number): Grid {
  return {
    ...grid,
    xs: grid.xs.toSpliced(border, 1),
    downs: grid.downs.toSpliced(border, 1),
    acrosses: grid.acrosses.map((own) => own.toSpliced(border - 1, 2, strongest(own[border - 1], own[border]))),
  }
}
