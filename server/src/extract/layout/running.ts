// Headers and footers: text at the top and bottom of a page, set apart from the rest.

import type { PlacedBlock } from './blocks.ts'
import type { FoundBlock } from './cells.ts'
import { around } from './geometry.ts'
import { rowsOf, textOfRow } from './lines.ts'
import type { Line } from './rules.ts'
import type { PageFrame, Word } from './types.ts'

const BAND = 0.075
const NUMBER_BAND = 0.12
const MAX_ROWS = 3
const PAGE_NUMBER =
  /^([-–—]\s*)?((page|seite|página|pagina|strona|стр\.?|p\.)\s*)?(\d{1,5}|[ivxlc]{1,7})(\s*(\/|of|von|de|di|sur|z|из)\s*\d{1,5})?(\s*[-–—])?$/i

interface Found {
  headers: PlacedBlock[]
  footers: PlacedBlock[]
  rest: Word[]
}

export function findRunning(
  words: readonly Word[],
  given: { ruled: readonly FoundBlock[]; page: PageFrame; body: number; across: readonly Line[] },
): Found {
  const { page } = given
  const top = words.filter(({ y1 }) => y1 < page.height * NUMBER_BAND)
  const bottom = words.filter(({ y0 }) => y0 > page.height * (1 - NUMBER_BAND))
  const taken = new Set<Word>()
  const headers = stripOf(top, words, 'header', { ...given, taken })
  const footers = stripOf(bottom, words, 'footer', { ...given, taken })
  return { headers, footers, rest: taken.size === 0 ? [...words] : words.filter((word) => !taken.has(word)) }
}

function stripOf(
  strip: readonly Word[],
  words: readonly Word[],
  type: 'header' | 'footer',
  {
    ruled,
    page,
    body,
    across,
    taken,
  }: { ruled: readonly FoundBlock[]; page: PageFrame; body: number; across: readonly Line[]; taken: Set<Word> },
): PlacedBlock[] {
  if (strip.length === 0) return []
  const is_top = type === 'header'
  const rows = rowsOf(strip)
  if (!is_top) rows.reverse()
  const own: typeof rows = []
  for (const row of rows.slice(0, MAX_ROWS)) {
    const is_number = PAGE_NUMBER.test(textOfRow(row.words))
    const is_outer = is_top ? row.y1 < page.height * BAND : row.y0 > page.height * (1 - BAND)
    if (row.size > body * (isRuledOff(row, { is_top, across, page }) ? 1.6 : 1.1) || (!is_outer && !is_number)) break
    own.push(row)
  }
  // Drops rows until white space or a ruled line separates the others from the rest of the page.
  while (own.length > 0) {
    const set = new Set(own.flatMap((row) => row.words))
    const { y0, y1 } = around(own)
    const others = [...words.filter((word) => !set.has(word)), ...ruled.map(({ box }) => box)]
    const distance = is_top ? around(others).y0 - y1 : y0 - around(others).y1
    const is_ruled_off = isRuledOff(around(own), { is_top, across, page })
    if (others.length > 0 && (distance >= body * 0.9 || (is_ruled_off && distance > 0))) break
    own.pop()
  }
  for (const word of own.flatMap((row) => row.words)) taken.add(word)
  if (!is_top) own.reverse()
  return own.map((row) => ({ box: around([row]), block: { type, text: textOfRow(row.words) } }))
}

/** Whether a line over most of the page keeps it apart from the text. */
function isRuledOff(
  { y0, y1, size = 10 }: { y0: number; y1: number; size?: number },
  { is_top, across, page }: { is_top: boolean; across: readonly Line[]; page: PageFrame },
): boolean {
  const reach = size * 1.5
  return across.some(({ at, from, to, is_edge }) => {
    const distance = is_top ? at - y1 : y0 - at
    return !is_edge && distance > -size * 0.3 && distance < reach && to - from > page.width * 0.5
  })
}
