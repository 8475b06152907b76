// Stripes of a table that are interrupted between its columns.

import type { Grid } from './grid.ts'

/** In ems. */
const MAX_STRIPE_GAP = 3
const MIN_STRIPES = 5

/** Joins areas side by side that have the same rows; the order stays. */
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
