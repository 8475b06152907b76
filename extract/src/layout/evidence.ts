// Whether rows and columns of words are a table: evidence for and against, weighed.

import type { Piece, Stretch } from './gaps.ts'
import { around, median } from './geometry.ts'
import { partsOf, type Row, textOfRow } from './lines.ts'
import {
  areAuthors,
  areAxes,
  areCentered,
  areTicks,
  isContents,
  isFormula,
  isList,
  longestProse,
  overlapping,
  textIn,
} from './lookalikes.ts'
import { weightOf } from './script.ts'
import { isNumber, isValue } from './values.ts'

export interface TableCandidate {
  /** Lines of text, from top to bottom. */
  lines: readonly Row[]
  columns: readonly Stretch[]
  /** Rows of the table. */
  rows: readonly (readonly Piece[])[]
  /** How many lines are drawn across it. */
  drawn: number
}

const ENOUGH = 1.5
/** In lines. */
const MIN_PROSE = 8
/** In a row with a cell of dots. */
const MIN_CELLS = 3
const DOTS = /^[.…]{2,}$/
const LEADER = /(\.\s?){5,}|…{2,}|_{5,}/
const CODE = /[{};]\s*$|^\s*(#include|import |def |return\b|\/\/|[>+$%]\s)|=>|\(\)|==|\p{L}\(\S|=\p{L}+\(/u

export const isTable = (candidate: TableCandidate): boolean => weigh(candidate) >= ENOUGH

/** Whether all of it is text of another kind, so that no part of it is a table either. */
export const isLookalike = ({ lines, columns, rows }: TableCandidate): boolean =>
  isList(rows, columns.length) ||
  isContents(rows, columns.length) ||
  isFormula(lines) ||
  areAxes(rows, columns.length) ||
  areTicks(rows) ||
  areCentered(lines, rows) ||
  longestProse(lines, columns) >= MIN_PROSE

function weigh({ lines, columns, rows, drawn }: TableCandidate): number {
  const pieces = rows.flat().filter(({ words }) => words.length > 0)
  if (columns.length < 2 || rows.length < 2 || pieces.length === 0) return Number.NEGATIVE_INFINITY
  const filled = pieces.reduce((sum, { span }) => sum + span, 0) / (rows.length * columns.length)
  if (filled < 0.3 || isList(rows, columns.length) || areAxes(rows, columns.length) || areTicks(rows))
    return Number.NEGATIVE_INFINITY
  const length = pieces.reduce((sum, { words }) => sum + weightOf(textOfRow(words)), 0) / pieces.length
  const values = valueColumns(rows, columns.length)
  const has_head = hasHead(rows)
  const is_plain = values === 0 && !has_head && rows.length === lines.length
  const several = lines.filter((line) => partsIn(line, columns) > 1).length / lines.length
  return (
    Math.min(2, (fullColumns(rows, columns.length) - 1) * 0.75) +
    Math.min(2, values * 0.8) +
    Math.min(2, drawn * 0.75) +
    (has_head ? 1 : 0) +
    (filled >= 0.6 ? 0.5 : -0.5) +
    (rows.length >= 4 ? 0.5 : 0) -
    (rows.length === 2 && drawn === 0 ? 0.75 : 0) -
    (rows.length === 2 && is_plain ? 1 : 0) +
    (several >= 0.6 ? 0.5 : -0.5) -
    (several < 0.4 ? 1.5 : 0) -
    (is_plain && columns.length === 2 && drawn === 0 ? 1 : 0) -
    (length > 40 ? 0.5 : 0) -
    (length > 70 ? 1 : 0) -
    3 * (fullLines(lines, columns) > 0.3 ? 1 : 0) -
    3 * (misaligned(lines) > 0.5 ? 1 : 0) -
    5 * (countLeaders(lines) >= lines.length * 0.4 && drawn === 0 ? 1 : 0) -
    3 * (isCode(lines) ? 1 : 0) -
    4 * (hasLineNumbers(rows) ? 1 : 0) -
    5 * (isContents(rows, columns.length) ? 1 : 0) -
    4 * (isFormula(lines) ? 1 : 0) -
    3 * (overlapping(lines) > 0.3 ? 1 : 0) -
    3 * (areAuthors(rows, columns) ? 1 : 0) -
    4 * (areCentered(lines, rows) && drawn === 0 ? 1 : 0) -
    4 * (longestProse(lines, columns) >= MIN_PROSE ? 1 : 0) -
    signColumns(rows, columns.length)
  )
}

const partsIn = (line: Row, columns: readonly Stretch[]): number =>
  columns.filter(({ x0, x1 }) => line.words.some((word) => word.x1 > x0 && word.x0 < x1)).length

/** Columns with something in several rows, other than columns of signs. */
function fullColumns(rows: readonly (readonly Piece[])[], columns: number): number {
  const counts = Array.from(
    { length: columns },
    (_, column) =>
      rows.filter((pieces) => pieces.some((piece) => piece.column <= column && column < piece.column + piece.span))
        .length,
  )
  return counts.filter((count) => count >= Math.max(2, rows.length * 0.2)).length - signColumns(rows, columns)
}

/** Columns, from the second on, that mostly hold values. */
function valueColumns(rows: readonly (readonly Piece[])[], columns: number): number {
  let count = 0
  for (let column = 1; column < columns; column++) {
    const texts = rows.map((pieces) => textIn(pieces, column)).filter((text) => text !== '')
    const values = texts.filter(isValue).length
    if (values >= 2 && values >= (texts.length - 1) * 0.6) count++
  }
  return count
}

/** Headings look different from the rows below them. */
function hasHead(rows: readonly (readonly Piece[])[]): boolean {
  const [head, ...body] = rows
  if (!head || head.length < 2 || body.length === 0) return false
  const words = head.flatMap((piece) => piece.words)
  const below = body.flat().flatMap((piece) => piece.words)
  const bold = (own: typeof words) => own.filter((word) => word.is_bold).length / Math.max(1, own.length)
  if (bold(words) > 0.9 && bold(below) < 0.5) return true
  const texts = head.map((piece) => textOfRow(piece.words))
  return (
    texts.every((text) => !isValue(text)) &&
    body.some((pieces) => pieces.some((piece) => isNumber(textOfRow(piece.words))))
  )
}

/** Which part of the lines ends where its column ends, as prose does, in the column that has fewest of them. */
function fullLines(lines: readonly Row[], columns: readonly Stretch[]): number {
  const shares = columns.flatMap(({ x0, x1 }) => {
    let [full, all] = [0, 0]
    for (const line of lines) {
      const own = line.words.filter((word) => word.x0 > x0 - line.size && word.x1 < x1 + line.size)
      if (own.length === 0) continue
      all++
      if (own.length >= 4 && around(own).x1 - x0 > (x1 - x0) * 0.75) full++
    }
    return all < 2 ? [] : [full / all]
  })
  return shares.length === 0 ? 0 : Math.min(...shares)
}

/** The share of lines in which some words are a little higher or lower than others: texts side by side. */
function misaligned(lines: readonly Row[]): number {
  const several = lines.map((line) => partsOf(line.words, line.size)).filter((parts) => parts.length > 1)
  const off = several.filter((parts) => {
    const usual = median(parts.map(baselineOf))
    return parts.some((part) => Math.abs(baselineOf(part) - usual) > part.size * 0.12)
  })
  return several.length === 0 ? 0 : off.length / several.length
}

const baselineOf = ({ y1, size }: Row): number => y1 - size * 0.2

/** Lines with a leader between two texts. Dots may also fill an empty cell of a row with several others. */
const countLeaders = (lines: readonly Row[]): number =>
  lines.filter(({ words, size }) => {
    const others = words.filter(({ text }) => !DOTS.test(text))
    return LEADER.test(words.map(({ text }) => text).join(' ')) && partsOf(others, size).length < MIN_CELLS
  }).length

export function isCode(lines: readonly Row[]): boolean {
  const words = lines.flatMap((line) => line.words)
  if (words.filter(({ is_mono }) => is_mono).length < words.length * 0.9) return false
  return lines.filter((line) => CODE.test(textOfRow(line.words))).length >= lines.length * 0.2
}

/** Columns of nothing but colons or bars, as in the caption of a court. */
function signColumns(rows: readonly (readonly Piece[])[], columns: number): number {
  const texts = Array.from({ length: columns }, (_, column) =>
    rows.map((row) => textIn(row, column)).filter((text) => text !== ''),
  )
  return texts.filter((own) => own.length >= 2 && own.every((text) => /^[:;|)(*§]+$/.test(text))).length
}

/** Numbers that count the lines of a transcript or a listing, from the first line on. */
function hasLineNumbers(rows: readonly (readonly Piece[])[]): boolean {
  const numbers = rows.map((pieces) => (/^\d{1,4}$/.test(textIn(pieces, 0)) ? Number(textIn(pieces, 0)) : null))
  const steps = numbers.slice(1).filter((number, index) => number !== null && number - (numbers[index] ?? number) === 1)
  return numbers[0] !== null && rows.length >= 4 && steps.length >= (rows.length - 1) * 0.8
}
