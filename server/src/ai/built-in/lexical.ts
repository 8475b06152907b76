// Vectors from words alone, for where there is no embedder or too much text for one: each word that is not everywhere
// counts, and it counts at a place that its hash gives.

import { valueOf } from '@octavo/base/required.ts'
import { normalise } from './vectors.ts'
import { stopWordsOf, wordsOf } from './words.ts'

const DIMENSIONS = 1_024
const STEM_CHARACTERS = 6

function termsOf(text: string, language: string | null): string[] {
  const stops = stopWordsOf(language)
  return wordsOf(text)
    .map((word) => word.toLowerCase())
    .filter((word) => !stops.has(word))
    .map((word) => [...word].slice(0, STEM_CHARACTERS).join(''))
}

/** One for each text; words that many of the texts have weigh less. */
export function lexicalVectors(texts: readonly string[], language: string | null): Float32Array[] {
  const terms = texts.map((text) => termsOf(text, language))
  const seen = new Map<string, number>()
  for (const own of terms) for (const term of new Set(own)) seen.set(term, (seen.get(term) ?? 0) + 1)
  return terms.map((own) => {
    const vector = new Float32Array(DIMENSIONS)
    for (const term of own) {
      const place = placeOf(term)
      vector[place] = (vector[place] ?? 0) + Math.log(1 + texts.length / valueOf(seen, term))
    }
    return normalise(vector)
  })
}

function placeOf(term: string): number {
  let hash = 2_166_136_261
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 16_777_619)
  return (hash >>> 0) % DIMENSIONS
}
