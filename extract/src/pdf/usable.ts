// Whether the text layer says what a person sees, or the page has to be read from its picture.

import type { Box } from '../layout/types.ts'
import type { PageText } from './chars.ts'
import type { Frame } from './frame.ts'
import { isGarbled } from './garbled.ts'
import type { Shapes } from './shapes.ts'

const GRID = 40
const MAX_BAD_SHARE = 0.3
/** A stamp, a watermark or a page number has fewer letters than a page of text. */
const FEW_CHARACTERS = 120
/** Letters drawn as shapes come in numbers. */
const MANY_PATHS = 60

export function wantsOcr(text: PageText, { images, paths }: Shapes, frame: Frame): boolean {
  const good = text.characters - text.bad
  if (text.characters >= 5 && text.bad / text.characters > MAX_BAD_SHARE) return true
  if (isGarbled(text.words.flat())) return true
  const covered = coverage(images, frame)
  if (good === 0) return covered > 0.02 || paths >= MANY_PATHS
  if (good >= FEW_CHARACTERS * 4 || covered < 0.5) return false
  return good < FEW_CHARACTERS || isMarginal(text, frame)
}

/** The part of the page that boxes cover, on a coarse grid. */
function coverage(boxes: readonly Box[], { width, height }: Pick<Frame, 'width' | 'height'>): number {
  if (boxes.length === 0) return 0
  const grid = new Uint8Array(GRID * GRID)
  const place = (value: number, side: number) => Math.min(GRID, Math.max(0, Math.round((value / side) * GRID)))
  for (const { x0, y0, x1, y1 } of boxes.slice(0, 2_000)) {
    const [left, right, top, bottom] = [place(x0, width), place(x1, width), place(y0, height), place(y1, height)]
    for (let row = top; row < bottom; row++) grid.fill(1, row * GRID + left, row * GRID + right)
  }
  return grid.reduce((sum, cell) => sum + cell, 0) / grid.length
}

/** Whether all text is at the top and bottom edges, as running titles and stamps are, or runs across the page. */
function isMarginal({ words: [upright] }: PageText, { height }: Frame): boolean {
  return upright.every(({ y0, y1 }) => y1 < height * 0.12 || y0 > height * 0.88)
}
