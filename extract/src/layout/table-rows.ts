// Lines of a table → its rows: a cell may have several lines.

import type { Piece, Stretch } from './gaps.ts'
import { around, median } from './geometry.ts'
import { textOfRow } from './lines.ts'
import { isValue } from './values.ts'

/** A line of a table, by column. */
export interface TableLine {
  y0: number
  y1: number
  size: number
  pieces: Piece[]
}

/** In ems: how far apart the baselines of one cell are at most. */
const MAX_LEADING = 1.7
/** Nearer than this, two lines would touch if they were of different rows. */
const MIN_LEADING = 0.85
/** Distances that differ by less are one and the same. */
const SAME_DISTANCE = 0.045
/** In lines. */
const MIN_SEVERAL = 5

interface Given {
  columns: readonly Stretch[]
  em: number
  /** Whether lines this far apart belong to one cell; null if the distances are inconclusive. */
  isWithin: (distance: number) => boolean | null
  /** Lines that are nearer are of one row. */
  nearest: number
}

/** A row of a table, and the heights of the lines that keep it apart from the row above. */
interface TableRow {
  pieces: Piece[]
  borders: number[]
}

/**
 * `borders` are the heights of drawn lines: no cell extends over them, and all lines between two of them may be one
 * row.
 */
export function mergeLines(
  lines: readonly TableLine[],
  columns: readonly Stretch[],
  borders: readonly number[] = [],
): TableRow[] {
  const em = median(lines.map(({ size }) => size)) || 1
  const given = { columns, em, isWithin: judge(lines, columns.length, em), nearest: nearestOf(lines, em) }
  const sorted = borders.toSorted((a, b) => a - b)
  const bands = bandsOf(lines, sorted)
  const is_dense = areRows(bands.map((band) => band.lines))
  return bands.flatMap((band, index) => {
    const is_row = bands.length > 1 && ((is_dense && !isSeveral(band.lines)) || startsIn(band.lines) <= 1)
    const above = sorted.slice(bands[index - 1]?.place ?? 0, band.place)
    const rows = is_row ? headedRows(band.lines, given) : rowsIn(band.lines, given)
    return rows.map((pieces, row) => ({ pieces, borders: row === 0 ? above : [] }))
  })
}

/** Text may be set so tightly that its lines touch: then lines of different rows are as near as those of one cell. */
function nearestOf(lines: readonly TableLine[], em: number): number {
  const steps = lines.slice(1).map((line, index) => line.y1 - (lines[index]?.y1 ?? 0))
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 4)] ?? em
  return Math.min(em * MIN_LEADING, Math.max(em * 0.5, usual * 0.9))
}

interface Band {
  /** How many borders are above it. */
  place: number
  lines: TableLine[]
}

function bandsOf(lines: readonly TableLine[], borders: readonly number[]): Band[] {
  const bands = new Map<number, Band>()
  for (const line of lines) {
    const place = borders.filter((at) => at < (line.y0 + line.y1) / 2).length
    const band = bands.get(place)
    if (band) band.lines.push(line)
    else bands.set(place, { place, lines: [line] })
  }
  return [...bands.values()].sort((a, b) => a.place - b.place)
}

/** How many lines begin in the first column, as rows do. */
const startsIn = (band: readonly TableLine[]): number =>
  band.filter(({ pieces }) => pieces.some(({ column }) => column === 0)).length

/** Whether each of its lines has something in the first column and in others, as rows have. */
function isSeveral(band: readonly TableLine[]): boolean {
  const rows = band.filter(({ pieces }) => pieces.length > 1 && pieces.some(({ column }) => column === 0))
  return band.length >= MIN_SEVERAL && rows.length >= band.length * 0.85
}

/** Whether lines are drawn around every row, and not only below the head of the table. */
function areRows(bands: readonly TableLine[][]): boolean {
  if (bands.length < 3) return false
  const most = Math.max(...bands.map(({ length }) => length))
  return most <= 8 && bands.filter((band) => startsIn(band) <= 1).length >= bands.length * 0.5
}

