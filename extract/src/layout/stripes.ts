// Striped tables: stripes that are interrupted between columns, or are behind every second row only.

import type { Grid } from './grid.ts'
import type { Row } from './lines.ts'

/** In ems. */
const MAX_STRIPE_GAP = 3
const MIN_STRIPES = 5
const MIN_HEADINGS = 3

/** Joins adjacent areas with the same rows and keeps their order. */
export function joinedBeside(grids: readonly Grid[], em: number): Grid[] {
  const joined: Grid[] = []
  for (const grid of grids) {
    const index = joined.findIndex((other) => areStripes(other, grid, em) || areStripes(grid, other, em))
    const met = joined[index]
    if (!met) joined.push(grid)
    else joined[index] = met.box.x0 < grid.box.x0 ? besideEachOther(met, grid) : besideEachOther(grid, met)
  }
  return joined.length < grids.length ? joinedBeside(joined, em) : joined
}

function areStripes(left: Grid, right: Grid, em: number): boolean {
  const distance = right.box.x0 - left.box.x1
  return (
    distance > -em * 0.3 &&
    distance < em * MAX_STRIPE_GAP &&
    left.ys.length === right.ys.length &&
    left.ys.length >= MIN_STRIPES &&
    left.ys.every((y, index) => Math.abs(y - (right.ys[index] ?? y)) < em * 0.3)
  )
}

/** The space between the two belongs to the left one, as far as its last column goes. */
function besideEachOther(left: Grid, right: Grid): Grid {
  const x = (left.box.x1 + right.box.x0) / 2
  return {
    ...left,
    box: { ...left.box, x1: right.box.x1 },
    xs: [...left.xs.slice(0, -1), x, ...right.xs.slice(1)],
    downs: [...left.downs, ...right.downs.slice(1)],
    acrosses: left.acrosses.map((own, row) => [...own, ...(right.acrosses[row] ?? [])]),
  }
}

/** Borders that only areas in other rows draw, between two texts of this row: every second row may be filled. */
export function openBorders({ xs, downs }: Grid, row: number, parts: readonly Row[]): number[] {
  const isFilled = (border: number): boolean => (downs[border] ?? []).every((mark) => mark !== 2)
  const isOpen = (border: number): boolean => border > 0 && border < xs.length - 1 && downs[border]?.[row] === 0
  const borders = xs.flatMap((_, border) => (isOpen(border) ? [border] : []))
  return borders.filter((border) => {
    const x = xs[border] ?? 0
    const [from, to] = [
      xs.findLastIndex((_, i) => i < border && !isOpen(i)),
      xs.findIndex((_, i) => i > border && !isOpen(i)),
    ]
    const near = parts.filter((part) => part.x1 > (xs[from] ?? 0) && part.x0 < (xs[to] ?? 0))
    const isBeside = near.some((part) => part.x1 <= x) && near.some((part) => part.x0 >= x)
    return isFilled(border) && isBeside && !near.some((part) => part.x0 < x && part.x1 > x)
  })
}

/** Borders that are open in a row of headings with one text for each column, as on a dark band. */
export function headBorders({ xs, downs }: Grid, row: number, parts: readonly Row[]): number[] {
  const isOpen = (border: number): boolean => border > 0 && border < xs.length - 1 && downs[border]?.[row] === 0
  const inside = (column: number) => parts.filter(({ x0, x1 }) => x1 > (xs[column] ?? 0) && x0 < (xs[column + 1] ?? 0))
  return xs.flatMap((_, border) => {
    if (!isOpen(border)) return []
    let [from, to] = [border - 1, border + 1]
    while (isOpen(from)) from--
    while (isOpen(to)) to++
    const columns = Array.from({ length: to - from }, (_unused, index) => inside(from + index))
    const texts = new Set(columns.flat())
    return columns.length >= MIN_HEADINGS && columns.every((own) => own.length === 1) && texts.size === columns.length
      ? [border]
      : []
  })
}
