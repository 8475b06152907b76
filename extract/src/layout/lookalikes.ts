// Text that looks like a table but is none: justified lines, lists, formulas, contents, names of authors.

import { BULLET } from './bullets.ts'
import type { Piece, Stretch } from './gaps.ts'
import { around, median, middleX, shared } from './geometry.ts'
import { type Row, textOfRow } from './lines.ts'
import { rtlLetters } from './script.ts'
import type { Word } from './types.ts'
import { isValue } from './values.ts'

type TableRows = readonly (readonly Piece[])[]

const MARKER = /^(\(?(\d{1,3}|[a-z]|[ivx]{1,5})[.)]|[-–—*•])$/i
/** As in a list of references. */
const REFERENCE = /^\[\d{1,3}\]$/
const SECTION = /^\d{1,2}(\.\d{1,2})+\.?$/
/** "Section 2.1", "Item 1A", "Annex B". */
const NAMED_SECTION =
  /^(section|article|item|clause|part|chapter|annex|appendix|exhibit|schedule|abschnitt|artikel|kapitel|teil|anhang|chapitre|annexe|§)\s*([\dIVX]{1,4}|\p{Lu})(\.\d{1,2})*\p{Lu}?\.?$/iu
/** A mark at the axis of a chart: a year, a quarter or a month. */
const TICK =
  /^((19|20)\d\d[EFP]?|[QH][1-4]|[1-4]Q\d{0,4}|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}{0,6}\.?)$/iu
/** The number of a clause, which no amount looks like. */
const CLAUSE = /^\d{1,2}(\.\d{1,2}){2,}\.?$/
const OPERATOR = /^[=≠≡≈≃∼<>≤≥≪≫+−±×·/∝→⇒∈]$|[∑∏∫∂∇√∞]/u
/** Items of a list may have several lines each. */
const MIN_ITEMS = 3
/** In lines. */
const MAX_FORMULA = 8
const FORMULA_NUMBER = /^\(\d{1,3}(\.\d{1,3})?\p{Ll}?\)$/u
const SOLVED = /[=≠≡≈≃≤≥∝]/u

/** In ems: how far apart lines of one paragraph are at most. */
const MAX_LEADING = 1.8

/** In ems: how far apart the starts of centered lines are. */
const MIN_RAGGED = 4
/** The share of lines. */
const MAX_CAPITALS = 0.75

const hasLetters = ({ text }: Word): boolean => /\p{L}{2}/u.test(text)

/** A justified line: spaces of one width between words. Cells differ in length, so gaps between columns vary. */
export function isJustified({ words, size }: Row): boolean {
  const gaps = words.slice(1).map((word, index) => word.x0 - (words[index]?.x1 ?? word.x0))
  if (gaps.length < 3 || words.filter(hasLetters).length < words.length * 0.6) return false
  const sorted = gaps.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  return at(1) < size * 2 && at(0.5) > 0 && at(0.85) <= at(0.15) * 1.4 && at(1) <= at(0.5) * 2.2
}

/** Items of a list: a number or a letter, and one text. In right-to-left text the number is on the right. */
export function isList(rows: TableRows, columns: number): boolean {
  const first = rows.map(([piece]) => (piece ? textOfRow(piece.words) : ''))
  if (first.filter((text) => REFERENCE.test(text)).length >= Math.max(2, rows.length * 0.6)) return true
  const pieces = rows.flat()
  if (pieces.filter(isBulleted).length >= Math.max(2, pieces.length * 0.7) || hasBulletColumn(rows)) return true
  if (columns > 2) {
    const texts = pieces.map(({ words }) => textOfRow(words))
    const clauses = rows.filter(([piece]) => CLAUSE.test(piece?.words[0]?.text ?? ''))
    if (clauses.length >= rows.length * 0.6 && texts.filter(isValue).length <= clauses.length) return true
    const items = rows.filter((pieces, index) => MARKER.test(first[index] ?? '') && pieces.length === 2)
    const numbered = texts.filter((text) => /^\d{1,3}\.$/.test(text))
    const is_text = texts.filter((text) => isValue(text) && !numbered.includes(text)).length < texts.length * 0.1
    return items.length >= rows.length * 0.8 || (is_text && numbered.length >= rows.length * 0.6)
  }
  const markers = rows.filter((pieces) => {
    const [left, right] = [textIn(pieces, 0), textIn(pieces, 1)]
    return MARKER.test(left) || (MARKER.test(right) && rtlLetters(left) > 0)
  })
  const sections = rows.filter((pieces) => isSection(textIn(pieces, 0)) && !isValue(textIn(pieces, 1)))
  if (areSymbols(rows) || isListing(rows)) return true
  const begun = rows.filter((pieces) => textIn(pieces, 0) !== '')
  if (markers.length >= Math.max(MIN_ITEMS, begun.length * 0.7)) return true
  return markers.length >= rows.length * 0.4 || sections.length >= rows.length * 0.5
}

