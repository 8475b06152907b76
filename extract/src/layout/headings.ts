// Which of the headings of a page is its title, and what level the others have.

import type { PlacedBlock } from './blocks.ts'
import { levelOfSize } from './survey.ts'
import type { Survey } from './types.ts'

/** Sizes that differ by less are of one level: those of OCR are never quite the same. */
const SAME_SIZE = 0.9
const MIN_TITLE = 1.35
/** A logo, a date or an address may be above a title. */
const MAX_ABOVE = 4
const MAX_LEVEL = 6

/** Levels begin at 1 with the largest headings of the document, or of the page if nothing is known about the others. */
export function rankHeadings(
  placed: readonly PlacedBlock[],
  given: { body: number; height: number; is_first_page: boolean; survey: Survey | null },
): void {
  const title = given.is_first_page ? findTitle(placed, given) : null
  if (title) title.block = { type: 'title', text: title.block.text }
  const steps: number[] = []
  const { survey } = given
  for (const size of sizesOf(placed.filter((one) => one !== title)).sort((a, b) => b - a))
    if (size < (steps.at(-1) ?? Number.POSITIVE_INFINITY) * SAME_SIZE) steps.push(size)
  for (const one of placed) {
    if (one === title || !one.heading) continue
    const { size, numbered } = one.heading
    const by_size = survey ? levelOfSize(size, survey.heading_sizes) : levelOnPage(size, steps)
    const by_number = numbered === null ? null : numbered + (survey?.numbered_level ?? 1) - 1
    one.block = { ...one.block, level: Math.min(MAX_LEVEL, by_number ?? by_size) }
  }
}

const levelOnPage = (size: number, steps: readonly number[]): number =>
  Math.max(
    0,
    steps.findLastIndex((step) => size <= step),
  ) + 1

const sizesOf = (placed: readonly PlacedBlock[]): number[] => placed.flatMap(({ heading }) => heading?.size ?? [])

/** The largest heading, if it is at the top of the page and nothing else is as large. */
function findTitle(
  placed: readonly PlacedBlock[],
  { body, height }: { body: number; height: number },
): PlacedBlock | null {
  const content = placed.filter(({ block }) => block.type !== 'header' && block.type !== 'figure')
  const title = content.slice(0, MAX_ABOVE + 1).find(({ heading }) => heading)
  if (!title?.heading || title.heading.size < body * MIN_TITLE || title.box.y0 > height / 2) return null
  const others = sizesOf(placed.filter((one) => one !== title))
  return others.some((size) => size >= (title.heading?.size ?? 0) * SAME_SIZE) ? null : title
}
