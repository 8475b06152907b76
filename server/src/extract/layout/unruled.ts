// Tables and fields without lines: rows of parts that align below each other.

import { type FoundTable, tableOf } from './cells.ts'
import { columnsOf, piecesOf, type Scale, type Stretch, scaled } from './gaps.ts'
import { around, median, shared } from './geometry.ts'
import { widenHead } from './head.ts'
import { partsOf, type Row } from './lines.ts'
import type { Line } from './rules.ts'
import { rtlLetters, weightOf } from './script.ts'
import { mergeLines } from './table-rows.ts'
import type { Box } from './types.ts'

/** In multiples of the gap between columns. */
const PART_GAP = 1.4
/** In ems, from the foot of one row to the head of the next. */
const MAX_ROW_GAP = 2.2
const MAX_LOOK_BACK = 12
const MARKER =
  /^([\u2022\u25e6\u25aa\u2023\u2043\u25cb\u25cf\u25a0\u25a1\u27a2\u2713\u2013\u2014*\uf0b7\uf0a7·-]|\(?(\d{1,3}|[a-z]|[ivx]{1,5})[.)])$/i
const LEADER = /(\.\s?){5,}|…{2,}|_{5,}/

export interface Candidate {
  row: Row
  parts: Row[]
}

/** Rows of one region, from top to bottom. A row of banners ends the block above it and is the title of the next one. */
export function findUnruled(rows: readonly Row[], scale: Scale, borders: readonly Line[]): FoundTable[] {
  const candidates = rows.map((row) => withParts(row, scale))
  const tables: FoundTable[] = []
  for (let index = 0; index < candidates.length; ) {
    const run = runFrom(candidates, index, scale)
    const table = run.length >= 2 ? tableFrom(run, scale, borders) : null
    if (table) tables.push(table)
    index += table ? run.length : Math.max(1, firstJump(run))
  }
  return tables
}

export const withParts = (row: Row, scale: Scale): Candidate => ({
  row,
  parts: looseParts(row, scaled(scale, row.size)),
})

/** Where a run that is no table may be tried again: from the next row with several parts. */
const firstJump = (run: readonly Candidate[]): number => {
  const next = run.findIndex(({ parts }, index) => index > 0 && parts.length > 1)
  return next < 0 ? run.length : next
}

/** A loose line has wide spaces everywhere; a row of a table has a few that are wider than the others. */
function looseParts(row: Row, { gap }: Scale): Row[] {
  const parts = partsOf(row.words, gap * PART_GAP)
  if (parts.length === 1 || row.words.length < 6) return parts
  const gaps = row.words.slice(1).map((word, index) => word.x0 - (row.words[index]?.x1 ?? word.x0))
  const usual = median(gaps)
  return usual < row.size * 0.7 && usual * 2 > gap * PART_GAP ? partsOf(row.words, usual * 2) : parts
}

function runFrom(candidates: readonly Candidate[], start: number, scale: Scale): Candidate[] {
  const first = candidates[start]
  if (!first || first.parts.length < 2) return first ? [first] : []
  const run = [first]
  for (let index = start + 1; index < candidates.length; index++) {
    const candidate = candidates[index]
    const above = run.at(-1)
    if (!candidate || !above) break
    if (candidate.row.y0 - above.row.y1 > candidate.row.size * MAX_ROW_GAP) break
    if (candidate.parts.length < 2 && !fits(candidate, run, candidates[index + 1], scale)) break
    if (candidate.parts.length > 1 && !isAligned(candidate, run, scale)) break
    run.push(candidate)
  }
  return trimmed(run)
}

/** A row with one part: a cell that goes on, a sparse row, or a heading between rows. */
function fits(
  { row, parts }: Candidate,
  run: readonly Candidate[],
  next: Candidate | undefined,
  scale: Scale,
): boolean {
  const [part] = parts
  if (!part) return false
  const recent = run.slice(-MAX_LOOK_BACK)
  const box = around(recent.map((candidate) => candidate.row))
  const columns = columnsOf(
    recent.map((candidate) => candidate.row),
    scaled(scale, row.size),
  )
  const over = columns.filter((column) => shared(part.x0, part.x1, column.x0, column.x1) > 0)
  const above = run.at(-1)
  if (over.length <= 1)
    return part.x0 > box.x0 - row.size && above !== undefined && row.y0 - above.row.y1 < row.size * 1.5
  return (
    next !== undefined &&
    next.parts.length > 1 &&
    part.x1 - part.x0 < (box.x1 - box.x0) * 0.8 &&
    isAligned(next, run, scale)
  )
}

