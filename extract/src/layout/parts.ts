// The parts of a line that a gap between columns keeps apart.

import { type Scale, scaled } from './gaps.ts'
import { median, shared } from './geometry.ts'
import { partsOf, type Row } from './lines.ts'
import { isJustified } from './lookalikes.ts'
import type { Word } from './types.ts'

/** In multiples of the gap between columns. */
const PART_GAP = 1.4
/** In ems: a single space of a typewriter font is not a gap between columns. */
export const MONO_GAP = 1

export interface Candidate {
  row: Row
  parts: Row[]
}

export const withParts = (row: Row, scale: Scale): Candidate => ({
  row,
  parts: looseParts(row, scaled(scale, row.size)),
})

export const isMono = (words: readonly Word[]): boolean => words.every((word) => word.is_mono === true)

/** A loose line has wide spaces everywhere; a row of a table has a few that are wider than the others. */
function looseParts(row: Row, { gap }: Scale): Row[] {
  const parts = partsOf(row.words, Math.max(gap * PART_GAP, isMono(row.words) ? row.size * MONO_GAP : 0))
  if (parts.length > 1 && isJustified(row)) return [row]
  if (parts.length === 1 || row.words.length < 6) return parts
  const gaps = row.words.slice(1).map((word, index) => word.x0 - (row.words[index]?.x1 ?? word.x0))
  const usual = median(gaps)
  return usual < row.size * 0.7 && usual * 2 > gap * PART_GAP ? partsOf(row.words, usual * 2) : parts
}

/** A line of another text that is printed over a row. */
export const isPrintedOver = (row: Row, above: Row | undefined): boolean =>
  above !== undefined &&
  shared(row.y0, row.y1, above.y0, above.y1) > row.size * 0.35 &&
  row.words.some((word) => above.words.some((other) => shared(word.x0, word.x1, other.x0, other.x1) > word.size * 0.4))
