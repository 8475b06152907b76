// Which candidate is the best, and how likely it answers the question: two logistic regressions, trained by
// tools/train-answers.ts. Their report is in answer.weights.json.

import weights from './answer.weights.json' with { type: 'json' }
import type { Candidate } from './answer-candidates.ts'
import { FEATURES, type Features } from './answer-features.ts'

export interface AnswerWeights {
  rank: readonly number[]
  accept: readonly number[]
}
export interface Ranking {
  /** Places of the candidates, best first. */
  order: number[]
  scores: number[]
  /** How far the best is ahead of the next with another answer. */
  margin: number
}

const MAX_MARGIN = 3
/** From this probability on a question counts as answered. */
export const ANSWERED = weights.threshold
/** Without an embedder other weights apply. */
export const weightsFor = (hasVectors: boolean): AnswerWeights => (hasVectors ? weights.with_vectors : weights.by_words)

export const vectorOf = (features: Features): number[] => [1, ...FEATURES.map((name) => features[name])]
const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

export function rankCandidates(
  candidates: readonly Candidate[],
  features: readonly Features[],
  { rank }: Pick<AnswerWeights, 'rank'>,
): Ranking {
  const scores = features.map((one) => dot(vectorOf(one), rank))
  const order = scores.map((_, i) => i).toSorted((a, b) => scores[b]! - scores[a]!)
  const [best] = order
  const next = order.find((i) => isOther(candidates[best!]!, candidates[i]!))
  return {
    order,
    scores,
    margin: next === undefined ? MAX_MARGIN : Math.min(MAX_MARGIN, scores[best!]! - scores[next]!),
  }
}

/** One value found as a field and within its sentence is one answer. */
const isOther = (a: Candidate, b: Candidate): boolean => !a.text.includes(b.text) && !b.text.includes(a.text)

export const acceptVectorOf = (features: Features, { order, scores, margin }: Ranking): number[] => [
  ...vectorOf(features),
  scores[order[0]!]!,
  margin,
]

/** The probability that the best candidate is right. */
export const confidenceOf = (features: Features, ranking: Ranking, { accept }: Pick<AnswerWeights, 'accept'>): number =>
  1 / (1 + Math.exp(-dot(acceptVectorOf(features, ranking), accept)))
