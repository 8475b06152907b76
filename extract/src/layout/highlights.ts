// Filled areas that are no cells: marked words in a line of text, and panels behind parts of a page.

import type { Table } from '@octavo/contract'
import { around, shared } from './geometry.ts'
import type { Grid } from './grid.ts'
import { rowsOf } from './lines.ts'
import type { Box, Word } from './types.ts'

/** In ems: the space between two words of a line. */
const WORD_SPACE = 0.5
const MIN_CELLS = 4
/** The share of lines. */
const MIN_CUT = 0.4

/** Whether no line is drawn in the grid: all of its borders are edges of filled areas. */
const isFilled = ({ downs, acrosses }: Grid): boolean => [...downs, ...acrosses].flat().every((mark) => mark < 2)

/** Whether the areas of a grid mark words, or are panels with few texts. */
export function isBackground(grid: Grid, table: Table, words: readonly Word[]): boolean {
  if (!isFilled(grid)) return false
  return table.cells.filter(({ text }) => text !== '').length < MIN_CELLS || isMarked(grid.box, words)
}

/** Whether many lines of text go on outside the grid, as where boxes are drawn around words. */
export function cutsLines(inside: readonly Word[], words: readonly Word[]): boolean {
  const held = new Set(inside)
  const { y0, y1 } = around(inside)
  const rows = rowsOf(words.filter((word) => shared(word.y0, word.y1, y0, y1) > 0))
  const own = rows.filter((row) => row.words.some((word) => held.has(word)))
  const cut = own.filter((row) =>
    row.words.some((word, index) => {
      const next = row.words[index + 1]
      if (!next || held.has(word) === held.has(next)) return false
      const space = next.x0 - word.x1
      return space > -word.size * 0.2 && space < word.size * WORD_SPACE
    }),
  )
  return cut.length >= Math.max(2, own.length * MIN_CUT)
}

/** Whether the text of a line goes on outside the areas, as close as words are. */
function isMarked(box: Box, words: readonly Word[]): boolean {
  return words.some(({ x0, y0, x1, y1, size }) => {
    if (shared(y0, y1, box.y0, box.y1) < (y1 - y0) * 0.6) return false
    const before = box.x0 - x1
    const after = x0 - box.x1
    return [before, after].some((space) => space > -size * 0.2 && space < size * WORD_SPACE)
  })
}
