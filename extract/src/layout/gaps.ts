// Columns that nothing but empty space keeps apart.

import { around, median, shared } from './geometry.ts'
import { partsOf, type Row } from './lines.ts'
import type { Word } from './types.ts'

export interface Stretch {
  x0: number
  x1: number
}

/** The words of one row of a table in `span` columns from `column` (from 0). */
export interface Piece {
  column: number
  span: number
  words: Word[]
}

/** The size of the text, and the least width of a gap between two columns rather than between two words. */
export interface Scale {
  em: number
  gap: number
}

const BINS_PER_EM = 8
const MAX_BINS = 20_000
const MAX_PARTS = 20_000
const MAX_COLUMNS = 200

/** A few rows may reach over a gap: a heading over two columns, a cell that is longer than all others. */
function tolerated(rows: number): number {
  if (rows >= 8) return Math.ceil(rows * 0.12)
  return rows >= 4 ? 1 : 0
}

/** From the spaces of the whole page: those of most words are narrower than those between columns. */
export function scaleOf(rows: readonly Row[], em: number): Scale {
  const spaces: number[] = []
  for (const { words, size } of rows) {
    for (const [index, word] of words.entries()) {
      const next = words[index + 1]
      const space = next ? (next.x0 - word.x1) / size : 0
      if (space > 0.1 && space < 0.9) spaces.push(space)
    }
  }
  return { em, gap: em * Math.min(0.9, Math.max(0.4, (spaces.length < 8 ? 0.3 : median(spaces)) * 1.35)) }
}

export const scaled = ({ em, gap }: Scale, size: number): Scale => ({ em: size, gap: (gap * size) / em })

export function columnsOf(rows: readonly Row[], { em, gap }: Scale): Stretch[] {
  const every = rows.map(({ words }) => partsOf(words, gap))
  const parts = fullest(every)
  const { x0, x1 } = around(rows)
  const bin = Math.max(em / BINS_PER_EM, (x1 - x0) / MAX_BINS)
  const counts = new Uint16Array(Math.ceil((x1 - x0) / bin) + 1)
  for (const part of parts.flat()) {
    const last = Math.floor((part.x1 - x0) / bin)
    for (let index = Math.floor((part.x0 - x0) / bin); index <= last; index++) counts[index] = (counts[index] ?? 0) + 1
  }
  const columns = covered(counts, tolerated(parts.length), (gap * 0.75) / bin).map(([from, to]) => ({
    x0: x0 + from * bin,
    x1: x0 + to * bin,
  }))
  // A table this wide is unreadable, and each column would be compared with everything on the page.
  if (columns.length > MAX_COLUMNS) return []
  return withoutHalves(withLonely(columns, every.flat(), gap), every)
}

/** Rows with many parts show the columns; what reaches over several of them in other rows does not hide a gap. */
function fullest(parts: readonly Row[][]): readonly Row[][] {
  const most = Math.max(...parts.map(({ length }) => length))
  const full = parts.filter(({ length }) => length >= most * 0.7)
  return most >= 4 && full.length >= 3 ? full : parts
}

/** A heading at the left over numbers at the right: what looks like two columns never has something in both. */
function withoutHalves(columns: Stretch[], parts: readonly Row[][]): Stretch[] {
  const filled = columns.map((column) => {
    const own = parts.flatMap((row, index) =>
      row.some((part) => shared(part.x0, part.x1, column.x0, column.x1) > 0) ? [index] : [],
    )
    return new Set(own)
  })
  const few = Math.max(1, tolerated(parts.length))
  const result: Stretch[] = []
  let pending: Stretch | null = null
  for (const [index, column] of columns.entries()) {
    const own = filled[index] ?? new Set()
    const isApart = (other: Set<number> | undefined) => other !== undefined && own.isDisjointFrom(other)
    const [with_left, with_right] = [isApart(filled[index - 1]) && !pending, isApart(filled[index + 1])]
    const last = result.at(-1)
    if (parts.length < 3 || own.size > few || (!with_left && !with_right)) {
      result.push(pending ? { x0: pending.x0, x1: column.x1 } : column)
      pending = null
    } else if (with_left && with_right) pending = null
    else if (with_right) pending = column
    else if (last) last.x1 = column.x1
  }
  if (pending) result.push(pending)
  return result
}

/** Runs of bins that more than `least` rows cover. */
function covered(counts: Uint16Array, least: number, min_gap: number): [number, number][] {
  const runs: [number, number][] = []
  for (let index = 0; index < counts.length; index++) {
    if ((counts[index] ?? 0) <= least) continue
    const last = runs.at(-1)
    if (last && index - last[1] < min_gap) last[1] = index + 1
    else runs.push([index, index + 1])
  }
  return runs
}

