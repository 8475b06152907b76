// Columns that only space keeps apart, within those that lines keep apart.

import { columnsOf, type Scale } from './gaps.ts'
import { middleX, middleY, placeIn } from './geometry.ts'
import { type Grid, type Mark, withColumnBorder } from './grid.ts'
import { partsOf, rowsOf } from './lines.ts'
import { signBorders } from './signs.ts'
import type { Word } from './types.ts'

export function withGapColumns(grid: Grid, words: readonly Word[], scale: Scale): Grid {
  let result = grid
  for (const [index, x0] of grid.xs.slice(0, -1).entries()) {
    const x1 = grid.xs[index + 1] ?? x0
    const own = words.filter((word) => middleX(word) > x0 && middleX(word) < x1 && !isSpanned(grid, word, index))
    for (const x of gapsIn(own, grid, scale)) {
      const marks = grid.ys.slice(1).map((): Mark => 1)
      result = withColumnBorder(result, x, marks)
    }
  }
  return result
}

/** Whether a word is in a row in which its column has no border on one of its inner sides. */
function isSpanned({ xs, ys, downs }: Grid, word: Word, column: number): boolean {
  const row = placeIn(ys, middleY(word))
  return [column, column + 1].some((border) => border > 0 && border < xs.length - 1 && downs[border]?.[row] === 0)
}

function gapsIn(words: readonly Word[], grid: Grid, scale: Scale): number[] {
  const rows = rowsOf(words)
  const several = rows.filter((row) => partsOf(row.words, scale.gap * 1.4).length > 1).length
  if (rows.length < 2 || several < Math.max(2, Math.min(rows.length, grid.ys.length - 1) * 0.6)) return []
  const columns = columnsOf(rows, scale)
  const borders = columns.slice(1).map((column, index) => ((columns[index]?.x1 ?? column.x0) + column.x0) / 2)
  const signs = signBorders([Number.NEGATIVE_INFINITY, ...borders, Number.POSITIVE_INFINITY], words)
  return borders.filter((_, index) => !signs.includes(index + 1))
}
