// Runs the requested features on one group of pages.

import { setImmediate as breathe } from 'node:timers/promises'
import { firstOf, itemAt } from '@octavo/base/required.ts'
import { type AnalysisFeature, type Citation, namesOf } from '@octavo/contract'
import { findEntities } from '../../ai/built-in/entities.ts'
import { keyPhrasesOf } from '../../ai/built-in/key-phrases.ts'
import { findPii } from '../../ai/built-in/pii.ts'
import type { Span } from '../../ai/built-in/positions.ts'
import { sentencesOf } from '../../ai/built-in/sentences.ts'
import { SENTIMENT_MODEL, sentimentOf } from '../../ai/built-in/sentiment.ts'
import { statisticsOf } from '../../ai/built-in/statistics.ts'
import { topicsOf } from '../../ai/built-in/topics.ts'
import type { Needs } from '../../app.ts'
import { CitationResolver, type Source } from '../../outcomes/outcomes.citations.ts'
import { localEmbed } from '../../outcomes/outcomes.local-embedders.ts'
import {
  collect,
  type Findings,
  type FoundText,
  MAX_CITATIONS,
  MAX_TYPED,
  strongest,
  type TypedFinding,
  typedKey,
} from './analysis.findings.rules.ts'
import type { Slice } from './analysis.slices.rules.ts'

type AnalysisRecognizeNeeds = Needs<'models'>
type PageSlice = Slice<Source>
interface RecognitionOptions {
  features: readonly AnalysisFeature[]
  /** Absent: all. */
  entity_types?: readonly string[] | undefined
  signal: AbortSignal
}

const TOPIC_MODEL = 'all-minilm-l6-v2'
const MAX_PHRASES = 30
const QUOTED_POINTS = 200
const ENTITY_TYPES: Record<string, string> = { organization: 'organisation', location: 'place' }
const PII_TYPES: Record<string, string> = { phone_number: 'phone', credit_card: 'card', us_ssn: 'ssn' }

export function hasEmbedders(app: AnalysisRecognizeNeeds): { search: boolean; labels: boolean } {
  const { signal } = new AbortController()
  return { search: localEmbed(app, signal) !== null, labels: localEmbed(app, signal, 'labels') !== null }
}

const isEnglish = (language: string | null): boolean => language === 'en' || (language?.startsWith('en-') ?? false)
const lengthOf = (slices: readonly PageSlice[]): number => slices.reduce((sum, { text }) => sum + text.length, 0)
const textsOf = (slices: readonly PageSlice[]): string[] => slices.map(({ text }) => text)

export async function findInGroup(
  app: AnalysisRecognizeNeeds,
  { slices, pages }: { slices: readonly PageSlice[]; pages: number },
  { features, entity_types, signal }: RecognitionOptions,
): Promise<Findings> {
  const has = (feature: AnalysisFeature): boolean => features.includes(feature)
  const group = new RecognitionGroup(app, slices, signal)
  const entities = has('entities') ? await group.entities(entity_types) : null
  const pii = has('pii') ? await group.pii() : null
  return {
    pages,
    characters: lengthOf(slices.filter(({ text }) => text.trim() !== '')),
    languages: has('language') ? group.languages() : [],
    statistics: has('statistics') ? await group.statistics() : null,
    key_phrases: has('key_phrases') ? await group.keyPhrases() : null,
    entities: entities && strongest(entities, MAX_TYPED.entities),
    pii: pii && strongest(pii, MAX_TYPED.pii),
    sentiment: has('sentiment') ? await group.sentiment() : null,
    topics: has('topics') ? await group.topics() : null,
    other_pages: new Set(
      slices
        .filter(({ source: { language } }) => language !== null && !isEnglish(language))
        .map(({ source }) => source),
    ).size,
    is_cut: (entities?.length ?? 0) > MAX_TYPED.entities || (pii?.length ?? 0) > MAX_TYPED.pii,
  }
}

class RecognitionGroup {
  private readonly app: AnalysisRecognizeNeeds
  private readonly slices: readonly PageSlice[]
  private readonly signal: AbortSignal
  private readonly byLanguage: Map<string | null, PageSlice[]>
  private readonly citer = new CitationResolver()
  private readonly cited = new Map<string, number>()

  constructor(app: AnalysisRecognizeNeeds, slices: readonly PageSlice[], signal: AbortSignal) {
    this.app = app
    this.slices = slices
    this.signal = signal
    this.byLanguage = Map.groupBy(slices, ({ source }) => source.language)
  }

