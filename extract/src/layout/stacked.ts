// Tables with lines between rows only.

import type { FoundBlock } from './cells.ts'
import { columnsOf, type Scale, scaled } from './gaps.ts'
import { median, middleY } from './geometry.ts'
import { type Row, rowsOf } from './lines.ts'
import { withParts } from './parts.ts'
import type { Line } from './rules.ts'
import { letters, rtlLetters, weightOf } from './script.ts'
import type { Word } from './types.ts'
import { blocksFrom } from './unruled.ts'
import { isNumber, isValue } from './values.ts'

/** In ems: more space than this above or below a line of text may be that between a table and the text around it. */
const MAX_AIR = 1.2
/** In ems: between headings and the first row, with a line between them. */
const MAX_HEAD_DISTANCE = 2.8

/** The content between two lines of a stack. */
interface Band {
  rows: Row[]
  /** Rows that have something in several columns, and those that are lines of a paragraph. */
  several: number
  full: number
  /** Between the text and the lines, at its widest, in ems. */
  air: number
}

/** Lines of one width may belong to several tables, or to none: text between two of them ends a table. */
export function findStacked(
  words: readonly Word[],
  stack: readonly Line[],
  { scale, across }: { scale: Scale; across: readonly Line[] },
): FoundBlock[] {
  const lines = stack.toSorted((a, b) => a.at - b.at)
  const [first] = lines
  if (!first) return []
  const all = rowsOf(words.filter(({ x0, x1 }) => (x0 + x1) / 2 > first.from - 2 && (x0 + x1) / 2 < first.to + 2))
  if (areSums(all, words)) return []
  const bands = lines.slice(1).map((line, index) => bandOf(all, lines[index] ?? line, line, scale))
  const usual = median(bands.filter(({ several }) => several > 0).map(({ air }) => air))
  const groups: Row[][] = [[]]
  for (const band of bands) {
    if (isBetween(band, usual)) groups.push([])
    else groups.at(-1)?.push(...band.rows)
  }
  return groups.flatMap((rows) => {
    if (rows.length === 0) return []
    const above = outside(all, rows, -1, { scale, lines })
    const whole = [...above, ...rows, ...outside(all, rows, 1, { scale, lines })]
    const candidates = whole.map((row) => withParts(row, scale))
    return whole.length >= 2 ? blocksFrom(candidates, scale, { borders: across, banners: [] }) : []
  })
}

/** Lines above and below the sums of one column: all it holds are values, and the rows go on beside it. */
function areSums(rows: readonly Row[], words: readonly Word[]): boolean {
  const own = new Set(rows.flatMap((row) => row.words))
  const values = [...own].filter(({ text }) => isValue(text) || /^\p{Sc}$/u.test(text)).length
  if (rows.length === 0 || values < own.size * 0.8) return false
  const others = words.filter((word) => !own.has(word))
  const isBeside = (row: Row) => others.some((word) => Math.abs(word.y1 - row.y1) < row.size * 0.2)
  return rows.filter(isBeside).length >= rows.length * 0.6
}

function bandOf(all: readonly Row[], above: Line, below: Line, scale: Scale): Band {
  const rows = all.filter((row) => middleY(row) > above.at && middleY(row) < below.at)
  const full = rows.filter((row) => isFull(row, above, scale)).length
  const several = rows.filter((row) => withParts(row, scale).parts.length > 1).length
  const [first] = rows
  const last = rows.at(-1)
  const air = first && last ? Math.max((first.y0 - above.at) / first.size, (below.at - last.y1) / last.size) : 0
  return { rows, several, full, air }
}

/** Whether it is text between two tables, and not a row. */
function isBetween({ rows, several, full, air }: Band, usual: number): boolean {
  if (full > several) return true
  return rows.length > 0 && several === 0 && air > Math.max(MAX_AIR, usual * 2)
}

/** Rows above the first line or below the last one that use the same columns. */
function outside(
  all: readonly Row[],
  rows: readonly Row[],
  step: -1 | 1,
  { scale, lines }: { scale: Scale; lines: readonly Line[] },
): Row[] {
  const found: Row[] = []
  let last = step < 0 ? rows[0] : rows.at(-1)
  for (let index = last ? all.indexOf(last) + step : -1; last && index >= 0 && index < all.length; index += step) {
    const row = all[index]
    if (!row) break
    const distance = step < 0 ? last.y0 - row.y1 : row.y0 - last.y1
    const { parts } = withParts(row, scale)
    const most = parts.length >= 3 && isHead(row, last, lines) ? MAX_HEAD_DISTANCE : 1.2
    if (distance > row.size * most || isFull(row, { from: row.x0, to: row.x1 }, scale)) break
    if (parts.length < 2 || columnsOf([...rows.slice(0, 8), row], scaled(scale, row.size)).length < 2) break
    found.push(row)
    last = row
  }
  return step < 0 ? found.reverse() : found
}

/** Headings above the first line of a table, which keep more distance to its rows. */
function isHead(row: Row, below: Row, lines: readonly Line[]): boolean {
  const is_lined = lines.some(({ at }) => at > row.y1 - row.size * 0.3 && at < below.y0 + below.size * 0.3)
  return row.y0 < below.y0 && is_lined && !row.words.some(({ text }) => isNumber(text))
}

/** A line of a paragraph, or of two columns of text: it begins where the lines begin, as one that goes on in a cell may not. */
function isFull(row: Row, { from, to }: Pick<Line, 'from' | 'to'>, scale: Scale): boolean {
  const { parts } = withParts(row, scale)
  const weights = parts.map(({ words }) => words.reduce((sum, { text }) => sum + weightOf(text) + 1, 0))
  if (parts.length > 2 || Math.min(...weights) <= 35) return false
  if (parts.length === 2) return true
  const start = isRtl(row) ? to - row.x1 : row.x0 - from
  return row.x1 - row.x0 > (to - from) * 0.6 && start < row.size * 2
}

function isRtl({ words }: Row): boolean {
  const [rtl, all] = words.reduce(([some, every], { text }) => [some + rtlLetters(text), every + letters(text)], [0, 0])
  return rtl > 0 && rtl * 2 > all
}
