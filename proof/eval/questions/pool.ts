// A question with the passages that a search would bring, and what is right. Training and measuring use the same pools.

import type { Passage } from '../../../server/src/ai/built-in/answer-candidates.ts'
import { stemsOf } from '../../../server/src/ai/built-in/answer-question.ts'

export interface Pool {
  set: string
  /** Training and test share no group: an article, a report or a form. */
  group: string
  question: string
  language: string
  /** Any of these is right. */
  answers: string[]
  /** False: the passages that contain the answer were taken away. */
  is_answerable: boolean
  passages: Passage[]
}

const MAX_PASSAGES = 10

/** By the words they share with the question, the rare ones first: roughly what a search does. */
export function ranked(question: string, language: string, passages: readonly Passage[]): Passage[] {
  const asked = new Set(stemsOf(question, language))
  const stems = passages.map(({ text }) => new Set(stemsOf(text, language)))
  const weightOf = (term: string): number =>
    Math.log(1 + passages.length / (1 + stems.filter((own) => own.has(term)).length))
  const scores = new Map(
    passages.map((passage, i) => [
      passage,
      [...asked].reduce((sum, term) => sum + (stems[i]!.has(term) ? weightOf(term) : 0), 0),
    ]),
  )
  return passages.toSorted((a, b) => scores.get(b)! - scores.get(a)!).slice(0, MAX_PASSAGES)
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s,’']/g, '')
const isDigit = (sign: string | undefined): boolean => sign !== undefined && /\d/.test(sign)

/** The value is in the text; a number is not part of a longer one. */
export function holds(text: string, value: string): boolean {
  const [all, wanted] = [plain(text), plain(value)]
  if (wanted === '') return false
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + 1)) {
    const isCut =
      (isDigit(wanted[0]) && isDigit(all[at - 1])) || (isDigit(wanted.at(-1)) && isDigit(all[at + wanted.length]))
    if (!isCut) return true
  }
  return false
}