const isSection = (text: string): boolean => SECTION.test(text) || NAMED_SECTION.test(text)

/** Signs and their meanings: "z  not applicable", "c  confidential". */
const areSymbols = (rows: TableRows): boolean =>
  rows.length >= 3 &&
  rows.every((pieces) => {
    const [sign, meaning] = [textIn(pieces, 0), textIn(pieces, 1)]
    return [...sign].length === 1 && meaning !== '' && !isValue(meaning)
  })

/** Steps that are counted from the first line on, such as those of an algorithm; a table would have a heading. */
function isListing(rows: TableRows): boolean {
  const numbers = rows.map((pieces) =>
    /^\d{1,3}:?$/.test(textIn(pieces, 0)) ? Number.parseInt(textIn(pieces, 0), 10) : null,
  )
  const counted = numbers.filter((number) => number !== null)
  const values = rows.filter((pieces) => isValue(textIn(pieces, 1))).length
  return (
    numbers[0] === 1 &&
    counted.length >= Math.max(3, rows.length * 0.5) &&
    counted.every((number, index) => number === index + 1) &&
    values <= rows.length * 0.2
  )
}

/** Bullets that are far from their text, or on its other side. */
const hasBulletColumn = (rows: TableRows): boolean => {
  const alone = rows.filter((pieces) =>
    pieces.some(({ words }) => BULLET.test(textOfRow(words)) && !isValue(textOfRow(words))),
  )
  return alone.length >= Math.max(2, rows.length * 0.6)
}

/** The word after a bullet is joined with it. */
const isBulleted = ({ words }: Piece): boolean => {
  const [bullet, text] = words[0]?.text.split(' ') ?? []
  return text !== undefined && BULLET.test(bullet ?? '')
}

export const textIn = (pieces: readonly Piece[], column: number): string => {
  const piece = pieces.find((one) => one.column === column && one.span === 1)
  return piece ? textOfRow(piece.words) : ''
}

/** A few lines with operators between their words, or with the number of a formula at their end. */
export function isFormula(lines: readonly Row[]): boolean {
  if (lines.length > MAX_FORMULA) return false
  const words = lines.flatMap((line) => line.words)
  const solved = lines.filter((line) => line.words.some(({ text }) => SOLVED.test(text))).length
  const numbered = lines.some(({ words: own }) => FORMULA_NUMBER.test(own.at(-1)?.text ?? ''))
  if (solved > 0 && (numbered || solved >= lines.length * 0.4)) return true
  const operators = words.filter(({ text }) => OPERATOR.test(text)).length
  return solved > 0 && operators >= Math.max(2, words.length * 0.12)
}

/** The share of lines that reach into the line above them, as parts of a fraction do. */
export function overlapping(lines: readonly Row[]): number {
  const over = lines.slice(1).filter((line, index) => {
    const above = lines[index]
    return above !== undefined && shared(line.y0, line.y1, above.y0, above.y1) > Math.min(line.size, above.size) * 0.3
  })
  return lines.length < 2 ? 0 : over.length / (lines.length - 1)
}

/** A table of contents: titles, some of them numbered, and pages that only go up. */
export function isContents(rows: TableRows, columns: number): boolean {
  if (columns < 2 || columns > 5 || rows.length < 3) return false
  const texts = rows.map((pieces) => pieces.map(({ words }) => textOfRow(words)))
  const pages = texts.flatMap((own) =>
    own.length > 1 && /^\d{1,3}$/.test(own.at(-1) ?? '') ? [Number(own.at(-1))] : [],
  )
  const [head = []] = texts
  if (head.length === columns && !/^(\d{1,3}|pages?|seite|s\.|p\.|página|pagina|стр\.?)$/i.test(head.at(-1) ?? ''))
    return false
  const falls = pages.filter((page, index) => page < (pages[index - 1] ?? 0)).length
  const numbered = texts.filter(([first = '']) => /^\d{1,2}(\.\d{1,2})*\.?$/.test(first) || NAMED_SECTION.test(first))
  const inner = texts.flatMap((own) => own.slice(1, -1))
  return (
    falls <= Math.max(1, pages.length * 0.1) &&
    (pages.at(-1) ?? 0) > (pages[0] ?? 0) &&
    pages.length >= Math.max(3, rows.length * 0.6) &&
    numbered.length >= rows.length * (rows.length < 6 ? 0.5 : 0.3) &&
    inner.filter(isValue).length <= inner.length * 0.1
  )
}

