// Does a text speak well or ill of what it is about? A logistic head on the vectors of one English model.

import { type Piece, piecesOf } from './pieces.ts'
import weights from './sentiment.weights.json' with { type: 'json' }
import { type Embed, similarity } from './vectors.ts'

export interface Sentiment {
  label: 'positive' | 'negative' | 'neutral' | 'mixed'
  /** From -1 to 1. */
  score: number
  /** How sure the label is, 0–1. */
  confidence: number
  /** The places that speak for it most, strongest first. */
  evidence: (Piece & { score: number })[]
}

export interface SentimentOptions {
  language: string | null
  model: string
  embed: Embed | null
}

/** The model that the head was trained on; vectors of others mean nothing to it. */
export const SENTIMENT_MODEL: string = weights.model
const HEAD = Float32Array.from(weights.weights)
const MAX_PIECES = 200
const MAX_EVIDENCE = 3
/** Between -NEUTRAL and NEUTRAL a text is neither. */
const NEUTRAL = 0.35
const MIXED_SPREAD = 0.6

/** null if the text is not English or the model is not installed. */
export async function sentimentOf(
  texts: readonly string[],
  { language, model, embed }: SentimentOptions,
): Promise<Sentiment | null> {
  if (!embed || model !== SENTIMENT_MODEL || !(language === 'en' || language?.startsWith('en-'))) return null
  const { pieces } = piecesOf(texts, { language, limit: MAX_PIECES, max_characters: 0 })
  if (pieces.length === 0) return null
  const vectors = await embed(
    pieces.map(({ text }) => text),
    'text',
  )
  const scores = vectors.map((vector) => 2 * positiveChance(vector) - 1)
  const score = scores.reduce((sum, value) => sum + value, 0) / scores.length
  const spread = scores.reduce((sum, value) => sum + Math.abs(value - score), 0) / scores.length
  const label = labelOf(score, spread)
  const sign = Math.sign(score) || 1
  const evidence = pieces
    .map((piece, i) => ({ ...piece, score: scores[i] ?? 0 }))
    .toSorted((a, b) => sign * (b.score - a.score))
    .slice(0, MAX_EVIDENCE)
  return { label, score, confidence: confidenceOf(label, score, spread), evidence }
}

/** That a sentence is positive, 0–1. */
export const positiveChance = (vector: Float32Array): number =>
  1 / (1 + Math.exp(-(similarity(vector, HEAD) + weights.bias)))

function labelOf(score: number, spread: number): Sentiment['label'] {
  if (score >= NEUTRAL) return 'positive'
  if (score <= -NEUTRAL) return 'negative'
  return spread >= MIXED_SPREAD ? 'mixed' : 'neutral'
}

function confidenceOf(label: Sentiment['label'], score: number, spread: number): number {
  if (label === 'neutral') return 1 - Math.abs(score)
  return label === 'mixed' ? Math.min(1, spread) : Math.abs(score)
}
