// Rows above a table whose rows are filled areas: headings and first rows often have no area.

import type { Scale } from './gaps.ts'
import { around, holds, middleX, middleY, shared } from './geometry.ts'
import { type Grid, type Mark, transposed, withColumnBorder } from './grid.ts'
import { partsOf, type Row, rowsOf, textOfRow } from './lines.ts'
import type { Line } from './rules.ts'
import type { Word } from './types.ts'
import { isNumber } from './values.ts'

const MAX_ROWS = 6
const MIN_COLUMNS = 3
/** In words: a longer text is a paragraph. */
const MAX_WORDS = 6
/** In ems: between the baselines of two rows, and of two lines of one heading. */
const [MAX_STEP, MAX_LEADING] = [2, 1.35]

interface Given {
  words: readonly Word[]
  /** Grids that keep their words. */
  others: readonly Grid[]
  across: readonly Line[]
  scale: Scale
}

/** Adds the rows of text above a grid of areas that keep to its columns. */
export function withOpenTop(grid: Grid, { words, others, across, scale }: Given): Grid {
  if (grid.xs.length <= MIN_COLUMNS || grid.downs.slice(0, 2).flat().includes(2)) return grid
  const { x0, x1, y0 } = grid.box
  const height = scale.em * MAX_STEP * MAX_ROWS
  const near = words
    .filter((word) => middleY(word) < y0 && word.y1 > y0 - height && shared(word.x0, word.x1, x0, x1) > 0)
    .filter((word) => !others.some((other) => holds(other.box, word)))
  const rows = rowsAbove(grid, near, scale.gap)
  const [first] = rows
  if (!first) return grid
  const lines = across.filter(
    ({ at, from, to, is_edge }) => !is_edge && shared(from, to, grid.box.x0, grid.box.x1) > 0 && at < grid.box.y0,
  )
  const tops = rows.flatMap((row, index) => {
    const above = rows[index - 1]
    if (!above) return [row.y0 - row.size * 0.2]
    const line = lines.find(({ at }) => at > middleY(above) && at < middleY(row))
    if (line) return [line.at]
    return isNextLine(grid, row, above) ? [] : [(above.y1 + row.y0) / 2]
  })
  const [top = first.y0, ...inner] = tops
  const marks = grid.xs.slice(1).map((): Mark => 1)
  const taller = addedAbove(grid, top)
  return inner.reduce((result, y) => transposed(withColumnBorder(transposed(result), y, marks)), taller)
}

const firstBorder = ({ xs }: Grid): number => xs[1] ?? 0

/** From top to bottom. */
function rowsAbove(grid: Grid, words: readonly Word[], gap: number): Row[] {
  const { x0, x1, y0 } = grid.box
  const above = rowsOf(words).toReversed()
  const found: Row[] = []
  let pending: Row[] = []
  let below = y0
  for (const row of above.slice(0, MAX_ROWS)) {
    const parts = partsOf(row.words, gap * 1.2)
    if (below - row.y1 > row.size * (MAX_STEP - 1) || row.x0 < x0 - row.size || row.x1 > x1 + row.size) break
    const border = firstBorder(grid)
    if (parts.some((part) => part.x0 < border - part.size * 0.3 && part.x1 > border + part.size * 0.3)) break
    if (parts.some((part) => middleX(part) > border && part.words.length > MAX_WORDS)) break
    below = row.y0
    pending.push(row)
    if (!parts.some((part) => middleX(part) > border)) continue
    found.push(...pending)
    pending = []
  }
  return found.toReversed()
}

/** Whether a line goes on with the headings above it. */
function isNextLine(grid: Grid, row: Row, above: Row): boolean {
  const isLabel = (word: Word) => middleX(word) < firstBorder(grid)
  if (row.y1 - above.y1 > row.size * MAX_LEADING || row.words.every(isLabel)) return false
  return !above.words.some((word) => !isLabel(word) && isNumber(textOfRow([word])) && word.text.length > 4)
}

const addedAbove = (grid: Grid, top: number): Grid => ({
  ...grid,
  box: around([grid.box, { ...grid.box, y0: top }]),
  ys: [top, ...grid.ys],
  downs: grid.downs.map((own) => [1, ...own]),
  acrosses: [grid.xs.slice(1).map((): Mark => 1), ...grid.acrosses],
})
