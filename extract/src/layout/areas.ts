// Filled areas that may be cells: not the backgrounds of single lines, nor panels behind several things.

import { around, holds, middleY, shared } from './geometry.ts'
import { partsOf, type Row } from './lines.ts'
import type { Box } from './types.ts'

/** Each is compared with all rows. */
const MAX_FILLS = 2_000
/** In ems of the text: how far the background of a line reaches beyond its words. */
const MAX_PADDING = 0.4
/** In ems. */
const MAX_LINE_HEIGHT = 1.9
const MIN_PANEL_HEIGHT = 20
const MIN_BEYOND = 1

export function cellAreas(
  fills: readonly Box[],
  { rules, rows, em }: { rules: readonly Box[]; rows: readonly Row[]; em: number },
): readonly Box[] {
  if (fills.length > MAX_FILLS) return fills
  const columns = rules.filter(({ x0, y0, x1, y1 }) => y1 - y0 >= (x1 - x0) * 4)
  return fills.filter((fill) => !isLineBackground(fill, rows) && !isPanel(fill, columns, em))
}

/** Whether it is as long as the words of one line: word processors draw such areas behind text. */
function isLineBackground(fill: Box, rows: readonly Row[]): boolean {
  const { x0, y0, x1, y1 } = fill
  const inside = rows.filter((row) => middleY(row) > y0 && middleY(row) < y1)
  const [row] = inside
  if (!row || inside.length > 1 || y1 - y0 > row.size * MAX_LINE_HEIGHT) return false
  const words = row.words.filter((word) => holds(fill, word))
  if (partsOf(words, row.size).length !== 1) return false
  const text = around(words)
  const reach = row.size * MAX_PADDING
  return Math.abs(text.x0 - x0) < reach && Math.abs(text.x1 - x1) < reach
}

/** Whether it is high and reaches above and below all lines between columns that are drawn on it. */
function isPanel({ x0, y0, x1, y1 }: Box, columns: readonly Box[], em: number): boolean {
  if (y1 - y0 < em * MIN_PANEL_HEIGHT) return false
  const own = columns.filter((line) => line.x0 > x0 - em && line.x1 < x1 + em && shared(line.y0, line.y1, y0, y1) > 0)
  if (own.length < 2) return false
  const drawn = around(own)
  return drawn.y0 - y0 > em * MIN_BEYOND && y1 - drawn.y1 > em * MIN_BEYOND
}