/** Larger than the rows above it, or bold where they are not. */
function isAligned({ row }: Candidate, run: readonly Candidate[], scale: Scale): boolean {
  const rows = [...run.slice(-6).map((candidate) => candidate.row), row]
  return columnsOf(rows, scaled(scale, row.size)).length > 1
}

function trimmed(run: Candidate[]): Candidate[] {
  const distances = run.slice(1).map(({ row }, index) => row.y1 - (run[index]?.row.y1 ?? 0))
  const usual = median(distances)
  while (run.length > 1 && (run.at(-1)?.parts.length ?? 0) < 2) {
    const last = run.at(-1)?.row
    const above = run.at(-2)?.row
    if (!last || !above) break
    const is_first_column = last.x0 - around(run.map(({ row }) => row)).x0 < last.size
    if (!is_first_column && last.y1 - above.y1 <= usual * 1.1) break
    run.pop()
  }
  return run
}

export function tableFrom(run: readonly Candidate[], scale: Scale, borders: readonly Line[]): FoundTable | null {
  const rows = run.map(({ row }) => row)
  const own = scaled(scale, median(rows.map(({ size }) => size)))
  const columns = columnsOf(rows, own)
  const several = run.filter(({ parts }) => parts.length > 1).length
  if (columns.length < 2 || several < 2 || (columns.length === 2 && rows.length < 3)) return null
  if (!looksLikeTable(run, columns)) return null
  const lines = rows.map((row) => ({ y0: row.y0, y1: row.y1, size: row.size, pieces: piecesOf(row, columns, own) }))
  widenHead(lines, columns)
  const box = around(rows)
  const across = borders.filter((line) => isBorder(line, { box, rows, columns }))
  const merged = mergeLines(
    lines,
    columns,
    across.map(({ at }) => at),
  )
  const filled = merged.reduce((sum, { pieces }) => sum + pieces.reduce((all, { span }) => all + span, 0), 0)
  if (merged.length < 2 || filled < merged.length * columns.length * 0.4) return null
  const isOpen = (row: number, column: number): boolean => {
    const heights = merged[row]?.borders ?? []
    const place = columns[column]
    if (heights.length === 0 || !place) return false
    const covers = ({ at, from, to }: Line) =>
      heights.includes(at) && shared(from, to, place.x0, place.x1) > (place.x1 - place.x0) * 0.5
    return !across.some(covers)
  }
  const table = tableOf(
    merged.map(({ pieces }) => pieces),
    columns.length,
    isOpen,
  )
  return { box, table, words: new Set(rows.flatMap(({ words }) => words)) }
}

interface Drawn {
  box: Box
  rows: readonly Row[]
  columns: readonly Stretch[]
}

/** A line over the whole table, or over whole columns if it is not what a text is underlined with. */
function isBorder({ at, from, to }: Line, { box, rows, columns }: Drawn): boolean {
  if (at < box.y0 || at > box.y1) return false
  const part = shared(from, to, box.x0, box.x1) / (box.x1 - box.x0)
  if (part > 0.9) return true
  const covers = ({ x0, x1 }: Stretch) => shared(from, to, x0, x1) > (x1 - x0) * 0.95
  return (part > 0.4 || columns.some(covers)) && !rows.some(({ y0, y1 }) => y0 < at && at < y1)
}

/** A bullet or a number and one text; from right to left it stands at the right. */
function isItem(parts: readonly Row[]): boolean {
  const [left, right] = parts
  if (!left || !right || parts.length > 2) return false
  return isMarker(left) || (isMarker(right) && left.words.some(({ text }) => rtlLetters(text) > 0))
}

const isMarker = ({ words }: Row): boolean => words.length === 1 && MARKER.test(words[0]?.text ?? '')

function looksLikeTable(run: readonly Candidate[], columns: readonly Stretch[]): boolean {
  const [first] = columns
  let [markers, leaders, weight, count] = [0, 0, 0, 0]
  for (const { row, parts } of run) {
    const words = row.words.filter((word) => first && word.x1 <= first.x1 + row.size * 0.2)
    const is_marked = columns.length === 2 && words.length === 1 && MARKER.test(words[0]?.text ?? '')
    if (is_marked || isItem(parts)) markers++
    for (const part of parts) {
      const text = part.words.map((word) => word.text).join(' ')
      if (LEADER.test(text)) leaders++
      weight += weightOf(text)
      count++
    }
  }
  if (markers >= run.length * 0.4) return false
  if (leaders >= run.length * 0.4) return false
  return count > 0 && weight / count <= 70
}
