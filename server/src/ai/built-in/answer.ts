// A question and passages → the sentence, field or table cell that answers it, or none. Octavo answers only with evidence
// that it can name (isEvidence); a model decides among the rest and says how likely the answer is right.

import { type Candidate, candidatesOf, type Passage } from './answer-candidates.ts'
import { type Features, featuresOf, isEvidence } from './answer-features.ts'
import { ANSWERED, confidenceOf, rankCandidates, weightsFor } from './answer-model.ts'
import { readQuestion } from './answer-question.ts'
import { shorten } from './answer-shorten.ts'
import { type Embed, similarity } from './vectors.ts'

export interface ExtractedAnswer {
  is_answered: boolean
  /** The best candidate, also if its confidence is too low for an answer. */
  best: Candidate | null
  confidence: number
}

export interface AnswerOptions {
  language: string | null
  /** The embedder that the weights were trained with; null: words decide. */
  embed: Embed | null
}

const MAX_EMBEDDED = 128
const NO_ANSWER: ExtractedAnswer = { is_answered: false, best: null, confidence: 0 }

/** `passages` as a search found them, best first. */
export async function answerFrom(
  text: string,
  passages: readonly Passage[],
  { language, embed }: AnswerOptions,
): Promise<ExtractedAnswer> {
  const question = readQuestion(text, language)
  const candidates = candidatesOf(passages)
  const similarities = embed && (await similaritiesOf(text, candidates, embed))
  const all = featuresOf(question, candidates, { passages, similarities })
  const kept: { candidate: Candidate; features: Features }[] = []
  for (const [i, candidate] of candidates.entries())
    if (isEvidence(question, candidate, all[i]!)) kept.push({ candidate, features: all[i]! })
  if (kept.length === 0) return NO_ANSWER
  const weights = weightsFor(embed !== null)
  const ranking = rankCandidates(
    kept.map(({ candidate }) => candidate),
    kept.map(({ features }) => features),
    weights,
  )
  const { candidate: best, features } = kept[ranking.order[0]!]!
  const confidence = confidenceOf(features, ranking, weights)
  return { is_answered: confidence >= ANSWERED, best: shorten(best, question), confidence }
}

/** Applies to sentences; values are compared by their labels. */
export async function similaritiesOf(
  question: string,
  candidates: readonly Candidate[],
  embed: Embed,
): Promise<number[]> {
  const sentences = candidates.filter(({ kind }) => kind === 'sentence').slice(0, MAX_EMBEDDED)
  if (sentences.length === 0) return candidates.map(() => 0)
  const [query] = await embed([question], 'query')
  const vectors = await embed(
    sentences.map(({ text }) => text),
    'passage',
  )
  const known = new Map(sentences.map((one, i) => [one, similarity(query!, vectors[i]!)]))
  return candidates.map((one) => known.get(one) ?? 0)
}
