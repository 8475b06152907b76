// Columns of nothing but currency or percent signs, which belong to the values beside them.

import type { Stretch } from './gaps.ts'
import { middleX, shared } from './geometry.ts'
import { type Grid, mergedColumns } from './grid.ts'
import type { Word } from './types.ts'

const CURRENCY = /^\p{Lu}{0,3}\p{Sc}$/u
/** In ems. */
const WORD_SPACE = 0.5
const CLOSING = /^(\)|%|\)%)$/

/** Borders that may be removed: currency signs on their left, or percent signs on their right. */
export function signBorders(xs: readonly number[], words: readonly Word[]): number[] {
  const columns = xs.slice(1).map((x1, index) => ({ x0: xs[index] ?? 0, x1 }))
  return xs.slice(1, -1).flatMap((_, index) => {
    const [left, right] = [columns[index], columns[index + 1]]
    if (!left || !right) return []
    return hasOnly(CURRENCY, words, left, right) || hasOnly(CLOSING, words, right, left) ? [index + 1] : []
  })
}

/** A heading above the signs names the values too, unless these have a heading as well. */
function hasOnly(sign: RegExp, words: readonly Word[], own: Stretch, values: Stretch): boolean {
  const within = ({ x0, x1 }: Stretch) => words.filter((word) => middleX(word) > x0 && middleX(word) <= x1)
  const held = within(own)
  const signs = held.filter(({ text }) => sign.test(text))
  const top = Math.min(...signs.map(({ y0 }) => y0))
  const isAbove = (word: Word): boolean => word.y1 <= top
  const headings = held.filter((word) => !signs.includes(word))
  if (signs.length === 0 || !headings.every(isAbove)) return false
  const others = within(values).filter(isAbove)
  const isShared = (word: Word) =>
    word.x0 < own.x0 || word.x1 > own.x1 || others.some((other) => areBeside(word, other))
  return others.length === 0 || headings.every(isShared)
}

/** Whether two words are as near as those of one heading. */
const areBeside = (a: Word, b: Word): boolean =>
  Math.abs(a.y1 - b.y1) < a.size * 0.2 && shared(a.x0, a.x1, b.x0, b.x1) > -a.size * WORD_SPACE

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