const isMark = ({ words }: Piece): boolean => words.every(({ text }) => TICK.test(text))

/** Marks at the axis of a chart, and the names of its series below them. */
export function areTicks(rows: TableRows): boolean {
  const [first, ...others] = rows
  const isData = (piece: Piece): boolean => isValue(textOfRow(piece.words)) && !isMark(piece)
  if (!first || first.length < 3 || others.length === 0 || others.length > 2) return false
  return first.every(isMark) && !others.flat().some(isData)
}

/** The axes of a chart: numbers at one or both sides of empty rows, and a row of marks below them. */
export function areAxes(rows: TableRows, columns: number): boolean {
  const marks = rows.at(-1) ?? []
  const sides = rows.slice(0, -1)
  const isSide = ({ column, words }: Piece): boolean =>
    (column === 0 || column === columns - 1) && isValue(textOfRow(words))
  const least = marks.every(({ words }) => TICK.test(words[0]?.text ?? '')) ? 1 : 2
  return (
    sides.length >= least &&
    columns >= 4 &&
    marks.length >= columns * 0.7 &&
    sides.every((pieces) => pieces.every(isSide))
  )
}

/** Names, places and addresses of authors below the title: short centered lines without values. */
export function areAuthors(rows: TableRows, columns: readonly Stretch[]): boolean {
  const pieces = rows.flat()
  const words = pieces.flatMap((piece) => piece.words)
  if (rows.length > 8 || columns.length > 4 || !words.some(({ text }) => /\S@\S|@\S+\.\S/.test(text))) return false
  const centers = columns.map((_, column) => {
    const own = pieces
      .filter((piece) => piece.column === column && piece.span === 1)
      .map(({ words: held }) => around(held))
    const middle = median(own.map(middleX))
    return own.filter((box) => Math.abs(middleX(box) - middle) < (box.y1 - box.y0) * 0.4).length >= own.length * 0.7
  })
  return centers.every(Boolean) && pieces.filter((piece) => isValue(textOfRow(piece.words))).length <= 1
}

/** Centered lines without values: each begins elsewhere, but all have the same middle. */
export function areCentered(lines: readonly Row[], rows: TableRows): boolean {
  const middle = median(lines.map(middleX))
  const em = median(lines.map(({ size }) => size))
  const starts = lines.map(({ x0 }) => x0)
  const centered = lines.filter((line) => Math.abs(middleX(line) - middle) < em)
  return (
    lines.length >= 4 &&
    Math.max(...starts) - Math.min(...starts) > em * MIN_RAGGED &&
    centered.length >= lines.length * 0.9 &&
    !rows.flat().some(({ words }) => isValue(textOfRow(words)))
  )
}

/** The longest run of lines that fill a column, as a long paragraph does, while other columns have text beside them. */
export function longestProse(lines: readonly Row[], columns: readonly Stretch[]): number {
  let most = 0
  for (const { x0, x1 } of columns) {
    let [run, capitals] = [0, 0]
    for (const [index, line] of lines.entries()) {
      const step = line.y1 - (lines[index - 1]?.y1 ?? line.y1)
      const own = line.words.filter((word) => word.x0 > x0 - line.size && word.x1 < x1 + line.size)
      const is_full = own.length >= 4 && around(own).x1 - x0 > (x1 - x0) * 0.8 && own.length < line.words.length
      if (!is_full || step > line.size * MAX_LEADING) [run, capitals] = [0, 0]
      if (is_full) run++
      if (is_full && /^[\p{Lu}\p{N}]/u.test(own[0]?.text ?? '')) capitals++
      // Lines of a paragraph seldom begin with a capital; rows of a table mostly do.
      if (capitals <= run * MAX_CAPITALS) most = Math.max(most, run)
    }
  }
  return most
}
