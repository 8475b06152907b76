// A long sentence → the part of it that answers.

import type { Candidate } from './answer-candidates.ts'
import { holdsKind } from './answer-kinds.ts'
import { type Question, stemsOf } from './answer-question.ts'
import { stemOf } from './answer-stems.ts'
import { positionsOf } from './positions.ts'

const MAX_CHARACTERS = 200
/** Not the comma of a date: "March 3, 2026". */
const CLAUSE_END = /(?<!\d)[,;:](?=\s)|[,;:](?=\s+\D)|(?<!\d%?)\s[–—-](?=\s)|[。；，、]|\n/gu

/** Only where the kind of answer is known: without it, any part could be the answer. */
export function shorten(candidate: Candidate, question: Question): Candidate {
  const { kind } = question
  if (candidate.text.length <= MAX_CHARACTERS || !kind || kind === 'yes_no' || kind === 'reason') return candidate
  const asked = new Set(question.terms)
  const ends = [...candidate.text.matchAll(CLAUSE_END)].map(({ 0: sign, index }) => index + sign.length)
  const cuts = [0, ...ends, candidate.text.length]
  let best = { score: 0, start: 0, end: candidate.text.length }
  for (const [i, start] of cuts.entries()) {
    for (const end of cuts.slice(i + 1)) {
      if (end - start > MAX_CHARACTERS) break
      const part = candidate.text.slice(start, end)
      if (!holdsKind(part, kind, { isAsked: (word) => asked.has(stemOf(word)), isValue: false })) continue
      const stems = new Set(stemsOf(part, question.language))
      const score = 1 + question.terms.filter((term) => stems.has(term)).length - part.length / 1_000
      if (score > best.score) best = { score, start, end }
    }
  }
  return best.score === 0 ? candidate : cut(candidate, best)
}

function cut(candidate: Candidate, { start, end }: { start: number; end: number }): Candidate {
  const part = candidate.text.slice(start, end)
  const from = start + (part.length - part.trimStart().length)
  const text = part.trim().replace(/[,;:]$/, '')
  const toPoint = positionsOf(candidate.text)
  return {
    ...candidate,
    text,
    start: candidate.start + toPoint(from),
    end: candidate.start + toPoint(from + text.length),
  }
}
