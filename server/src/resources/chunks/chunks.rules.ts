// Where a page's text is cut into pieces for search and models. Positions are code points, as PostgreSQL and most
// languages count characters; a JavaScript string counts some of them twice.

import { textFromBlocks } from '@octavo/base/blocks.ts'
import { itemAt, lastOf } from '@octavo/base/required.ts'
import type { Block } from '@octavo/contract'
import { findHeading, type Heading, openBelow } from '../../text/headings.ts'

export interface Span {
  start: number
  end: number
}

const MAX_CHARACTERS = 1_000
/** No cut before this, so that a short paragraph is not a chunk by itself, and so that the work stays linear. */
const MIN_CHARACTERS = 250

const NEWLINE = 10
const ENDS = new Set([...'.!?…'].map((sign) => sign.codePointAt(0) ?? 0))
/** These end a sentence without a space after them. */
const WIDE_ENDS = new Set([...'。！？｡'].map((sign) => sign.codePointAt(0) ?? 0))
/**
 * Most closing marks between the end of a sentence and the space. Bounds the cost of a text that is all closing marks.
 */
const MAX_CLOSERS = 4
const CLOSERS = new Set([...'"\')]}»”’』」）'].map((sign) => sign.codePointAt(0) ?? 0))

/**
 * Cuts a text into trimmed pieces of at most 1,000 characters, in order, with nothing but space between them. `tables`
 * are cut between rows.
 */
export function chunkText(text: string, tables: readonly Span[] = []): Span[] {
  const points = codePointsOf(text)
  const spans: Span[] = []
  let start = skipSpace(points, 0)
  while (start < points.length) {
    const cut = points.length - start <= MAX_CHARACTERS ? points.length : findCut(points, start, tables)
    let end = cut
    while (isSpace(points[end - 1] ?? 0)) end--
    spans.push({ start, end })
    start = skipSpace(points, cut)
  }
  return spans
}

function codePointsOf(text: string): Uint32Array {
  const points = new Uint32Array(text.length)
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i) ?? 0
    if (point > 0xffff) i++
    points[count++] = point
  }
  return points.subarray(0, count)
}

/** As `\s` has it. */
function isSpace(point: number): boolean {
  if (point < 128) return point === 32 || (point >= 9 && point <= 13)
  return (
    point === 0xa0 ||
    point === 0x1680 ||
    (point >= 0x2000 && point <= 0x200a) ||
    point === 0x2028 ||
    point === 0x2029 ||
    point === 0x202f ||
    point === 0x205f ||
    point === 0x3000 ||
    point === 0xfeff
  )
}

function skipSpace(points: Uint32Array, from: number): number {
  let at = from
  while (at < points.length && isSpace(points[at] ?? 0)) at++
  return at
}

type IsCut = (points: Uint32Array, at: number) => boolean

/** The last end of a paragraph within the limit, or else of a sentence, a line or a word; without any, the limit. */
function findCut(points: Uint32Array, start: number, tables: readonly Span[]): number {
  const limit = start + MAX_CHARACTERS
  const first = start + MIN_CHARACTERS
  return (
    findParagraphEnd(points, first, limit) ??
    findLast(points, first, limit, (all, at) => endsSentence(all, at) && !isWithin(tables, at)) ??
    findLast(points, first, limit, (all, at) => all[at] === NEWLINE) ??
    findLast(points, first, limit, (all, at) => isSpace(all[at] ?? 0)) ??
    limit
  )
}

const isWithin = (tables: readonly Span[], at: number): boolean =>
  tables.some(({ start, end }) => start < at && at < end)

function findLast(points: Uint32Array, first: number, limit: number, isCut: IsCut): number | null {
  for (let at = limit; at >= first; at--) if (isCut(points, at)) return at
  return null
}

/** Two line breaks with nothing but space between them. */
function findParagraphEnd(points: Uint32Array, first: number, limit: number): number | null {
  let newlines = 0
  for (let at = limit; at >= first; at--) {
    const point = points[at] ?? 0
    if (point === NEWLINE) newlines++
    else if (!isSpace(point)) newlines = 0
    if (newlines === 2) return at
  }
  return null
}

function endsSentence(points: Uint32Array, at: number): boolean {
  let last = at - 1
  for (const end = last - MAX_CLOSERS; last > end && CLOSERS.has(points[last] ?? 0); last--);
  return WIDE_ENDS.has(points[last] ?? 0) || (isSpace(points[at] ?? 0) && ENDS.has(points[last] ?? 0))
}

export interface PageChunk extends Span {
  heading_path: string[]
}

/**
 * The chunks of a page: cut at its headings and within the text between them. `path` holds the headings that are open
 * where the page begins; those that are open at its end are returned. Without blocks the text has no headings.
 */
export function chunkPage(
  { text, blocks, tables = [] }: { text: string; blocks: readonly Block[] | null; tables?: readonly Span[] },
  path: readonly Heading[],
): { chunks: PageChunk[]; path: Heading[] } {
  const chunks: PageChunk[] = []
  let open = [...path]
  let offset = 0
  for (const section of sectionsOf(text, blocks)) {
    for (const heading of section.headings) open = openBelow(open, heading)
    const heading_path = open.map((heading) => heading.text)
    const before = offset
    const own = tables.map(({ start, end }) => ({ start: start - before, end: end - before }))
    for (const { start, end } of chunkText(section.text, own))
      chunks.push({ start: start + before, end: end + before, heading_path })
    offset += codePointsOf(section.text).length
  }
  return { chunks, path: open }
}

interface ChunkSection {
  text: string
  /** That it begins with: a heading alone would be a poor chunk, so it goes with what follows. */
  headings: Heading[]
}

function sectionsOf(text: string, blocks: readonly Block[] | null): ChunkSection[] {
  const derived = blocks && textFromBlocks(blocks)
  if (!blocks || derived?.text !== text) return [{ text, headings: [] }]
  const sections: { start: number; headings: Heading[] }[] = [{ start: 0, headings: [] }]
  let isHeadingBefore = false
  for (const [index, block] of blocks.entries()) {
    if (block.text === '') continue
    const heading = findHeading(block)
    if (!heading) {
      isHeadingBefore = false
      continue
    }
    if (isHeadingBefore) lastOf(sections).headings.push(heading)
    else sections.push({ start: itemAt(derived.spans, index).start, headings: [heading] })
    isHeadingBefore = true
  }
  return sections.map(({ start, headings }, i) => ({
    text: text.slice(start, sections[i + 1]?.start ?? text.length),
    headings,
  }))
}
