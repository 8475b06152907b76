// Reads the text of a few pages before the others, to see what the pages have in common.

import { type SampledPage, surveyOf } from '../layout/survey.ts'
import type { Survey } from '../layout/types.ts'
import { readText } from './chars.ts'
import { frameOf } from './frame.ts'
import type { Pdfium } from './module.ts'

/** Pairs, because left and right pages may have different headers. */
const PAIRS = 4
/** The sample ends after this many characters, so that its cost is bounded. */
const MAX_CHARACTERS = 60_000

export type PageSample = Omit<SampledPage, 'number'>

export function sampleText(pdfium: Pdfium, page: number): PageSample {
  const frame = frameOf(pdfium, page)
  return { height: frame.height, words: readText(pdfium, page, frame).words[0] }
}

/** A page that cannot be read is left out. */
export async function surveyPages(
  page_count: number,
  sample: (number: number) => Promise<PageSample>,
): Promise<Survey | null> {
  const pages: SampledPage[] = []
  let characters = 0
  for (const number of sampledNumbers(page_count)) {
    if (characters > MAX_CHARACTERS) break
    const page = await sample(number).catch(() => null)
    if (!page) continue
    pages.push({ ...page, number })
    for (const { text } of page.words) characters += text.length
  }
  return surveyOf(pages)
}

/** All pages of a short document, or pairs of pages spread over a long one. */
export function sampledNumbers(page_count: number): number[] {
  const numbers = new Set<number>()
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = 1 + Math.round((pair * Math.max(0, page_count - 2)) / (PAIRS - 1))
    for (const number of [first, first + 1]) if (number <= page_count) numbers.add(number)
  }
  return [...numbers]
}
