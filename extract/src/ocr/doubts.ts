// Doubts about recognized text: a script that the engine cannot read, uncertain words and numbers, no text at all.

import type { Word } from '../layout/types.ts'
import type { PageImage } from '../types.ts'
import { type OcrPage, UnsupportedScript } from './ocr.ts'

export interface ConfidenceLimits {
  /** A page below it is in a script that the engine cannot read. */
  illegible: number
  /** A word below it may be wrong. */
  uncertain: number
}

// Measured on pages with 23 texts in 21 languages, clean, small, short and noisy. Tesseract with English data: 0.00 to 0.29 for
// other scripts, 0.79 and more for Latin. PP-OCR: 0.51 to 0.85 for scripts that it does not know, 0.98 and more for its languages.
export const TESSERACT_LIMITS: ConfidenceLimits = { illegible: 0.5, uncertain: 0.6 }
export const PADDLE_LIMITS: ConfidenceLimits = { illegible: 0.8, uncertain: 0.9 }

/** Fewer letters than this can be strokes of a picture. */
const FEW_LETTERS = 20
const UNCERTAIN_SHARE = 0.25
const SHOWN_NUMBERS = 10
/** The share of dark pixels on a page that is not blank. */
const INK_SHARE = 0.002
const DARK = 128

/** Throws `UnsupportedScript` instead of returning text that the engine could not read. `script`: as far as it is known. */
export function withDoubts(
  page: Omit<OcrPage, 'warnings'>,
  image: Pick<PageImage, 'pixels'>,
  { limits, script, available }: { limits: ConfidenceLimits; script: string | null; available: readonly string[] },
): OcrPage {
  const is_illegible = page.words.length > 0 && page.confidence < limits.illegible
  if (is_illegible && lettersOf(page.words) >= FEW_LETTERS) throw new UnsupportedScript(script, available)
  if (is_illegible || page.words.length === 0) {
    const warnings = hasInk(image) ? ['No text was recognized in the image of this page.'] : []
    return { ...page, words: [], confidence: 0, warnings }
  }
  return { ...page, warnings: [...uncertainText(page.words, limits), ...uncertainNumbers(page.words, limits)] }
}

const lettersOf = (words: readonly Word[]): number => words.reduce((sum, { text }) => sum + [...text].length, 0)
const isUncertain = ({ confidence = 1 }: Word, { uncertain }: ConfidenceLimits): boolean => confidence < uncertain

function uncertainText(words: readonly Word[], limits: ConfidenceLimits): string[] {
  const share = lettersOf(words.filter((word) => isUncertain(word, limits))) / Math.max(1, lettersOf(words))
  if (share < UNCERTAIN_SHARE) return []
  return [`About ${Math.round(share * 100)}% of the recognized text is uncertain. Compare it with the image.`]
}

/** A wrong digit looks as plausible as the right one, so readers cannot notice it in the text. */
function uncertainNumbers(words: readonly Word[], limits: ConfidenceLimits): string[] {
  const found = words.filter((word) => /\p{Nd}/u.test(word.text) && isUncertain(word, limits))
  if (found.length === 0) return []
  const shown = [...new Set(found.map(({ text }) => `'${text.slice(0, 40)}'`))].slice(0, SHOWN_NUMBERS)
  const more = found.length > SHOWN_NUMBERS ? ` and ${found.length - SHOWN_NUMBERS} more` : ''
  return [`Uncertain numbers: ${shown.join(', ')}${more}. Compare them with the image.`]
}

function hasInk({ pixels }: Pick<PageImage, 'pixels'>): boolean {
  let dark = 0
  for (const pixel of pixels) if (pixel < DARK) dark++
  return dark > pixels.length * INK_SHARE
}
