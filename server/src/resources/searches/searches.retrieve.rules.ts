// How two rankings become one, and what of a passage is shown as found.

import type { Word } from '../../lib/words.ts'

/** A chunk and what one way of searching says of it. `chunk_id` is a uuid. */
export interface RankedChunk {
  chunk_id: string
  score: number
}
interface Scores {
  keyword: number | null
  semantic: number | null
  fused: number | null
  rerank: number | null
}
export interface SearchCandidate {
  chunk_id: string
  score: number
  scores: Scores
}

/** How much less the second place counts than the first: the larger, the less. */
const RANK_OFFSET = 60

/** By reciprocal rank where there are two rankings. */
export function fuse(
  keyword: readonly RankedChunk[] | null,
  semantic: readonly RankedChunk[] | null,
): SearchCandidate[] {
  const found = new Map<string, SearchCandidate>()
  const isFused = keyword !== null && semantic !== null
  const add = (list: readonly RankedChunk[] | null, name: 'keyword' | 'semantic'): void => {
    for (const [rank, { chunk_id, score }] of (list ?? []).entries()) {
      const one = found.get(chunk_id) ?? {
        chunk_id,
        score: 0,
        scores: { keyword: null, semantic: null, fused: null, rerank: null },
      }
      one.scores[name] = score
      one.score = isFused ? one.score + 1 / (RANK_OFFSET + rank + 1) : score
      if (isFused) one.scores.fused = one.score
      found.set(chunk_id, one)
    }
  }
  add(keyword, 'keyword')
  add(semantic, 'semantic')
  return sorted([...found.values()])
}

export const rerank = (candidates: readonly SearchCandidate[], scores: readonly number[]): SearchCandidate[] =>
  sorted(candidates.map((one, i) => ({ ...one, score: scores[i]!, scores: { ...one.scores, rerank: scores[i]! } })))

/** The same every time, also where scores are equal. */
const sorted = (candidates: SearchCandidate[]): SearchCandidate[] =>
  candidates.sort((a, b) => b.score - a.score || (a.chunk_id < b.chunk_id ? -1 : 1))

const MAX_HIGHLIGHTS = 1_000

/** Ranges of the words that match the query. */
export const highlightsOf = (
  words: readonly Word[],
  isFound: (word: string) => boolean,
): { start: number; end: number }[] =>
  words
    .filter(({ text }) => isFound(text))
    .slice(0, MAX_HIGHLIGHTS)
    .map(({ start, end }) => ({ start, end }))
