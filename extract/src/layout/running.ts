// Headers and footers: text at the top and bottom of a page, set apart from the rest.

import type { PlacedBlock } from './blocks.ts'
import type { FoundBlock } from './cells.ts'
import { around } from './geometry.ts'
import { type Row, rowsOf, textOfRow } from './lines.ts'
import type { Line } from './rules.ts'
import { isRunningRow } from './survey.ts'
import type { LayoutOptions, PageFrame, Word } from './types.ts'

const BAND = 0.075
const NUMBER_BAND = 0.12
/** Where a row may be that other pages repeat. */
const SURVEYED_BAND = 0.2
const MAX_ROWS = 3
/** In ems: between a row that other pages repeat and the text. */
const MIN_DISTANCE = 0.25
const PAGE_NUMBER =
  /^([-–—]\s*)?((page|seite|página|pagina|strona|стр\.?|p\.)\s*)?(\d{1,5}|[ivxlc]{1,7})(\s*(\/|of|von|de|di|sur|z|из)\s*\d{1,5})?(\s*[-–—])?$/i

interface Found {
  headers: PlacedBlock[]
  footers: PlacedBlock[]
  rest: Word[]
}

interface Given {
  ruled: readonly FoundBlock[]
  page: PageFrame
  body: number
  across: readonly Line[]
  options: LayoutOptions
}

export function findRunning(words: readonly Word[], given: Given): Found {
  const { page, options } = given
  const band = options.survey ? SURVEYED_BAND : NUMBER_BAND
  const top = words.filter(({ y1 }) => y1 < page.height * band)
  const bottom = words.filter(({ y0 }) => y0 > page.height * (1 - band))
  const taken = new Set<Word>()
  const headers = stripOf(top, words, 'header', { ...given, taken })
  const footers = stripOf(bottom, words, 'footer', { ...given, taken })
  return { headers, footers, rest: taken.size === 0 ? [...words] : words.filter((word) => !taken.has(word)) }
}

function stripOf(
  strip: readonly Word[],
  words: readonly Word[],
  type: 'header' | 'footer',
  { ruled, page, body, across, options, taken }: Given & { taken: Set<Word> },
): PlacedBlock[] {
  if (strip.length === 0) return []
  const is_top = type === 'header'
  const rows = rowsOf(strip)
  if (!is_top) rows.reverse()
  const own: typeof rows = []
  const running = new Set<Row>()
  for (const row of rows.slice(0, MAX_ROWS)) {
    const is_number = PAGE_NUMBER.test(textOfRow(row.words))
    const is_outer = is_top ? row.y1 < page.height * BAND : row.y0 > page.height * (1 - BAND)
    const is_known = isKnown(row, page, options) || (is_number && is_outer)
    const is_large = row.size > body * (isRuledOff(row, { is_top, across, page }) ? 1.6 : 1.1)
    const is_near = row.y1 < page.height * NUMBER_BAND || row.y0 > page.height * (1 - NUMBER_BAND)
    if (!is_known && (is_large || (!is_outer && !(is_number && is_near)))) break
    own.push(row)
    if (is_known) running.add(row)
  }
  // Drops rows until white space or a ruled line separates the others from the rest of the page.
  while (own.length > 0) {
    const set = new Set(own.flatMap((row) => row.words))
    const { y0, y1 } = around(own)
    const others = [...words.filter((word) => !set.has(word)), ...ruled.map(({ box }) => box)]
    const distance = is_top ? around(others).y0 - y1 : y0 - around(others).y1
    const is_ruled_off = isRuledOff(around(own), { is_top, across, page })
    const least = own.every((row) => running.has(row)) ? body * MIN_DISTANCE : body * 0.9
    if (others.length > 0 && (distance >= least || (is_ruled_off && distance > 0))) break
    own.pop()
  }
  for (const word of own.flatMap((row) => row.words)) taken.add(word)
  if (!is_top) own.reverse()
  return own.map((row) => ({
    box: around([row]),
    block: { type, text: textOfRow(row.words), ...(running.has(row) && { is_running: true }) },
  }))
}

function isKnown(row: Row, page: PageFrame, { survey, page_number }: LayoutOptions): boolean {
  if (!survey || page_number === undefined) return false
  return isRunningRow(row, { ...survey, number: page_number, height: page.height })
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