/** One row, or several if headings that span columns are above the headings of single columns. */
function headedRows(band: readonly TableLine[], { columns }: Given): Piece[][] {
  const rows: Piece[][] = []
  for (const [index, line] of band.entries()) {
    const { pieces } = line
    const row = rows.at(-1)
    const above = band[index - 1]
    const is_next =
      row && above && (pieces.some((piece) => isNextValue(piece, row)) || startsRow({ row, line, above }, columns))
    if (row && !is_next && !divides(row, pieces)) merge(row, pieces)
    else rows.push(copied(pieces))
  }
  return rows
}

const copied = (pieces: readonly Piece[]): Piece[] => pieces.map((piece) => ({ ...piece, words: [...piece.words] }))

/** Whether several pieces are below one, or one below several. */
function divides(row: readonly Piece[], pieces: readonly Piece[]): boolean {
  return row.some((piece) => hasTwo(piece, pieces)) || pieces.some((piece) => hasTwo(piece, row))
}

const hasTwo = (one: Piece, others: readonly Piece[]): boolean =>
  others.filter((other) => areOver(one, other)).length > 1

export const areOver = (a: Pick<Piece, 'column' | 'span'>, b: Pick<Piece, 'column' | 'span'>): boolean =>
  a.column < b.column + b.span && b.column < a.column + a.span

function rowsIn(lines: readonly TableLine[], given: Given): Piece[][] {
  const rows: Piece[][] = []
  for (const [index, line] of lines.entries()) {
    const row = rows.at(-1)
    const above = lines[index - 1]
    const is_first = rows.length === 1 && row !== undefined && isHeadOver(row, line.pieces)
    if (row && above && !is_first && belongs({ row, line, above }, given)) merge(row, line.pieces)
    else rows.push(copied(line.pieces))
  }
  return rows
}

const hasValue = ({ words }: Piece): boolean => isValue(textOfRow(words)) && !YEAR.test(textOfRow(words))

/** Whether the first row of a table names columns, and the line below it has values in some of them. */
function isHeadOver(row: readonly Piece[], pieces: readonly Piece[]): boolean {
  const isNamed = (piece: Piece): boolean => row.some((heading) => areOver(heading, piece))
  return row.length >= 2 && pieces.length >= 2 && !row.some(hasValue) && pieces.filter(hasValue).some(isNamed)
}

interface Group {
  distance: number
  count: number
  fullness: number
}

/** Lines that go on in a cell fill fewer columns than lines that begin a row, and each kind keeps its distance. */
function judge(lines: readonly TableLine[], columns: number, em: number): Given['isWithin'] {
  const groups = distancesOf(lines, columns, nearestOf(lines, em), em)
  const [least] = groups
  if (!least || groups.length < 2) return () => null
  const full = Math.max(...groups.map(({ fullness }) => fullness))
  const wide = groups.slice(1).reduce((sum, { count }) => sum + count, 0)
  const is_split =
    least.distance <= em * 1.5 && groups.slice(1).every(({ distance }) => distance > least.distance * 1.18)
  const within = groups.filter(
    (group) =>
      group.distance <= em * MAX_LEADING &&
      (group.fullness <= full * 0.75 || (group === least && is_split && wide >= least.count && group.fullness <= full)),
  )
  return (distance) => {
    if (within.length === 0) return null
    const off = (group: Group) => Math.abs(group.distance - distance)
    return within.includes(groups.reduce((best, group) => (off(group) < off(best) ? group : best), least))
  }
}

function distancesOf(lines: readonly TableLine[], columns: number, nearest: number, em: number): Group[] {
  const steps = lines.slice(1).map((line, index) => ({
    distance: line.y1 - (lines[index]?.y1 ?? 0),
    fullness: line.pieces.reduce((sum, { span }) => sum + span, 0) / columns,
  }))
  const groups: (Group & { last: number })[] = []
  for (const { distance, fullness } of steps.sort((a, b) => a.distance - b.distance)) {
    if (distance < nearest) continue
    const group = groups.at(-1)
    if (group && distance - group.last <= em * SAME_DISTANCE) {
      group.fullness = (group.fullness * group.count + fullness) / (group.count + 1)
      group.distance = (group.distance * group.count + distance) / (group.count + 1)
      group.count++
      group.last = distance
    } else groups.push({ distance, count: 1, fullness, last: distance })
  }
  return groups
}

