// Finds the passages for a question, and lets a generative model write an answer that is checked against them.

import type { Answer, CitedSentence, ResultOf } from '@octavo/contract'
import { askAbout } from '../../ai/prompt.ts'
import type { Needs } from '../../app.ts'
import type { Db } from '../../db/database.ts'
import { sha256 } from '../../lib/digest.ts'
import type { Source } from '../../outcomes/outcomes.citations.ts'
import { tokensPerPart } from '../../outcomes/outcomes.parts.ts'
import { type OutcomeWork, sourceOf } from '../../outcomes/outcomes.run.ts'
import { legible } from '../../text/legible.ts'
import { listDocumentsById } from '../documents/documents.service.ts'
import { readPagesOf } from '../pages/pages.service.ts'
import { findChunks, type RetrievalResult } from '../searches/searches.retrieve.ts'
import type { SearchScope } from '../searches/searches.service.ts'
import { ANSWER_SCHEMA, answerTask, draftOf, type GeneratedAnswer } from './answers.prompt.ts'
import { unsupportedIn } from './answers.support.ts'

type App = Needs<'db' | 'models' | 'config'>
type Hit = RetrievalResult['hits'][number]
const PASSAGES = 10
const OUTPUT_TOKENS = 1_000

export interface Found {
  hits: Hit[]
  /** One for each hit, in the same order. */
  sources: Source[]
  /** Titles of the documents, by id. */
  titles: ReadonlyMap<string, string>
  warnings: string[]
  spendings: RetrievalResult['spendings']
}

export async function findPassages(
  app: App,
  db: Db,
  asked: SearchScope & { question: string; signal: AbortSignal },
): Promise<Found> {
  const { question, project_id, document_ids, filters, signal } = asked
  const { hits, warnings, spendings } = await findChunks(app, db, {
    query: question,
    mode: 'hybrid',
    project_id,
    document_ids,
    filters,
    rerank: null,
    limit: PASSAGES,
    signal,
  })
  const pages = await readPagesOf(db, hits)
  const read = hits.filter(({ page_id }) => pages.has(page_id))
  const documents = await listDocumentsById(db, [...new Set(read.map(({ document_id }) => document_id))])
  const titles = new Map(documents.map(({ id, title }) => [id, title]))
  return { hits: read, sources: read.map(({ page_id }) => sourceOf(pages.get(page_id)!)), titles, warnings, spendings }
}

const passagesOf = (hits: readonly Hit[]): Answer['passages'] =>
  hits.map(({ document_id, page_id, page_number, chunk_id, start, end, text, score }) => ({
    document_id,
    page_id,
    page_number,
    chunk_id,
    start,
    end,
    text,
    score,
  }))

export function resultOf(is_answered: boolean, sentences: CitedSentence[], hits: readonly Hit[]): ResultOf<'answer'> {
  const isTold = is_answered && sentences.length > 0
  const kept = isTold ? sentences : []
  return {
    is_answered: isTold,
    confidence: null,
    text: isTold ? kept.map(({ text }) => text).join(' ') : null,
    sentences: kept,
    nearest: null,
    passages: passagesOf(hits),
  }
}

export async function writeAnswer(
  work: OutcomeWork<'answer', App>,
  found: Found,
  { question, language }: { question: string; language: string | null },
): Promise<ResultOf<'answer'>> {
  const shown = fitting(found.hits, tokensPerPart(work.model, OUTPUT_TOKENS))
  const titleOf = (hit: Hit): string => found.titles.get(hit.document_id) ?? ''
  const text = shown
    .map((hit, i) => `[${i + 1}] (${legible(titleOf(hit))}, page ${hit.page_number}) ${legible(hit.text)}`)
    .join('\n\n')
  let partial = ''
  // The passages are part of the name: what is found now may be another text than what was found before a restart.
  const { value } = await work.ask.generate(`answer ${sha256(text).slice(0, 12)}`, work.model, {
    messages: askAbout(answerTask(question, language), text),
    schema: ANSWER_SCHEMA,
    max_output_tokens: OUTPUT_TOKENS,
    ...(work.run.payload.is_streamed
      ? {
          onText: (piece) => {
            partial += piece
            void work.draft(draftOf(partial)).catch(() => {})
          },
        }
      : {}),
  })
  const answer = value as GeneratedAnswer
  const cited = answer.sentences.map((sentence) => {
    const named = sentence.passages.flatMap((n) => found.sources[n - 1] ?? [])
    const where = named.length > 0 ? [...new Set([...named, ...found.sources])] : found.sources
    return { text: sentence.text, citations: sentence.quotes.flatMap((quote) => work.cite.quote(quote, where) ?? []) }
  })
  const hasNames = !found.sources.some((source) => source.language?.startsWith('de'))
  const titles = [...found.titles.values()]
  const sentences = cited.filter(({ text: said, citations }) => {
    const evidence = [question, ...titles, ...citations.map(({ quote }) => quote)]
    return unsupportedIn(said, evidence, hasNames).length === 0
  })
  const dropped = cited.length - sentences.length
  if (dropped > 0)
    work.warnings.push(
      `${dropped} ${dropped === 1 ? 'sentence was' : 'sentences were'} dropped: names or numbers are not in the cited quotes.`,
    )
  // An answer without a quote is a guess.
  const isSupported = sentences.some(({ citations }) => citations.length > 0)
  if (answer.is_answered && sentences.length > 0 && !isSupported)
    work.warnings.push('The model returned an answer that the passages do not support. Octavo dropped it.')
  return resultOf(answer.is_answered && isSupported, sentences, found.hits)
}

function fitting(hits: readonly Hit[], tokens: number): Hit[] {
  let left = tokens * 3
  return hits.filter(({ text }, i) => {
    left -= text.length
    return i === 0 || left > 0
  })
}
