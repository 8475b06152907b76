// Tables and fields without lines: rows of parts that align below each other.

import { captionKind } from '../captions.ts'
import { type Banner, bannersOf, titleAbove } from './banners.ts'
import { type FoundBlock, foundTable, tableOf } from './cells.ts'
import { isLookalike, isTable, type TableCandidate } from './evidence.ts'
import { arePairs, fieldsFromPieces, joinColons } from './fields.ts'
import { columnsOf, type Piece, piecesOf, type Scale, type Stretch, scaled } from './gaps.ts'
import { around, median, shared } from './geometry.ts'
import { widenHead } from './head.ts'
import { joinHead, upperHead } from './head-lines.ts'
import { type Row, textOfRow } from './lines.ts'
import { type Candidate, isMono, isPrintedOver, MONO_GAP, withParts } from './parts.ts'
import type { Line } from './rules.ts'
import { joinSigns } from './signs.ts'
import { mergeLines } from './table-rows.ts'
import type { Box, Word } from './types.ts'

/** In ems, from the foot of one row to the head of the next. */
const MAX_ROW_GAP = 2.2
const MAX_LOOK_BACK = 12
const MAX_LOOK_AHEAD = 4
/** Rows that are looked at again after a run that is no table; a long run is otherwise tried from each of its rows. */
const MAX_TRIED = 10_000

interface Drawn {
  borders: readonly Line[]
  banners: readonly Banner[]
}

/** Rows of one region, from top to bottom. A row of banners ends the block above it and is the title of the next one. */
export function findUnruled(rows: readonly Row[], scale: Scale, { borders, banners }: Drawn): FoundBlock[] {
  const parts: { titles: Banner[]; rows: Row[] }[] = [{ titles: [], rows: [] }]
  for (const row of rows) {
    const titles = bannersOf(row, banners)
    if (titles.length > 0) parts.push({ titles, rows: [] })
    else parts.at(-1)?.rows.push(row)
  }
  return parts.flatMap((part) => findBetween(part.rows, scale, { borders, banners: part.titles }))
}

function findBetween(rows: readonly Row[], scale: Scale, drawn: Drawn): FoundBlock[] {
  const candidates = rows
    .filter((row, index) => !isPrintedOver(row, rows[index - 1]))
    .map((row) => withParts(row, scale))
  const found: FoundBlock[] = []
  let [done, tried] = [0, 0]
  for (let index = 0; index < candidates.length; ) {
    const run = runFrom(candidates, index, scale)
    const titles = index === 0 ? drawn.banners : []
    const whole = [...upperHead(candidates.slice(done, index), run), ...run]
    const blocks = run.length >= 2 ? blocksFrom(whole, scale, { ...drawn, banners: titles }) : []
    found.push(...blocks)
    const is_done = blocks.length > 0 || (run.length >= 2 && isLookalike(candidateFrom(structureOf(run, scale, []))))
    tried += is_done ? 0 : run.length
    index += is_done || tried > MAX_TRIED ? Math.max(1, run.length) : Math.max(1, nextStart(run))
    if (is_done) done = index
  }
  return found
}

/** Where a run that is no table may be tried again: from the next row with several parts. */
const nextStart = (run: readonly Candidate[]): number => {
  const next = run.findIndex(({ parts }, index) => index > 0 && parts.length > 1)
  return next < 0 ? run.length : next
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
    if (captionKind(textOfRow(candidate.row.words)) !== null) break
    const following = candidates.slice(index + 1, index + 1 + MAX_LOOK_AHEAD)
    if (candidate.parts.length < 2 && !fits(candidate, run, following, scale)) break
    if (candidate.parts.length > 1 && (isLarger(candidate, run) || !isAligned([candidate], run, scale))) break
    run.push(candidate)
  }
  return trimmed(run)
}

/** A row with one part: a cell that goes on, a sparse row, or a heading between rows. */
function fits(
  { row, parts }: Candidate,
  run: readonly Candidate[],
  following: readonly Candidate[],
  scale: Scale,
): boolean {
  const [part] = parts
  const above = run.at(-1)
  if (!part || !above) return false
  const recent = run.slice(-MAX_LOOK_BACK)
  const box = around(recent.map((candidate) => candidate.row))
  const own = scaled(scale, row.size)
  const columns = columnsOf(
    recent.map((candidate) => candidate.row),
    own,
  )
  const over = columns.filter((column) => shared(part.x0, part.x1, column.x0, column.x1) > 0)
  const next = following.filter((candidate) => candidate.parts.length > 1)
  if (isHeading(row, run)) return next.length > 0 && isAligned(next, run, scale) && next[0]?.row.size === above.row.size
  if (over.length <= 1) return part.x0 > box.x0 - row.size && row.y0 - above.row.y1 < row.size * 1.5
  return (
    next[0] === following[0] &&
    next.length > 0 &&
    part.x1 - part.x0 < (box.x1 - box.x0) * 0.8 &&
    isAligned(next, run, scale)
  )
}

const isBold = (words: readonly Word[]): boolean => words.every((word) => word.is_bold === true)

/** A numbered heading below a table has two parts as well. */
const isLarger = ({ row, parts }: Candidate, run: readonly Candidate[]): boolean =>
  parts.length === 2 &&
  /^\d{1,2}(\.\d{1,2})*\.?$/.test(row.words[0]?.text ?? '') &&
  row.size > Math.max(...run.map(({ row: above }) => above.size)) * 1.15

/** Larger than the rows above it, or bold where they are not. */
function isHeading({ words, size }: Row, run: readonly Candidate[]): boolean {
  const usual = median(run.map(({ row }) => row.size))
  return size > usual * 1.1 || (isBold(words) && run.some(({ row }) => !isBold(row.words)))
}

