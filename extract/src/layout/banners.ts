// Titles of parts of a form: a line of text on a filled band.

import { around, holds, shared } from './geometry.ts'
import { partsOf, type Row } from './lines.ts'
import type { Box, Word } from './types.ts'

/** Each is compared with all rows of the page. */
const MAX_BANDS = 200

/** Parts of a form that are side by side. */
const MAX_TITLES = 2

/** In ems. */
const [MIN_HEIGHT, MAX_HEIGHT, MIN_WIDTH] = [0.9, 2.6, 6]

/** A band and the words on it. */
export interface Banner {
  box: Box
  words: Word[]
}

/** Bands that hold one part of a row each; stripes of a table hold several. */
export function findBanners(rows: readonly Row[], fills: readonly Box[], em: number): Banner[] {
  const bands = fills.filter(
    ({ x0, y0, x1, y1 }) => y1 - y0 > em * MIN_HEIGHT && y1 - y0 < em * MAX_HEIGHT && x1 - x0 > em * MIN_WIDTH,
  )
  return bands.slice(0, MAX_BANDS).flatMap((box) => {
    const beside = rows.filter((row) => shared(row.y0, row.y1, box.y0, box.y1) > 0)
    const held = beside.flatMap((row) =>
      partsOf(
        row.words.filter((word) => holds(box, word)),
        em,
      ),
    )
    const [part] = held
    // A band that ends with its text is the mark of a word.
    return part && held.length === 1 && box.x1 - box.x0 > (part.x1 - part.x0) * 1.3 ? [{ box, words: part.words }] : []
  })
}

/** The banners of a row; none if one of its words is outside all banners. */
export function bannersOf(row: Row, banners: readonly Banner[]): Banner[] {
  const own = banners.filter(({ words }) => words.some((word) => row.words.includes(word)))
  // A band for each of many parts is the background of a heading's cell.
  if (own.length > MAX_TITLES) return []
  const held = new Set(own.flatMap(({ words }) => words))
  return row.words.every((word) => held.has(word)) ? own : []
}

/** The banner above a block, as wide as the block. */
export function titleAbove(banners: readonly Banner[], words: readonly Word[]): Banner | undefined {
  const { x0, x1 } = around(words)
  return banners.find(
    ({ box }) => box.x0 < x0 + (x1 - x0) * 0.2 && box.x1 > x1 - (x1 - x0) * 0.35 && box.x1 - box.x0 < (x1 - x0) * 2,
  )
}
