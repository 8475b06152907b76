// Numbers that count the lines of a transcript, a bill or a manuscript are no part of its text.

import { around, median, shared } from './geometry.ts'
import type { Row } from './lines.ts'
import type { Word } from './types.ts'

const MIN_LINES = 10

/** Rows without the numbers that count them, where most rows of the page begin with the next number. */
export function withoutLineNumbers(rows: readonly Row[]): Row[] {
  const numbered = rows.flatMap((row) => {
    const [first, second] = row.words
    if (!first || !/^\d{1,3}$/.test(first.text)) return []
    return second && second.x0 - first.x1 < first.size * 0.8 ? [] : [{ row, first, number: Number(first.text) }]
  })
  const right = median(numbered.map(({ first }) => first.x1))
  const own = numbered.filter(({ first }) => Math.abs(first.x1 - right) < first.size * 0.5)
  const steps = own.slice(1).filter(({ number }, index) => number - (own[index]?.number ?? 0) === 1)
  const is_counted =
    own.length >= MIN_LINES &&
    own.length >= rows.length * 0.6 &&
    steps.length >= (own.length - 1) * 0.9 &&
    !hasHeading(
      own.map(({ first }) => first),
      rows,
    )
  if (!is_counted) return [...rows]
  const counters = new Set(own.map(({ first }) => first))
  return rows.flatMap((row) => {
    const words = row.words.filter((word) => !counters.has(word))
    return words.length === 0 ? [] : [{ ...row, ...around(words), words }]
  })
}

/** The first column of a table has a heading above it. A number above it belongs to the head of the page. */
function hasHeading(numbers: readonly Word[], rows: readonly Row[]): boolean {
  const [first] = numbers
  const { x0, x1 } = around(numbers)
  const isNear = (word: Word) =>
    first !== undefined &&
    !/\d/.test(word.text) &&
    word.y1 <= first.y0 + first.size * 0.3 &&
    first.y0 - word.y1 < first.size * 3 &&
    shared(word.x0, word.x1, x0, x1) > 0
  return rows.some(({ words }) => words.some((word) => word !== first && isNear(word)))
}
