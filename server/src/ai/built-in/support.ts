// Does a passage say what a claim says that it says? By meaning (vectors), by words, and by what may not differ: figures, dates
// and names. Tuned and measured on English; it sees that facts differ, and seldom that a sentence says the contrary.

import { figuresOf } from './figures.ts'
import { termsOf } from './lexical.ts'
import { sentencesOf } from './sentences.ts'
import { type Embed, similarity } from './vectors.ts'
import { stopWordsOf } from './words.ts'

export interface Cited {
  claim: string
  passage: string
}

/** Each from 0 to 1. */
export interface Signs {
  /** The cosine with the passage or with the nearest of its sentences; 0 without vectors. */
  similarity: number
  /** The share of the claim's words that the passage has too. */
  words: number
  /** From a half for the first of them: a single wrong figure makes a claim wrong. */
  missing_figures: number
  missing_names: number
}

type Weights = Signs & { bias: number }

/** Logistic regression over the tuning half of the evaluation's claims. `words`: where there are no vectors. */
const weights: Record<string, Weights> = {
  words: { bias: -0.48, similarity: 0, words: 5.81, missing_figures: -7.28, missing_names: -2.28 },
  'all-minilm-l6-v2': { bias: -3.12, similarity: 6.73, words: 1.78, missing_figures: -7.2, missing_names: -1.82 },
  'bge-small-en-v1.5': { bias: -6.4, similarity: 9.35, words: 2.43, missing_figures: -6.95, missing_names: -2.12 },
}

/** At this score and above a claim counts as supported. */
export const SUPPORT_THRESHOLD = 0.5
const NAME = /(?<![.!?]\s)(?<!^)\b\p{Lu}[\p{L}\p{M}]+|^\p{Lu}[\p{L}\p{M}]+(?=(?: &)? \p{Lu})/gu

const share = (wanted: readonly string[], has: (one: string) => boolean, empty: number): number =>
  wanted.length === 0 ? empty : wanted.filter(has).length / wanted.length

export function signsOf({ claim, passage }: Cited, cosine: number | null, language: string | null = 'en'): Signs {
  const [said, cited] = [figuresOf(claim), figuresOf(passage)]
  const stops = stopWordsOf(language)
  const names = [...new Set(said.rest.match(NAME) ?? [])].filter((name) => !stops.has(name.toLowerCase()))
  const folded = passage.toLowerCase()
  const terms = new Set(termsOf(cited.rest, language))
  const missing = share([...said.figures], (figure) => !cited.figures.has(figure), 0)
  return {
    similarity: Math.max(0, cosine ?? 0),
    words: share([...new Set(termsOf(said.rest, language))], (term) => terms.has(term), 1),
    missing_figures: missing === 0 ? 0 : (1 + missing) / 2,
    missing_names: share(names, (name) => !folded.includes(name.toLowerCase()), 0),
  }
}

function scoreOf(signs: Signs, by: Weights): number {
  const sum = (Object.keys(signs) as (keyof Signs)[]).reduce((total, sign) => total + by[sign] * signs[sign], by.bias)
  return 1 / (1 + Math.exp(-sum))
}

/** The nearest of its sentences counts: a passage may say other things too. */
export async function cosinesOf(pairs: readonly Cited[], embed: Embed): Promise<number[]> {
  const parts = pairs.map(({ passage }) => [...new Set([passage, ...sentencesOf(passage).map(({ text }) => text)])])
  const vectors = await embed([...pairs.map(({ claim }) => claim), ...parts.flat()], 'text')
  let at = pairs.length
  return parts.map((own, row) =>
    Math.max(...own.map(() => similarity(vectors[row] as Float32Array, vectors[at++] as Float32Array))),
  )
}

/** One score from 0 to 1 for each pair. A model that nobody has tuned this for is not asked: words alone decide then. */
export async function supports(
  pairs: readonly Cited[],
  by: { embed: Embed; model: string } | null,
  language = 'en',
): Promise<number[]> {
  const tuned = by && weights[by.model]
  const cosines = tuned ? await cosinesOf(pairs, by.embed) : null
  return pairs.map((pair, at) =>
    scoreOf(signsOf(pair, cosines?.[at] ?? null, language), tuned || (weights.words as Weights)),
  )
}
