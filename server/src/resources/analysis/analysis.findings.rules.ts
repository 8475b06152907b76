// Findings of groups of pages, and how they are merged for the whole document.

import { firstOf, valueOf } from '@octavo/base/required.ts'
import type { AnalysisResult, Citation } from '@octavo/contract'

export const NOTHING_FOUND: AnalysisResult = {
  language: null,
  statistics: null,
  key_phrases: null,
  entities: null,
  pii: null,
  sentiment: null,
  topics: null,
  extraction: null,
}

export interface FoundText {
  text: string
  confidence: number
  citations: Citation[]
  /** How often. */
  count: number
}
export interface TypedFinding extends FoundText {
  type: string
}
/** Findings of one group of pages; null: not requested, or not supported. */
export interface Findings {
  pages: number
  characters: number
  languages: { language: string; characters: number; citations: Citation[] }[]
  statistics: FindingCounts | null
  key_phrases: FoundText[] | null
  entities: TypedFinding[] | null
  pii: TypedFinding[] | null
  sentiment: { label: string; score: number; confidence: number; characters: number; citations: Citation[] } | null
  topics: FoundText[] | null
  /** Pages in which what is for English only was not looked for. */
  other_pages: number
  is_cut: boolean
}
interface FindingCounts {
  characters: number
  words: number
  sentences: number
  paragraphs: number
}

export const MAX_CITATIONS = 10
export const MAX_TYPED = { entities: 500, pii: 2_000 } as const
const MAX_PHRASES = 20
const MAX_TOPICS = 5
const MIN_TOPIC = 0.1
const WORDS_A_MINUTE = 238

const foldedText = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** The same thing once, with the places of all. */
export function collect<T extends FoundText>(found: readonly T[], keyOf: (one: T) => string): T[] {
  const known = new Map<string, T>()
  for (const one of found) {
    const same = known.get(keyOf(one))
    if (!same) known.set(keyOf(one), { ...one })
    else {
      same.count += one.count
      same.confidence = Math.max(same.confidence, one.confidence)
      if (same.citations.length < MAX_CITATIONS)
        same.citations = [...same.citations, ...one.citations].slice(0, MAX_CITATIONS)
    }
  }
  return [...known.values()]
}

export const typedKey = ({ type, text }: TypedFinding): string => `${type} ${foldedText(text)}`

/** Those first that were found most often and most surely. */
export function strongest<T extends FoundText>(found: readonly T[], limit: number): T[] {
  return found
    .toSorted((a, b) => b.confidence * Math.log2(b.count + 1) - a.confidence * Math.log2(a.count + 1))
    .slice(0, limit)
}

const shown = <T extends FoundText>({ count: _, ...one }: T): Omit<T, 'count'> => ({
  ...one,
  confidence: rounded(one.confidence),
})

export function languageOf(groups: readonly Findings[]): AnalysisResult['language'] {
  const known = new Map<string, { characters: number; citations: Citation[] }>()
  for (const { language, characters, citations } of groups.flatMap(({ languages }) => languages)) {
    const same = known.get(language) ?? { characters: 0, citations: [] }
    known.set(language, {
      characters: same.characters + characters,
      citations: [...same.citations, ...citations].slice(0, 3),
    })
  }
  const told = sum([...known.values()].map(({ characters }) => characters))
  const all = sum(groups.map(({ characters }) => characters))
  const languages = [...known].map(([language, { characters, citations }]) => ({
    language,
    share: rounded(characters / told),
    citations,
  }))
  const [first] = languages.sort((a, b) => b.share - a.share)
  const confidence = first ? rounded(valueOf(known, first.language).characters / all || 0) : null
  return { language: first?.language ?? null, confidence, languages: languages.slice(0, 100) }
}

export function statisticsOf(groups: readonly Findings[]): AnalysisResult['statistics'] {
  const total = (member: keyof FindingCounts): number => sum(groups.map(({ statistics }) => statistics?.[member] ?? 0))
  const [words, sentences] = [total('words'), total('sentences')]
  return {
    pages: sum(groups.map(({ pages }) => pages)),
    characters: total('characters'),
    words,
    sentences,
    paragraphs: total('paragraphs'),
    average_sentence_words: sentences === 0 ? 0 : Math.round((words * 100) / sentences) / 100,
    reading_seconds: Math.round((words * 60) / WORDS_A_MINUTE),
  }
}

/** Phrases that matter in many groups come before those that matter in one. */
export function keyPhrasesOf(groups: readonly Findings[]): AnalysisResult['key_phrases'] {
  const all = groups.flatMap(({ key_phrases }) => key_phrases ?? [])
  const weights = new Map<string, number>()
  for (const { text, confidence } of all)
    weights.set(foldedText(text), (weights.get(foldedText(text)) ?? 0) + confidence)
  const ranked = collect(all, ({ text }) => foldedText(text)).toSorted(
    (a, b) => (weights.get(foldedText(b.text)) ?? 0) - (weights.get(foldedText(a.text)) ?? 0),
  )
  return ranked.slice(0, MAX_PHRASES).map(shown)
}

export function typedOf(
  groups: readonly Findings[],
  feature: 'entities' | 'pii',
): { items: Omit<TypedFinding, 'count'>[]; is_cut: boolean } {
  const all = collect(
    groups.flatMap((group) => group[feature] ?? []),
    typedKey,
  )
  return {
    items: strongest(all, MAX_TYPED[feature]).map(shown),
    is_cut: all.length > MAX_TYPED[feature] || groups.some(({ is_cut }) => is_cut),
  }
}

/** Each group counts by its length. */
export function topicsOf(groups: readonly Findings[]): AnalysisResult['topics'] {
  const told = groups.filter(({ topics }) => topics !== null)
  const all = sum(told.map(({ characters }) => characters))
  const weighted = told.flatMap(({ topics, characters }) =>
    (topics ?? []).map((topic) => ({ ...topic, share: (topic.confidence * characters) / (all || 1) })),
  )
  const byName = Map.groupBy(weighted, ({ text }) => text)
  return [...byName]
    .map(([name, own]) => ({
      name,
      confidence: rounded(sum(own.map(({ share }) => share))),
      citations: own
        .toSorted((a, b) => b.share - a.share)
        .flatMap(({ citations }) => citations)
        .slice(0, MAX_CITATIONS),
    }))
    .filter(({ confidence }) => confidence >= MIN_TOPIC)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MAX_TOPICS)
}

/** The label of most of the text; `mixed` where much of it is positive and much negative. */
export function sentimentOf(groups: readonly Findings[]): AnalysisResult['sentiment'] {
  const told = groups.flatMap(({ sentiment }) => sentiment ?? [])
  const [first] = told
  if (!first) return null
  const all = sum(told.map(({ characters }) => characters)) || 1
  const shareOf = (label: string): number =>
    sum(told.filter((one) => one.label === label).map(({ characters }) => characters)) / all
  const labels = (['positive', 'negative', 'neutral', 'mixed'] as const).toSorted((a, b) => shareOf(b) - shareOf(a))
  const label = shareOf('positive') >= 0.25 && shareOf('negative') >= 0.25 ? 'mixed' : firstOf(labels)
  const own = told
    .filter((one) => one.label === label || label === 'mixed')
    .toSorted((a, b) => b.confidence - a.confidence)
  return {
    label,
    score: rounded(sum(told.map(({ score, characters }) => score * characters)) / all),
    confidence: rounded(sum(own.map(({ confidence, characters }) => confidence * characters)) / all),
    citations: own.flatMap(({ citations }) => citations).slice(0, MAX_CITATIONS),
  }
}
