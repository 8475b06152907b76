// An extractive summary: sentences that are similar to the whole document, early, and not redundant.

import { firstOf, itemAt } from '@octavo/base/required.ts'
import { lexicalVectors } from './lexical.ts'
import { newsKeeper, type Sentence, sentencesOf } from './sentences.ts'
import { centroidOf, type Embed, similarity } from './vectors.ts'
import { wordsOf } from './words.ts'

export interface SummarySentence extends Sentence {
  /** Index of its text, from 0. */
  part: number
  score: number
}

export interface SummaryOptions {
  length: 'short' | 'medium' | 'long'
  language: string | null
  /** The reader's question or interest. */
  focus?: string | null
  /** Without it words are compared, not meanings. */
  embed?: Embed | null
}

export const SUMMARY_SENTENCES = { short: 3, medium: 6, long: 12 } as const

/** As many sentences get a vector: of a longer document, those that its words make likely, from every part of it. */
const MAX_EMBEDDED = 2_000
/** Sentences that are weighed against each other at once. */
const MAX_TOGETHER = 400
const MIN_WORDS = 5
const MAX_WORDS = 60
/** In a longer text the beginning is less representative. */
const LEAD_SENTENCES = 100
const SUMMARY_WEIGHTS = { position: 0.4, novelty: 0.3, focus: 0.5, words: 0.4 }

/** In the order of the document. */
export async function summarise(texts: readonly string[], options: SummaryOptions): Promise<SummarySentence[]> {
  const all = texts.flatMap((text, part) =>
    sentencesOf(text, options.language).map((sentence) => ({ ...sentence, part, score: 0 })),
  )
  const isNew = newsKeeper()
  const told = all
    .map((sentence, at) => ({ sentence, at, lead: leadOf(at, all.length) }))
    .filter(({ sentence }) => isTelling(sentence.text) && isNew(sentence.text))
  const count = SUMMARY_SENTENCES[options.length]
  if (told.length <= count)
    return (told.length > 0 ? told.map(({ sentence }) => sentence) : all.slice(0, count)).map(withFullScore)
  const candidates = await withVectors(thinOut(told, options.language), options)
  const best = chooseInLevels(candidates, count, await focusVector(options, candidates))
  return best
    .toSorted((a, b) => a.at - b.at)
    .map(({ sentence, score }) => ({ ...sentence, score: Math.max(0, Math.min(1, score)) }))
}

interface Told {
  sentence: SummarySentence
  at: number
  /** 1 at the beginning of the document, 0 at its end. */
  lead: number
}
interface Candidate extends Told {
  vector: Float32Array
  /** How near its words are to those of the whole. */
  words: number
  score: number
}

const leadOf = (at: number, count: number): number => (1 - at / count) * Math.min(1, LEAD_SENTENCES / count)
const withFullScore = (sentence: SummarySentence): SummarySentence => ({ ...sentence, score: 1 })

/** Headings, page numbers and rows of tables are no sentences. */
function isTelling(text: string): boolean {
  const count = wordsOf(text).length
  return count >= MIN_WORDS && count <= MAX_WORDS && !text.includes('\t')
}

function thinOut(told: Told[], language: string | null): Told[] {
  if (told.length <= MAX_EMBEDDED) return told
  return groupsOf(told).flatMap((group) => {
    const vectors = lexicalVectors(
      group.map(({ sentence }) => sentence.text),
      language,
    )
    const centre = centroidOf(vectors)
    const ranked = group
      .map((one, i) => ({ one, score: similarity(itemAt(vectors, i), centre) }))
      .toSorted((a, b) => b.score - a.score)
    const share = Math.max(1, Math.floor((group.length * MAX_EMBEDDED) / told.length))
    return ranked
      .slice(0, share)
      .map(({ one }) => one)
      .toSorted((a, b) => a.at - b.at)
  })
}

function groupsOf<T>(items: readonly T[]): T[][] {
  const size = Math.ceil(items.length / Math.ceil(items.length / MAX_TOGETHER))
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}

async function withVectors(told: Told[], { embed, language }: SummaryOptions): Promise<Candidate[]> {
  const texts = told.map(({ sentence }) => sentence.text.replace(/\s+/g, ' '))
  const lexical = lexicalVectors(texts, language)
  const centre = centroidOf(lexical)
  const vectors = embed ? await embed(texts, 'text') : lexical
  return told.map((one, i) => ({
    ...one,
    vector: itemAt(vectors, i),
    words: similarity(itemAt(lexical, i), centre),
    score: 0,
  }))
}

async function focusVector(
  { focus, embed, language }: SummaryOptions,
  candidates: Candidate[],
): Promise<Float32Array | null> {
  if (!focus) return null
  if (embed) return firstOf(await embed([focus], 'query'))
  // Weighed with the candidates' own words, so that its vector can be compared with theirs.
  return firstOf(lexicalVectors([focus, ...candidates.map(({ sentence }) => sentence.text)], language))
}

/** First the best of every group, then the best of these: the work grows with the document, not with its square. */
function chooseInLevels(candidates: Candidate[], count: number, focus: Float32Array | null): Candidate[] {
  if (candidates.length <= MAX_TOGETHER) return choose(candidates, count, focus)
  const groups = groupsOf(candidates)
  const share = Math.max(2, Math.floor(MAX_TOGETHER / groups.length))
  return chooseInLevels(
    groups.flatMap((group) => choose(group, Math.min(share, Math.floor(group.length / 2)), focus)),
    count,
    focus,
  )
}

function choose(candidates: Candidate[], count: number, focus: Float32Array | null): Candidate[] {
  const { position, words, novelty, focus: weight } = SUMMARY_WEIGHTS
  const centre = centroidOf(candidates.map(({ vector }) => vector))
  for (const one of candidates) {
    one.score = (1 - words) * similarity(one.vector, centre) + words * one.words + position * one.lead
    if (focus) one.score = (1 - weight) * one.score + weight * similarity(one.vector, focus)
  }
  const chosen: Candidate[] = []
  const likeness = candidates.map(() => 0)
  while (chosen.length < count && chosen.length < candidates.length) {
    let best = -1
    let best_value = Number.NEGATIVE_INFINITY
    for (const [i, { score }] of candidates.entries()) {
      const value = score - novelty * (likeness[i] ?? 0)
      if (value > best_value && !chosen.includes(itemAt(candidates, i))) [best, best_value] = [i, value]
    }
    const next = itemAt(candidates, best)
    chosen.push(next)
    for (const [i, { vector }] of candidates.entries())
      likeness[i] = Math.max(likeness[i] ?? 0, similarity(vector, next.vector))
  }
  return chosen
}
