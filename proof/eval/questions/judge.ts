// Pools → candidates with their features and which of them are right; and figures of what a model makes of them.

import { chooseAnswer, similaritiesOf } from '../../../server/src/ai/built-in/answer.ts'
import { type Candidate, candidatesOf } from '../../../server/src/ai/built-in/answer-candidates.ts'
import { isEvidence } from '../../../server/src/ai/built-in/answer-evidence.ts'
import { type Features, featuresOf } from '../../../server/src/ai/built-in/answer-features.ts'
import type { AnswerWeights } from '../../../server/src/ai/built-in/answer-model.ts'
import { type Question, readQuestion } from '../../../server/src/ai/built-in/answer-question.ts'
import type { Embed } from '../../../server/src/ai/built-in/vectors.ts'
import { holds, type Pool } from './pool.ts'

export interface Judged {
  pool: Pool
  question: Question
  candidates: Candidate[]
  features: Features[]
  right: boolean[]
}

export async function judgePool(pool: Pool, embed: Embed | null): Promise<Judged> {
  const question = readQuestion(pool.question, pool.language)
  const all = candidatesOf(pool.passages)
  const similarities = embed && (await similaritiesOf(pool.question, all, embed))
  const features = featuresOf(question, all, { passages: pool.passages, similarities })
  const kept = all.flatMap((one, i) => (isEvidence(question, one, features[i]!) ? [i] : []))
  const candidates = kept.map((i) => all[i]!)
  return {
    pool,
    question,
    candidates,
    features: kept.map((i) => features[i]!),
    right: candidates.map(({ text }) => pool.is_answerable && pool.answers.some((answer) => holds(text, answer))),
  }
}

export interface Outcome {
  is_answerable: boolean
  confidence: number
  /** The best candidate holds the answer. */
  is_right: boolean
}

/** As the server decides, with these weights. */
export function outcomeOf({ pool, question, candidates, features, right }: Judged, weights: AnswerWeights): Outcome {
  const evidence = candidates.flatMap((candidate, i) => {
    const own = features[i]
    return own ? [{ candidate, features: own }] : []
  })
  const chosen = chooseAnswer(question, evidence, weights)
  const is_right = chosen !== null && right[candidates.indexOf(chosen.candidate)] === true
  return { is_answerable: pool.is_answerable, confidence: chosen?.confidence ?? 0, is_right }
}

export interface AnswerFigures {
  questions: number
  precision: number
  answered_right: number
  refused: number
  calibration_error: number
}

export function figuresOfOutcomes(outcomes: readonly Outcome[], threshold: number): AnswerFigures {
  const answered = outcomes.filter(({ confidence }) => confidence >= threshold)
  const right = answered.filter(({ is_right }) => is_right).length
  const open = outcomes.filter(({ is_answerable }) => !is_answerable)
  return {
    questions: outcomes.length,
    precision: right / Math.max(1, answered.length),
    answered_right: right / Math.max(1, outcomes.length - open.length),
    refused: open.filter(({ confidence }) => confidence < threshold).length / Math.max(1, open.length),
    calibration_error: calibrationError(outcomes),
  }
}

const BINS = 5

/** Over bins of equal size. */
function calibrationError(outcomes: readonly Outcome[]): number {
  const sorted = outcomes.toSorted((a, b) => a.confidence - b.confidence)
  let error = 0
  for (let bin = 0; bin < BINS; bin++) {
    const part = sorted.slice((bin * sorted.length) / BINS, ((bin + 1) * sorted.length) / BINS)
    const said = part.reduce((sum, { confidence }) => sum + confidence, 0)
    error += Math.abs(said - part.filter(({ is_right }) => is_right).length) / Math.max(1, sorted.length)
  }
  return error
}
