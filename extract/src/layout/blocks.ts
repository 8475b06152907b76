// Rows of a region → paragraphs, headings and items of lists.

import type { Block } from '@octavo/contract'
import { captionKind } from '../captions.ts'
import { around, median } from './geometry.ts'
import { endsPaperHeading, isLeaderLine, isPaperHeading, numberedLevel } from './heading-text.ts'
import { joinLines, type Row, textOfRow } from './lines.ts'
import { letters, rtlLetters } from './script.ts'
import type { Box } from './types.ts'

export interface PlacedBlock {
  box: Box
  block: Block
  /** The font size of text. */
  size?: number
  /** Only for headings: the font size, and the level given by the heading's number. */
  heading?: { size: number; numbered: number | null }
}

interface TextLine extends Row {
  text: string
  is_bold: boolean
  is_italic: boolean
  is_mono: boolean
  is_rtl: boolean
  /** Whether it is set from the right. */
  is_right: boolean
  marker: string | null
}

const BULLET =
  /^([\u2022\u25e6\u25aa\u25ab\u2023\u2043\u25cb\u25cf\u25a0\u25a1\u27a2\u2713\u2714\u2192\uf0b7\uf0a7\uf0d8·*–—-])\s+/
const NUMBER = /^(\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,2}(?:\.\d{1,2}){1,4}\.?)\s+/
const MAX_HEADING = 200
/** In ems: how far the lines of an item are set in below its bullet. */
const [MIN_HANG, MAX_HANG] = [0.5, 4]

interface PageSizes {
  /** The size of most text of the page, and of the document. */
  body: number
  em: number
  /** Whether most text of the page is set in a font of one width, as by a typewriter. */
  is_mono: boolean
  /** How far apart lines of one paragraph usually are on the page, in ems. */
  leading: number
}

export function blocksOf(rows: readonly Row[], { body, em, is_mono, leading }: PageSizes): PlacedBlock[] {
  const region = around(rows)
  const lines = settled(rows.map(lineOf), region)
  const groups: TextLine[][] = []
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1]
    const group = groups.at(-1)
    if (group && above && continuesParagraph({ group, above, line, region, leading, is_mono })) group.push(line)
    else groups.push([line])
  }
  const indents = indentsOf(groups, body)
  return groups.map((group) => ({
    box: around(group),
    size: group[0]?.size ?? body,
    ...blockOf(group, { body, em, is_mono }, indents),
  }))
}

/** Text may be set from the other side than the one it is read from: then it is there that its lines begin together. */
function settled(lines: TextLine[], region: Box): TextLine[] {
  const isNear = (a: number, b: number, { size }: TextLine) => Math.abs(a - b) < size * 0.5
  const left = lines.filter((line) => isNear(line.x0, region.x0, line)).length
  const right = lines.filter((line) => isNear(line.x1, region.x1, line)).length
  const [least, most] = [lines.length * 0.5, lines.length * 0.8]
  if (lines.length < 3) return lines
  if (left >= most && right < least) return lines.map((line) => ({ ...line, is_right: false }))
  if (right >= most && left < least) return lines.map((line) => ({ ...line, is_right: true }))
  return lines
}

function lineOf(row: Row): TextLine {
  const text = textOfRow(row.words)
  const [bold, italic, mono, all] = row.words.reduce(
    ([b, i, m, a], word) => [
      b + (word.is_bold ? word.text.length : 0),
      i + (word.is_italic ? word.text.length : 0),
      m + (word.is_mono ? word.text.length : 0),
      a + word.text.length,
    ],
    [0, 0, 0, 0],
  )
  const marker = BULLET.exec(text)?.[1] ?? NUMBER.exec(text)?.[1] ?? null
  const rtl = rtlLetters(text)
  const is_rtl = rtl > 0 && rtl * 2 > letters(text)
  const look = { is_bold: bold > all * 0.8, is_italic: italic > all * 0.7, is_mono: mono > all * 0.9 }
  return { ...row, text, ...look, is_rtl, is_right: is_rtl, marker }
}

interface Question {
  group: readonly TextLine[]
  above: TextLine
  line: TextLine
  region: Box
  leading: number
  is_mono: boolean
}

