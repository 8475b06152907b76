// Captions of figures: a figure reaches from the text before it down to its caption.

import { captionKind } from '../captions.ts'
import { shared } from './geometry.ts'
import { partsOf, type Row, textOfRow } from './lines.ts'
import { weightOf } from './script.ts'
import type { Box } from './types.ts'

/** In characters: labels of a figure are shorter. */
const MIN_PROSE = 45
/** In ems: between a table and its caption above it. */
const MAX_DISTANCE = 3
const MAX_PARTS = 3_000

export interface CaptionLine extends Box {
  size: number
  kind: 'table' | 'figure' | 'prose' | null
}

/** The lines of a page, as far as they show where figures end. */
export function captionLines(rows: readonly Row[], em: number): CaptionLine[] {
  return rows
    .flatMap((row) => partsOf(row.words, em * 0.9))
    .slice(0, MAX_PARTS)
    .map(({ x0, y0, x1, y1, size, words }) => ({ x0, y0, x1, y1, size, kind: kindOf(textOfRow(words)) }))
}

function kindOf(text: string): CaptionLine['kind'] {
  return captionKind(text) ?? (weightOf(text) >= MIN_PROSE ? 'prose' : null)
}

/** Whether the next caption below a box is that of a figure, without text between them. */
export function isAboveFigureCaption(box: Box, lines: readonly CaptionLine[]): boolean {
  const isBeside = (line: CaptionLine) =>
    shared(line.x0, line.x1, box.x0, box.x1) > Math.min(line.x1 - line.x0, box.x1 - box.x0) * 0.3
  const beside = lines.filter(isBeside)
  const has_title = beside.some(
    ({ kind, y1, size }) => kind === 'table' && y1 <= box.y0 + size * 0.5 && box.y0 - y1 < size * MAX_DISTANCE,
  )
  const next = beside
    .filter(({ y0, kind, size }) => kind !== null && y0 > box.y1 - size * 0.5)
    .reduce<CaptionLine | null>((first, line) => (first === null || line.y0 < first.y0 ? line : first), null)
  return !has_title && next?.kind === 'figure'
}
