// How much each word of a question counts, and the words around a passage.

import type { Passage } from './answer-candidates.ts'
import { type Question, stemsOf } from './answer-question.ts'

const MAX_PAGE = 8_000

export interface Weighing {
  question: Question
  weightOf: (term: string) => number
  total: number
  /** The weight of a term that no candidate has. */
  rarest: number
  pairs: string[]
}

export function weighingOf(question: Question, own: readonly string[][]): Weighing {
  const sets = own.map((stems) => new Set(stems))
  const weights = new Map(
    question.terms.map((term) => [
      term,
      Math.log(1 + sets.length / (sets.filter((stems) => stems.has(term)).length + 0.5)),
    ]),
  )
  const weightOf = (term: string): number => weights.get(term) ?? 0
  const pairs = question.terms.slice(1).map((term, i) => `${question.terms[i]} ${term}`)
  return {
    question,
    weightOf,
    pairs,
    rarest: Math.log(1 + 2 * sets.length),
    total: Math.max(
      1e-9,
      question.terms.reduce((sum, term) => sum + weightOf(term), 0),
    ),
  }
}

/** Stems of the page, its title and headings, and of the other passages of its document. */
export function surroundingsOf(passages: readonly Passage[]): ReadonlySet<string>[] {
  const stems = new Map<string, string[]>()
  const read = (text: string, language: string | null): string[] =>
    stems.getOrInsertComputed(text, () => stemsOf(text, language))
  const documents = new Map<string, Set<string>>()
  for (const { text, title, headings, document, page } of passages) {
    const own = documents.getOrInsertComputed(document, () => new Set<string>())
    for (const part of [text, page.text.slice(0, MAX_PAGE), title, ...headings])
      for (const stem of read(part, page.language)) own.add(stem)
  }
  return passages.map(({ document }) => documents.get(document)!)
}