function continuesParagraph({ group, above, line, region, leading, is_mono }: Question): boolean {
  const [first] = group
  if (!first) return false
  const em = Math.max(above.size, line.size)
  const ratio = line.size / above.size
  if (
    ratio > 1.12 ||
    ratio < 0.89 ||
    (line.is_bold !== above.is_bold && !isBelowLead(group, line, em)) ||
    line.is_mono !== above.is_mono ||
    line.is_rtl !== above.is_rtl
  )
    return false
  const distance = line.y1 - above.y1
  // An empty line within a listing does not end it.
  if (line.is_mono && !is_mono && distance > em * 1.5 && distance < em * 2.6) return !isBulletSign(line.text)
  if (distance > em * Math.min(2.2, Math.max(leading * 1.22, 1.05))) return false
  if (isLeaderLine(above.text) || endsPaperHeading(above, line)) return false
  if (line.is_mono) return !isBulletSign(line.text)
  const width = region.x1 - region.x0
  const room = line.is_right ? above.x0 - region.x0 : region.x1 - above.x1
  // So far apart, a line that ends early ends a paragraph, whatever its last sign is.
  if (distance > em * 1.6 && room > width * 0.3) return false
  if (line.marker !== null && startsItem(first, line)) return false
  const [edge, above_edge] = line.is_right
    ? [region.x1 - line.x1, region.x1 - above.x1]
    : [line.x0 - region.x0, above.x0 - region.x0]
  if (first.marker !== null)
    return edge > indentOf(first, region) - em * 0.3 && !(group.length > 1 && edge < above_edge - em * 0.8)
  const is_centred = Math.abs(line.x0 + line.x1 - above.x0 - above.x1) < em && Math.abs(edge - above_edge) > em * 0.5
  if (is_centred) return true
  // The first line of a paragraph is set in, or the last one ended early.
  if (edge > above_edge + em * 0.8) return false
  const first_word = line.is_rtl ? line.words.at(-1) : line.words[0]
  const is_early =
    room > width * 0.25 && first_word !== undefined && room > (first_word.x1 - first_word.x0) * 2 + em * 2
  return !(is_early && /[.!?:;。！？：؟]["'”’)]?$/.test(above.text) && /^[\p{Lu}\p{N}\p{Lo}"“‘(]/u.test(line.text))
}

/** Whether a line is set below the bold first words of an item. */
function isBelowLead(group: readonly TextLine[], line: TextLine, em: number): boolean {
  const [first] = group
  if (!first || group.length > 1 || !BULLET.test(first.text) || line.marker !== null) return false
  const hang = line.is_right ? first.x1 - line.x1 : line.x0 - first.x0
  return first.is_bold && hang > em * MIN_HANG && hang < em * MAX_HANG
}

const indentOf = (line: TextLine, region: Box): number => (line.is_right ? region.x1 - line.x1 : line.x0 - region.x0)

/**
 * A number at the start of a line marks a list item only next to other such lines, or at the start of the paragraph.
 */
function startsItem(first: TextLine, line: TextLine): boolean {
  if (line.marker === null) return false
  if (BULLET.test(line.text)) return first.marker !== null || !/^[-–—*]/.test(line.marker)
  return first.marker !== null || /^\(?\d{1,2}[.)]$/.test(line.marker)
}

/** Most lines go on; where few do, the smaller steps are those within paragraphs. */
export function leadingOf(rows: readonly Row[]): number {
  const steps: number[] = []
  for (const [index, row] of rows.entries()) {
    const above = rows[index - 1]
    const step = above ? (row.y1 - above.y1) / row.size : 0
    if (step > 0.9 && step < 2.2) steps.push(step)
  }
  return steps.length === 0 ? 1.3 : (Float64Array.from(steps).sort()[Math.floor(steps.length * 0.3)] ?? 1.3)
}

/** Where items of lists begin, each more to the inside than the one before. */
function indentsOf(groups: readonly TextLine[][], body: number): number[] {
  const starts = groups.flatMap(([first]) => (first && isItem(first.text) ? [itemStart(first, body)] : []))
  const indents: number[] = []
  for (const start of starts.toSorted((a, b) => a - b))
    if (start - (indents.at(-1) ?? Number.NEGATIVE_INFINITY) > body * 0.7) indents.push(start)
  return indents
}

/** Numbers of one list may end together instead of beginning together, as in (i), (ii), (iii). */
function itemStart(line: TextLine, body: number): number {
  if (line.is_right) return -line.x1
  const [number] = line.words
  return BULLET.test(line.text) || !number || line.words.length < 2 ? line.x0 : number.x1 - body
}

function blockOf(
  group: readonly TextLine[],
  { body, em, is_mono }: Omit<PageSizes, 'leading'>,
  indents: readonly number[],
): Omit<PlacedBlock, 'box'> {
  const [first] = group
  const text = joinLines(group.map((line) => line.text))
  if (!first) return { block: { type: 'paragraph', text } }
  if (first.is_mono && !isBulletSign(text) && (group.length > 1 || !is_mono))
    return { block: { type: 'code', text: codeOf(group) } }
  const numbered = numberedLevel(text)
  if (isHeading(group, text, em))
    return { block: { type: 'heading', text, level: 1 }, heading: { size: first.size, numbered } }
  if (first.marker !== null && isItem(text)) {
    const start = itemStart(first, body)
    const depth = Math.max(
      0,
      indents.findLastIndex((indent) => indent <= start + body * 0.35),
    )
    return { block: { type: 'list_item', text: text.replace(BULLET, ''), level: Math.min(9, depth + 1) } }
  }
  return { block: { type: 'paragraph', text } }
}

/** A dash or an asterisk may be part of a program or a drawn line. */
const isBulletSign = (text: string): boolean => BULLET.test(text) && !/^[-–—*·]/.test(text)

const isItem = (text: string): boolean =>
  BULLET.test(text) || /^(\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])\s/.test(text)

function codeOf(group: readonly TextLine[]): string {
  const left = Math.min(...group.map(({ x0 }) => x0))
  const advance = median(group.map((line) => (line.x1 - line.x0) / Math.max(1, line.text.length)))
  const step = median(group.slice(1).map((line, index) => line.y1 - (group[index]?.y1 ?? line.y1)))
  return group
    .map((line, index) => {
      const above = group[index - 1]
      const gap = above && line.y1 - above.y1 > step * 1.6 ? '\n' : ''
      return gap + ' '.repeat(advance > 0 ? Math.round((line.x0 - left) / advance) : 0) + line.text
    })
    .join('\n')
}

function isHeading(group: readonly TextLine[], text: string, body: number): boolean {
  const [first] = group
  if (!first || group.length > 4 || text.length > MAX_HEADING || !/\p{L}/u.test(text)) return false
  if (isLeaderLine(text) || captionKind(text) !== null) return false
  if (group.length <= 2 && isPaperHeading({ text, is_italic: first.is_italic })) return true
  const ratio = first.size / body
  if (ratio >= 1.12) return true
  return (
    first.is_bold &&
    ratio >= 0.95 &&
    group.length <= 2 &&
    text.length <= 120 &&
    !/[.,;:]$/.test(text) &&
    !BULLET.test(text)
  )
}