  private cite({ source, start }: PageSlice, place: Span): Citation {
    return this.citer.span(source, { start: start + place.start, end: start + place.end })
  }

  /** Others have their turn between two slices, and a cancel is noticed. */
  private async *inTurn(): AsyncGenerator<PageSlice> {
    for (const slice of this.slices) {
      yield slice
      await breathe(undefined, { signal: this.signal })
    }
  }

  languages(): Findings['languages'] {
    return [...this.byLanguage].flatMap(([language, slices]) => {
      if (language === null) return []
      const first = firstOf(slices)
      const [sentence] = sentencesOf(first.text.slice(0, 2_000), language)
      const place = sentence && { start: sentence.start, end: Math.min(sentence.end, sentence.start + QUOTED_POINTS) }
      return [{ language, characters: lengthOf(slices), citations: place ? [this.cite(first, place)] : [] }]
    })
  }

  async statistics(): Promise<NonNullable<Findings['statistics']>> {
    const total = { characters: 0, words: 0, sentences: 0, paragraphs: 0 }
    for await (const { text, source } of this.inTurn()) {
      const own = statisticsOf([text], source.language)
      for (const key of namesOf(total)) total[key] += own[key]
    }
    return total
  }

  async keyPhrases(): Promise<FoundText[]> {
    const embed = localEmbed(this.app, this.signal)
    const found: FoundText[] = []
    for (const [language, slices] of this.byLanguage) {
      for (const { text, score, places } of await keyPhrasesOf(textsOf(slices), {
        language,
        embed,
        limit: MAX_PHRASES,
      }))
        found.push({
          text,
          confidence: score,
          count: places.length,
          citations: places.slice(0, MAX_CITATIONS).map(({ part, ...place }) => this.cite(itemAt(slices, part), place)),
        })
    }
    return found
  }

  async entities(types: readonly string[] | undefined): Promise<TypedFinding[]> {
    const found: TypedFinding[] = []
    for await (const slice of this.inTurn())
      for (const one of await findEntities(slice.text, slice.source.language))
        if (!types || types.includes(ENTITY_TYPES[one.type] ?? one.type))
          found.push(this.typed(slice, one, ENTITY_TYPES))
    return collect(found, typedKey)
  }

  async pii(): Promise<TypedFinding[]> {
    const found: TypedFinding[] = []
    for await (const slice of this.inTurn())
      for (const one of findPii(slice.text)) found.push(this.typed(slice, one, PII_TYPES))
    return collect(found, typedKey)
  }

  private typed(
    slice: PageSlice,
    one: Span & { type: string; text: string; confidence: number },
    names: Record<string, string>,
  ): TypedFinding {
    const { type, text, confidence } = one
    const typed: TypedFinding = {
      type: names[type] ?? type,
      text: text.replace(/\s+/g, ' ').slice(0, 300),
      confidence,
      count: 1,
      citations: [],
    }
    const key = typedKey(typed)
    const times = this.cited.get(key) ?? 0
    // Looking a place up costs more than finding it.
    if (times < MAX_CITATIONS) typed.citations.push(this.cite(slice, one))
    this.cited.set(key, times + 1)
    return typed
  }

  async sentiment(): Promise<Findings['sentiment']> {
    const slices = this.slices.filter(({ source }) => isEnglish(source.language))
    const embed = localEmbed(this.app, this.signal, 'labels')
    const found = await sentimentOf(textsOf(slices), { language: 'en', model: SENTIMENT_MODEL, embed })
    if (!found) return null
    const { label, score, confidence, evidence } = found
    const citations = evidence.map(({ part, ...place }) => this.cite(itemAt(slices, part), place))
    return { label, score, confidence: Math.max(0, Math.min(1, confidence)), characters: lengthOf(slices), citations }
  }

  async topics(): Promise<FoundText[] | null> {
    const embed = localEmbed(this.app, this.signal)
    if (!embed) return null
    const [[language] = [null]] = [...this.byLanguage].toSorted(([, a], [, b]) => lengthOf(b) - lengthOf(a))
    const results = await topicsOf(textsOf(this.slices), { embed, model: TOPIC_MODEL, language })
    return results.map(({ label, score, evidence }) => ({
      text: label,
      confidence: score,
      count: 1,
      citations: evidence ? [this.cite(itemAt(this.slices, evidence.part), evidence)] : [],
    }))
  }
}
