// Headings of several lines: lines above the first values that are set as tightly as one text.

import type { Piece } from './gaps.ts'
import { middleX, shared } from './geometry.ts'
import { type Row, textOfRow } from './lines.ts'
import type { Candidate } from './parts.ts'
import type { TableLine } from './table-rows.ts'
import { isNumber, isValue } from './values.ts'

/** In ems, between two baselines. */
const MAX_LEADING = 1.45
const MAX_LINES = 6
const MIN_COLUMNS = 3
/** In ems: how far apart the edges or the middles of a heading's lines are at most. */
const SAME_EDGE = 0.7
/** In characters. */
const MAX_HEADING = 24

/** Makes one line of the lines of a table's headings; a heading that spans columns keeps them apart. */
export function joinHead(lines: readonly TableLine[], borders: readonly number[]): TableLine[] {
  const first = firstRow(lines)
  const head = lines.slice(0, first)
  const [top] = head
  const last = head.at(-1)
  const columns = Math.max(0, ...head.map(({ pieces }) => pieces.length))
  if (!top || !last || columns < MIN_COLUMNS || head.length < 2 || head.length > MAX_LINES || lines.length === first)
    return [...lines]
  const is_one = head.every((line, index) => {
    const above = head[index - 1]
    const is_label = line.pieces.length === 1 && line.pieces[0]?.column === 0 && index > 0
    if (is_label || line.pieces.some(({ span, words }) => span > 1 || !isHeading(textOfRow(words)))) return false
    return !above || (line.y1 - above.y1 < line.size * MAX_LEADING && isAlike(line, above))
  })
  if (!is_one || borders.some((at) => at > top.y0 && at < last.y1 - last.size * 0.3)) return [...lines]
  const pieces: Piece[] = []
  for (const piece of head.flatMap((line) => line.pieces)) {
    const met = pieces.find(({ column }) => column === piece.column)
    if (met) met.words.push(...piece.words)
    else pieces.push({ ...piece, words: [...piece.words] })
  }
  return [{ ...last, y0: top.y0, pieces }, ...lines.slice(first)]
}

/** The first row with values; without values, the row below headings of which only some have two lines. */
function firstRow(lines: readonly TableLine[]): number {
  const [top, next] = lines
  const data = lines.findIndex(({ pieces }) => areData(pieces))
  if (data >= 0) return lines.length - data < 2 ? 0 : data
  return top && next && top.pieces.length * 2 < next.pieces.length ? 2 : 0
}

/** A text with a colon is a label beside its value. */
const isHeading = (text: string): boolean => !isNumber(text) && !/[:：](\s|$)/.test(text)

const isBold = ({ pieces }: TableLine): boolean =>
  pieces.every(({ words }) => words.every((word) => word.is_bold === true))

const isAlike = (line: TableLine, above: TableLine): boolean =>
  isBold(line) === isBold(above) && Math.abs(line.size - above.size) < line.size * 0.1

const areData = (pieces: readonly Piece[]): boolean =>
  pieces.filter(({ words }) => isValue(textOfRow(words))).length >= Math.max(1, pieces.length * 0.4)

/** Rows above a run that are first lines of its headings. */
export function upperHead(before: readonly Candidate[], run: readonly Candidate[]): Candidate[] {
  let head = run[0]?.parts ?? []
  if (head.length < MIN_COLUMNS || head.some(({ words }) => isValue(textOfRow(words)))) return []
  const found: Candidate[] = []
  for (const candidate of before.toReversed()) {
    if (!isUpperHead(candidate.row, candidate.parts, head)) break
    found.unshift(candidate)
    head = candidate.parts
  }
  return found
}

/** Whether the parts of a row are first lines of the headings below it. */
function isUpperHead(row: Row, parts: readonly Row[], head: readonly Row[]): boolean {
  const [below] = head
  if (!below || below.y1 - row.y1 > row.size * MAX_LEADING || Math.abs(below.size - row.size) > row.size * 0.1)
    return false
  return parts.every((part) => {
    const over = head.filter((other) => shared(part.x0, part.x1, other.x0, other.x1) > 0)
    const [heading] = over
    const text = textOfRow(part.words)
    return (
      over.length === 1 &&
      heading !== undefined &&
      text.length <= MAX_HEADING &&
      !isValue(text) &&
      isOver(part, heading)
    )
  })
}

function isOver(part: Row, heading: Row): boolean {
  const offs = [part.x0 - heading.x0, part.x1 - heading.x1, middleX(part) - middleX(heading)]
  return offs.some((off) => Math.abs(off) < part.size * SAME_EDGE)
}
