// Combines the label scores of several parts of a text and picks the label.

import type { Citation, Classification } from '@octavo/contract'

export type LabelScore = Classification['results'][number]

const MOST_CITED = 3

/** A model's scores for one part. */
export interface PartScores {
  /** The part's share of the text. */
  weight: number
  scores: Map<string, { score: number; citations: Citation[] }>
}

const clamp = (score: number): number => (Number.isFinite(score) ? Math.min(1, Math.max(0, score)) : 0)
const rounded = (score: number): number => Math.round(clamp(score) * 10_000) / 10_000

/** A label that is named twice counts once; if one label is wanted, the scores add up to at most 1. */
export function scoresOfPart(
  said: readonly { label: string; score: number; citations: Citation[] }[],
  multi_label: boolean,
): PartScores['scores'] {
  const scores: PartScores['scores'] = new Map()
  for (const { label, score, citations } of said) {
    const known = scores.get(label)
    scores.set(label, {
      score: Math.max(known?.score ?? 0, clamp(score)),
      citations: [...(known?.citations ?? []), ...citations],
    })
  }
  const sum = [...scores.values()].reduce((all, { score }) => all + score, 0)
  if (!multi_label && sum > 1) for (const one of scores.values()) one.score /= sum
  return scores
}

/** One label is that of the whole text, so parts count by their length; of several, each may fit a part alone. */
export function joinParts(names: readonly string[], parts: readonly PartScores[], multi_label: boolean): LabelScore[] {
  const whole = parts.reduce((sum, { weight }) => sum + weight, 0)
  return names.map((label) => {
    const own = parts.flatMap(({ weight, scores }) => {
      const one = scores.get(label)
      return one ? [{ ...one, weight }] : []
    })
    const best_first = own.toSorted((a, b) => b.score - a.score)
    const mean = own.reduce((sum, { score, weight }) => sum + score * weight, 0) / whole
    const score = multi_label ? (best_first[0]?.score ?? 0) : mean
    return { label, score, citations: best_first.flatMap(({ citations }) => citations).slice(0, MOST_CITED) }
  })
}

/** The best first; the one that it is, unless even that one is too unlikely. */
export function decide(
  results: readonly LabelScore[],
  threshold: number,
): { label: string | null; results: LabelScore[] } {
  const ranked = results.map((one) => ({ ...one, score: rounded(one.score) })).toSorted((a, b) => b.score - a.score)
  const [best] = ranked
  return { label: best && best.score > 0 && best.score >= threshold ? best.label : null, results: ranked }
}

/** Index of the first name that is a repetition; -1: none. */
export const findRepeated = (names: readonly string[]): number => names.findIndex((name, i) => names.indexOf(name) < i)