interface Question {
  row: readonly Piece[]
  line: TableLine
  above: TableLine
}

function belongs({ row, line, above }: Question, { columns, em, isWithin, nearest }: Given): boolean {
  const distance = line.y1 - above.y1
  if (distance < nearest) return !line.pieces.some((piece) => isNextValue(piece, row) && isBelow(piece, row, nearest))
  if (distance > em * MAX_LEADING || divides(row, line.pieces) || line.pieces.some((piece) => isNextValue(piece, row)))
    return false
  const by_distance = isWithin(distance)
  if (by_distance === false) return false
  if (startsRow({ row, line, above }, columns)) return false
  if (by_distance) return true
  const filled = line.pieces.reduce((sum, { span }) => sum + span, 0)
  if (filled > columns.length * 0.6) return false
  return line.pieces.every((piece) => goesOn(piece, row, columns))
}

/** A line with something in each column begins a row, unless the columns above it had no room for more. */
function startsRow({ row, line, above }: Question, columns: readonly Stretch[]): boolean {
  if (line.pieces.length < Math.max(2, above.pieces.length * 0.8)) return false
  const going = line.pieces.filter((piece) => goesOn(piece, row, columns))
  const label = line.pieces.find((piece) => piece.column === 0 && piece.words.every((word) => word.is_bold === true))
  if (label && !going.includes(label)) return true
  return going.length < line.pieces.length * 0.5 || areValues(line.pieces)
}

/** Values do not go on with the text above them. */
const areValues = (pieces: readonly Piece[]): boolean =>
  pieces.filter(({ words }) => isValue(textOfRow(words))).length >= pieces.length * 0.4

const YEAR = /^(19|20)\d\d$/
const NUMBER = /^[-+(]?\p{Sc}?\d[\d.,' ]*[%‰)]?\p{Sc}?$/u
const DATE = /^\d+(?:[./-]\d+)+$/
const LABEL = /[^\s:：][:：]$/

/** A number, a date or a label with a colon does not continue the one above it. */
function isNextValue({ column, span, words }: Piece, row: readonly Piece[]): boolean {
  const above = row.find((other) => other.column === column && other.span === span)
  const [first = '', last = ''] = [words[0]?.text, above?.words.at(-1)?.text]
  const isLabel = LABEL.test(last) && LABEL.test(words.at(-1)?.text ?? '')
  return isLabel || [NUMBER, DATE].some((value) => value.test(first) && value.test(last))
}

/** A label that is centered beside two lines is near to both, but they are not near to each other. */
function isBelow({ column, words }: Piece, row: readonly Piece[], nearest: number): boolean {
  const above = row.find((other) => other.column === column)?.words.at(-1)
  return above !== undefined && around(words).y1 - above.y1 >= nearest
}

/** Whether the text above it had no room for its first word. */
function goesOn(piece: Piece, row: readonly Piece[], columns: readonly Stretch[]): boolean {
  const above = row.find((other) => other.column <= piece.column && piece.column < other.column + other.span)
  const column = columns[piece.column]
  const [first] = piece.words
  const last = above?.words.at(-1)
  if (!above || !column || !first || !last) return false
  if (/[\p{L}\p{N}]-$/u.test(last.text)) return true
  const line = above.words.filter((word) => Math.abs(word.y1 - last.y1) < word.size * 0.5)
  const { x0, x1 } = around(line)
  const has_room = x1 - x0 + (first.x1 - first.x0) + first.size * 0.25 < column.x1 - column.x0
  if (has_room) return false
  return piece.column > 0 || /^\p{Ll}/u.test(first.text) || (first.is_bold === true && isBold(row))
}

/** A heading may go on in the next line; a bold label beside a value does not. */
const isBold = (row: readonly Piece[]): boolean =>
  row.every(({ words }) => words.every((word) => word.is_bold === true))

function merge(row: Piece[], pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    const met = row.find((other) => areOver(piece, other))
    if (!met) {
      row.push({ ...piece, words: [...piece.words] })
      continue
    }
    const end = Math.max(met.column + met.span, piece.column + piece.span)
    met.column = Math.min(met.column, piece.column)
    met.span = end - met.column
    for (const word of piece.words) met.words.push(word)
  }
}
