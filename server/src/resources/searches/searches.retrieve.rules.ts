// How two rankings become one, and what of a passage is shown as found.

import type { Word } from '../../text/words.ts'

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

/** BM25 scores, and the score of a chunk of average length that contains every word of the query once. */
export interface KeywordRanking {
  ranked: readonly RankedChunk[]
  weight: number
}

const shareOf = (value: number): number => Math.min(1, Math.max(0, value))
/** BM25 has no upper bound. A chunk that contains every word of the query once gets 0.5. */
const keywordShare = (score: number, weight: number): number => (score > 0 ? score / (score + weight) : 0)

/** How much less the second place counts than the first: the larger, the less. */
const RANK_OFFSET = 60

/** The sum of reciprocal ranks of each chunk. */
function ranksOf(rankings: readonly (readonly RankedChunk[])[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const ranking of rankings)
    for (const [rank, { chunk_id }] of ranking.entries())
      sums.set(chunk_id, (sums.get(chunk_id) ?? 0) + 1 / (RANK_OFFSET + rank + 1))
  return sums
}

/**
 * The score is from 0 to 1: the cosine, the keyword share, or the mean of both. Two rankings are merged by reciprocal
 * rank, which finds the right passage first more often than the mean does.
 */
export function fuse(keyword: KeywordRanking | null, semantic: readonly RankedChunk[] | null): SearchCandidate[] {
  const found = new Map<string, SearchCandidate>()
  const scoresOf = (chunk_id: string): Scores =>
    found.getOrInsertComputed(chunk_id, () => ({
      chunk_id,
      score: 0,
      scores: { keyword: null, semantic: null, fused: null, rerank: null },
    })).scores
  for (const { chunk_id, score } of keyword?.ranked ?? []) scoresOf(chunk_id).keyword = score
  for (const { chunk_id, score } of semantic ?? []) scoresOf(chunk_id).semantic = score
  // A chunk that is missing in the ranking by vectors is at most as near as the last one in it.
  const least = semantic?.at(-1)?.score ?? 0
  for (const one of found.values()) {
    const byWords = keyword && keywordShare(one.scores.keyword ?? 0, keyword.weight)
    const byMeaning = semantic && shareOf(one.scores.semantic ?? least)
    if (byWords !== null && byMeaning !== null) one.score = one.scores.fused = (byWords + byMeaning) / 2
    else one.score = byWords ?? byMeaning ?? 0
  }
  if (!keyword || !semantic) return sorted([...found.values()])
  const ranks = ranksOf([keyword.ranked, semantic])
  const orderOf = ({ chunk_id }: SearchCandidate): number => ranks.get(chunk_id) ?? 0
  return sorted([...found.values()]).toSorted((a, b) => orderOf(b) - orderOf(a))
}

/** Some servers return a probability, others its logit. */
export function rerank(candidates: readonly SearchCandidate[], given: readonly number[]): SearchCandidate[] {
  const areShares = given.every((score) => score >= 0 && score <= 1)
  return sorted(
    candidates.map((one, i) => {
      const raw = given[i] ?? 0
      return { ...one, score: areShares ? raw : 1 / (1 + Math.exp(-raw)), scores: { ...one.scores, rerank: raw } }
    }),
  )
}

/** At most so many chunks of one document, the best first. `documents`: the document of each chunk. */
export function limitPerDocument(
  candidates: readonly SearchCandidate[],
  documents: ReadonlyMap<string, string>,
  most: number,
): SearchCandidate[] {
  const counts = new Map<string, number>()
  return candidates.filter(({ chunk_id }) => {
    const document = documents.get(chunk_id)
    if (document === undefined) return false
    const count = (counts.get(document) ?? 0) + 1
    counts.set(document, count)
    return count <= most
  })
}

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