/** Whether rows have their gaps where the rows above have theirs. */
function isAligned(next: readonly Candidate[], run: readonly Candidate[], scale: Scale): boolean {
  const [first] = next
  if (!first) return false
  const above = run.slice(-6).map((candidate) => candidate.row)
  const below = next.map((candidate) => candidate.row)
  const own = scaled(scale, first.row.size)
  if (columnsOf([...above, ...below], own).length < 2) return false
  return next.length === 1 || run.length === 1 || areAlike(columnsOf(above, own), columnsOf(below, own), first.row.size)
}

/** Whether most columns begin, end or are centered where those of the other rows are. */
function areAlike(some: readonly Stretch[], others: readonly Stretch[], em: number): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) < em * 0.7
  const isAlike = (a: Stretch, b: Stretch) =>
    isNear(a.x0, b.x0) || isNear(a.x1, b.x1) || isNear((a.x0 + a.x1) / 2, (b.x0 + b.x1) / 2)
  const alike = some.filter((column) => others.some((other) => isAlike(column, other))).length
  return alike >= Math.min(some.length, others.length) * 0.6
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

interface Structure {
  box: Box
  rows: readonly Row[]
  columns: readonly Stretch[]
  /** Lines that are drawn between its rows. */
  across: readonly Line[]
  merged: { pieces: Piece[]; borders: number[] }[]
}

function structureOf(run: readonly Candidate[], scale: Scale, borders: readonly Line[]): Structure {
  const rows = run.map(({ row }) => row)
  const text = scaled(scale, median(rows.map(({ size }) => size)))
  const is_mono = rows.every(({ words }) => isMono(words))
  const own = is_mono ? { ...text, gap: Math.max(text.gap, text.em * MONO_GAP) } : text
  const columns = joinSigns(
    columnsOf(rows, own),
    rows.flatMap((row) => row.words),
  )
  const lines = rows.map((row, index) => ({
    y0: row.y0,
    y1: row.y1,
    size: row.size,
    pieces: piecesOf(row, columns, own, index === 0),
  }))
  widenHead(lines, columns)
  const box = around(rows)
  const across = borders.filter((line) => isBorder(line, { box, rows, columns }))
  const heights = across.map(({ at }) => at)
  const merged = mergeLines(joinHead(lines, heights), columns, heights)
  return { box, rows, columns, across, merged }
}

const candidateFrom = ({ rows, columns, merged, across }: Structure): TableCandidate => ({
  lines: rows,
  columns,
  rows: merged.map(({ pieces }) => pieces),
  drawn: across.length,
})

/** A table, one or several blocks of fields side by side, or nothing. */
export function blocksFrom(run: readonly Candidate[], scale: Scale, { borders, banners }: Drawn): FoundBlock[] {
  const structure = structureOf(run, scale, borders)
  const { columns, merged, rows } = structure
  const pieces = merged.map((row) => row.pieces)
  const pairs =
    columns.length === 2 || columns.length === 4 ? columns.flatMap((_, index) => (index % 2 === 0 ? [index] : [])) : []
  if (pairs.length > 0 && pairs.every((column) => arePairs(pieces, column)) && run.length >= 2)
    return pairs.map((column) => titledFields(pieces, column, banners))
  const labeled = columns.length === 3 ? joinColons(pieces) : null
  if (labeled) return [titledFields(labeled, 0, banners)]
  if (columns.length === 2 && rows.length < 3) return []
  if (!isTable(candidateFrom(structure))) return []
  const words = rows.flatMap((row) => row.words)
  const title = titleAbove(banners, words)
  if (title) merged.unshift({ pieces: [{ column: 0, span: columns.length, words: title.words }], borders: [] })
  const all = [...(title?.words ?? []), ...words]
  return [foundTable(tableFrom(structure), around(all), all)]
}

/** Fields with a title on a band are a table, whose first row is the title. */
function titledFields(pieces: readonly Piece[][], column: number, banners: readonly Banner[]): FoundBlock {
  const fields = fieldsFromPieces(pieces, column)
  const title = titleAbove(banners, [...fields.words])
  if (!title) return fields
  const rows = pieces.flatMap((row) => {
    const own = row.filter((piece) => piece.column === column || piece.column === column + 1)
    return own.length === 0 ? [] : [own.map((piece) => ({ ...piece, column: piece.column - column, span: 1 }))]
  })
  const words = [...title.words, ...fields.words]
  return foundTable(tableOf([[{ column: 0, span: 2, words: title.words }], ...rows], 2), around(words), words)
}

function tableFrom({ merged, columns, across }: Structure) {
  const isOpen = (row: number, column: number): boolean => {
    const heights = merged[row]?.borders ?? []
    const place = columns[column]
    if (heights.length === 0 || !place) return false
    const covers = ({ at, from, to }: Line) =>
      heights.includes(at) && shared(from, to, place.x0, place.x1) > (place.x1 - place.x0) * 0.5
    return !across.some(covers)
  }
  return tableOf(
    merged.map(({ pieces }) => pieces),
    columns.length,
    isOpen,
  )
}

/** A line over the whole table, or over whole columns if it is not what a text is underlined with. */
function isBorder(
  { at, from, to }: Line,
  { box, rows, columns }: Pick<Structure, 'box' | 'rows' | 'columns'>,
): boolean {
  if (at < box.y0 || at > box.y1) return false
  const part = shared(from, to, box.x0, box.x1) / (box.x1 - box.x0)
  if (part > 0.9) return true
  const covers = ({ x0, x1 }: Stretch) => shared(from, to, x0, x1) > (x1 - x0) * 0.95
  return (part > 0.4 || columns.some(covers)) && !rows.some(({ y0, y1 }) => y0 < at && at < y1)
}
