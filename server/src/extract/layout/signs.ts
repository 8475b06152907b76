// Columns of nothing but currency or percent signs, which belong to the values beside them.

import type { Stretch } from './gaps.ts'
import { middleX } from './geometry.ts'
import { type Grid, mergedColumns } from './grid.ts'
import type { Word } from './types.ts'

const CURRENCY = /^\p{Lu}{0,3}\p{Sc}$/u
const CLOSING = /^(\)|%|\)%)$/

/** Borders that may be removed: currency signs on their left, or percent signs on their right. */
export function signBorders(xs: readonly number[], words: readonly Word[]): number[] {
  const columns = xs.slice(1).map((x1, index) => ({ x0: xs[index] ?? 0, x1 }))
  return xs.slice(1, -1).flatMap((_, index) => {
    const [left, right] = [columns[index], columns[index + 1]]
    const isJoined = (left && hasOnly(CURRENCY, words, left)) || (right && hasOnly(CLOSING, words, right))
    return isJoined ? [index + 1] : []
  })
}

/** A heading above the signs may reach into their column, but a heading inside it names a column. */
function hasOnly(sign: RegExp, words: readonly Word[], { x0, x1 }: Stretch): boolean {
  const own = words.filter((word) => middleX(word) > x0 && middleX(word) <= x1)
  const signs = own.filter(({ text }) => sign.test(text))
  const top = Math.min(...signs.map(({ y0 }) => y0))
  const isHead = (word: Word) => word.y1 <= top && (word.x0 < x0 || word.x1 > x1)
  return signs.length > 0 && own.every((word) => signs.includes(word) || isHead(word))
}

/** Joins columns of signs with those of their values. */
export const withoutSignColumns = (grid: Grid, words: readonly Word[]): Grid =>
  signBorders(grid.xs, words).toReversed().reduce(mergedColumns, grid)

/** The same for columns that only space keeps apart. */
export function joinSigns(columns: readonly Stretch[], words: readonly Word[]): Stretch[] {
  const inner = columns.slice(1).map(({ x0 }, index) => ((columns[index]?.x1 ?? x0) + x0) / 2)
  const borders = signBorders([Number.NEGATIVE_INFINITY, ...inner, Number.POSITIVE_INFINITY], words)
  const result: Stretch[] = []
  for (const [index, column] of columns.entries()) {
    const last = result.at(-1)
    if (last && borders.includes(index)) last.x1 = column.x1
    else result.push({ ...column })
  }
  return result
}