/**
 * A column with few entries has too few rows to be detected; text outside all columns becomes one if it has room on
 * both sides.
 */
function withLonely(columns: Stretch[], parts: readonly Row[], gap: number): Stretch[] {
  const all = [...columns]
  if (parts.length > MAX_PARTS) return all
  const lonely = parts.filter(
    (part) => !columns.some((column) => shared(part.x0, part.x1, column.x0, column.x1) > -gap * 0.4),
  )
  for (const part of lonely.toSorted((a, b) => a.x0 - b.x0)) {
    const met = all.find((column) => shared(part.x0, part.x1, column.x0, column.x1) > -gap * 0.8)
    if (!met) all.push({ x0: part.x0, x1: part.x1 })
    else if (!columns.includes(met)) met.x1 = Math.max(met.x1, part.x1)
  }
  return all.sort((a, b) => a.x0 - b.x0)
}

/** The words of a row by column. Text over several columns stays together unless a column gap splits it. */
export function piecesOf(row: Row, columns: readonly Stretch[], { gap }: Scale, is_head = false): Piece[] {
  const pieces: Piece[] = []
  for (const part of partsOf(row.words, gap)) {
    for (const words of (is_head && cutByEdges(part.words, columns, part.size)) || cutAt(part, columns, gap)) {
      const place = placeOf(words, columns)
      const met = pieces.find(
        (piece) => place.column < piece.column + piece.span && piece.column < place.column + place.span,
      )
      if (!met) {
        pieces.push({ ...place, words })
        continue
      }
      const end = Math.max(met.column + met.span, place.column + place.span)
      met.column = Math.min(met.column, place.column)
      met.span = end - met.column
      for (const word of words) met.words.push(word)
    }
  }
  return pieces
}

function cutAt(part: Row, columns: readonly Stretch[], gap: number): Word[][] {
  const pieces: Word[][] = []
  let last: Word | null = null
  for (const word of part.words) {
    const piece = pieces.at(-1)
    if (piece && last && !isCut(last, word, columns, gap)) piece.push(word)
    else pieces.push([word])
    last = word
  }
  return pieces
}

/** Headings may be as near to each other as words, where each begins or each ends with its column. */
function cutByEdges(words: readonly Word[], columns: readonly Stretch[], em: number): Word[][] | null {
  const whole = around(words)
  const over = columns.filter(({ x0, x1 }) => shared(whole.x0, whole.x1, x0, x1) > em * 0.35)
  if (over.length < 2 || words.length < over.length) return null
  const isNear = (a: number, b: number | undefined) => b !== undefined && Math.abs(a - b) < em * 0.5
  const starts = words.flatMap((word, index) => (over.some(({ x0 }) => isNear(word.x0, x0)) ? [index] : []))
  if (starts[0] === 0 && starts.length === over.length) return piecesBetween(words, starts)
  const ends = words.flatMap((word, index) => (over.some(({ x1 }) => isNear(word.x1, x1)) ? [index + 1] : []))
  if (ends.at(-1) === words.length && ends.length === over.length)
    return piecesBetween(words, [0, ...ends.slice(0, -1)])
  return null
}

const piecesBetween = (words: readonly Word[], starts: readonly number[]): Word[][] =>
  starts.map((start, index) => words.slice(start, starts[index + 1]))

function isCut(before: Word, after: Word, columns: readonly Stretch[], gap: number): boolean {
  if (after.x0 - before.x1 < gap * 0.85) return false
  return columns.some((column, index) => {
    const next = columns[index + 1]
    return next !== undefined && shared(before.x1, after.x0, column.x1, next.x0) > gap * 0.6
  })
}

function placeOf(words: readonly Word[], columns: readonly Stretch[]): { column: number; span: number } {
  const { x0, x1 } = around(words)
  let [first, last, nearest, best] = [-1, -1, 0, Number.NEGATIVE_INFINITY]
  for (const [index, column] of columns.entries()) {
    const common = shared(x0, x1, column.x0, column.x1)
    if (common > best) [best, nearest] = [common, index]
    if (common <= Math.min(x1 - x0, column.x1 - column.x0) * 0.15) continue
    if (first < 0) first = index
    last = index
  }
  if (first >= 0) return { column: first, span: last - first + 1 }
  // Between two columns and in none of them: a heading over both.
  const after = columns.findIndex((column) => column.x0 >= x1)
  const before = columns.findLastIndex((column) => column.x1 <= x0)
  return after === before + 1 && before >= 0 ? { column: before, span: 2 } : { column: nearest, span: 1 }
}
