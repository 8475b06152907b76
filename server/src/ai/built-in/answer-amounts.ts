// Is a value one amount, and not a text with several numbers?

import type { Candidate } from './answer-candidates.ts'
import type { Features } from './answer-features.ts'
import type { Question } from './answer-question.ts'
import { stemOf } from './answer-stems.ts'

export const NUMBERS = /(?<![\d.,'’])\d[\d.,'’]*(?: \d{3}(?!\d))*/g
const PERCENTS = /\d\s?%/g

/** "35% ($6,547.01)" has one percentage. A value whose label is what is asked may have a note after it. */
export function isOneAmount(question: Question, one: Candidate, features: Features): boolean {
  if (question.kind === 'percent' && (one.text.match(PERCENTS) ?? []).length === 1) return true
  const isNoted = features.label_is_asked === 1 && /^\W{0,2}\d/.test(one.text)
  return !hasSeveralNumbers(one.text) && (isNoted || !isMostlyWords(one.text, question))
}

/** "54,494 to 84,913 USD" is one range. */
const AMOUNT_RANGE = /\d\s(?:[–—-]|to|bis)\s[$€£¥]?\s?\d|\d[–—][$€£¥]?\d/iu
/** "31.7 gal (120 L)": one amount in two units. */
const CONVERSION = /\s\([\d.,]+ ?\p{L}{1,5}\)$/u
/** "0.74 (since 11/28/2024)". */
const NOTED_DATE = /\s\((?:as of|as at|since|until|stand|au)\s[^()]*\)$/iu
const hasSeveralNumbers = (text: string): boolean =>
  (text.replace(CONVERSION, '').replace(NOTED_DATE, '').match(NUMBERS) ?? []).length > (AMOUNT_RANGE.test(text) ? 2 : 1)

const MAX_OTHER_WORDS = 1

/** "11 Nonqualified plans" is the number and the name of a field, not an amount. */
const isMostlyWords = (text: string, { terms }: Question): boolean =>
  (text.match(/\p{L}{3,}/gu) ?? []).filter((word) => !terms.includes(stemOf(word))).length > MAX_OTHER_WORDS
