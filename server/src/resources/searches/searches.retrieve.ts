// Finding passages: by words, by meaning, or by both.

import type { SearchMode, SearchResult } from '@octavo/contract'
import { ModelTimeout, ModelUnavailable, type Reranker } from '../../ai/model.ts'
import type { Needs } from '../../app.ts'
import type { Db } from '../../db/database.ts'
import { findWords, spaceWords } from '../../text/words.ts'
import { giveBack, reserveFor, type Spending } from '../../usage/usage.spending.ts'
import { ACTIVE_SPACE, type Space, textOfVector } from '../../vector-spaces/vector-spaces.service.ts'
import { listLocalOnly } from '../projects/projects.service.ts'
import { listMatching } from './searches.matching.ts'
import { listOpen } from './searches.privacy.ts'
import {
  fuse,
  highlightsOf,
  type KeywordRanking,
  limitPerDocument,
  type RankedChunk,
  rerank,
  type SearchCandidate,
} from './searches.retrieve.rules.ts'
import * as store from './searches.retrieve.store.ts'
import { rankBySimilarity } from './searches.similarity.store.ts'
import { readCorpusSize } from './searches.sizes.ts'
import { findSearchedSpace, keepSpace } from './searches.spaces.ts'

export interface RetrievalOptions extends store.RetrievalScope {
  query: string
  mode: SearchMode
  /** The id of a model that orders what was found. */
  rerank?: string | null | undefined
  limit: number
  min_score?: number | undefined
  max_per_document?: number | undefined
  /** Passages before and after each hit. */
  neighbors?: number | undefined
  signal: AbortSignal
}

export interface RetrievalResult {
  hits: SearchResult[]
  warnings: string[]
  /** Usage of the embedder and the reranker. */
  spendings: Spending[]
}

type RetrievalNeeds = Needs<'models' | 'db'>

/** Taken from each ranking before they are merged. */
const CANDIDATES = 200
/** A model reads every passage that it ranks. */
const MOST_RERANKED = 50
const MODEL_MS = 3_000

export async function findChunks(app: RetrievalNeeds, db: Db, asked: RetrievalOptions): Promise<RetrievalResult> {
  const told: RetrievalNotices = { warnings: [], spendings: [] }
  const [keyword, semantic] = await Promise.all([
    asked.mode === 'semantic' ? onlyTerms(db, asked) : byKeyword(app, db, asked),
    asked.mode === 'keyword' ? null : bySimilarity(app, db, asked, told),
  ])
  // Without a model there is still what the words say.
  const isFallback = asked.mode === 'semantic' && !semantic
  const { terms, ranking } = isFallback ? await byKeyword(app, db, asked) : keyword
  const found = fuse(ranking, semantic)
  const { candidates, chunks } = await readAndRerank(app, db, found, { ...asked, told })
  const byUuid = new Map(chunks.map((chunk) => [chunk.uuid, chunk]))
  const shown = candidates.flatMap((candidate) => {
    const chunk = byUuid.get(candidate.chunk_id)
    return chunk ? [{ candidate, chunk, words: findWords(chunk.text) }] : []
  })
  const texts = [...new Set(shown.flatMap((one) => one.words.map(({ text }) => text)))]
  const uuids = shown.map(({ chunk }) => chunk.uuid)
  const [matching, neighborsOf] = await Promise.all([
    listMatching(db, texts, terms),
    store.listNeighbors(db, uuids, asked.neighbors ?? 0),
  ])
  const hits = shown.map(({ candidate: { score, scores }, chunk: { uuid, ...chunk }, words: all }) => ({
    ...chunk,
    highlights: highlightsOf(all, (word) => matching.has(word)),
    score,
    scores,
    ...neighborsOf(uuid),
  }))
  return { hits: hits as SearchResult[], ...told }
}

interface RetrievalNotices {
  warnings: string[]
  spendings: Spending[]
}

/** `ranking` is null if the query has no words to search for. */
interface KeywordResult {
  terms: store.QueryTerms
  ranking: KeywordRanking | null
}

async function byKeyword(app: RetrievalNeeds, db: Db, asked: RetrievalOptions): Promise<KeywordResult> {
  const size = await readCorpusSize(app, db)
  const found = await store.rankByKeyword(db, spaceWords(asked.query), size, { ...asked, most: CANDIDATES })
  const { terms, ...ranking } = found
  return { terms, ranking: terms.terms.length === 0 ? null : ranking }
}

const onlyTerms = async (db: Db, { query }: RetrievalOptions): Promise<KeywordResult> => ({
  terms: await store.findTerms(db, spaceWords(query)),
  ranking: null,
})

/** Null where no model could be asked. */
async function bySimilarity(
  app: RetrievalNeeds,
  db: Db,
  asked: RetrievalOptions,
  told: RetrievalNotices,
  isSecond = false,
): Promise<RankedChunk[] | null> {
  const space = await findSearchedSpace(app, db)
  // Nothing has been written yet.
  if (!space) return []
  const vector = await embedQuery(app, db, space, { ...asked, told })
  if (!vector) {
    keepSpace(app, db, null)
    return null
  }
  const { ranked, also } = await rankBySimilarity<Space>(db, space, vector, {
    ...asked,
    most: CANDIDATES,
    also: ACTIVE_SPACE,
  })
  const active = also[0] ?? null
  keepSpace(app, db, active)
  // Another space was taken into use, and the vectors of this one are being deleted; or its graph has changed.
  const isCurrent = active?.id === space.id && active.graph === space.graph
  return isCurrent || isSecond ? ranked : bySimilarity(app, db, asked, told, true)
}

async function embedQuery(
  app: RetrievalNeeds,
  db: Db,
  space: Space,
  { query, project_id, signal, told }: RetrievalOptions & { told: RetrievalNotices },
): Promise<string | null> {
  const embedder = app.models.embedder(space.model)
  if (!embedder) {
    told.warnings.push(`The model '${space.model}' is not available, so this was a keyword search.`)
    return null
  }
  if (embedder.card.locality === 'remote' && (await listLocalOnly(db, [project_id ?? null])).length > 0) {
    told.warnings.push(
      `The model '${space.model}' is remote, and this project's text may not leave the installation, so this was a keyword search.`,
    )
    return null
  }
  const call = await reserveFor(app, db, embedder.card, query.length)
  if (call === null) {
    told.warnings.push(
      `The rest of the daily budget is too low for the model '${space.model}', so this was a keyword search.`,
    )
    return null
  }
  const answer = await within(signal, (own) => embedder.embed([query], { as: 'query', signal: own }))
  if (!answer) {
    await giveBack(app, db, embedder.card, call)
    told.warnings.push(`The model '${space.model}' did not respond in time, so this was a keyword search.`)
    return null
  }
  told.spendings.push({ model: embedder.card, spent: answer.spent, call })
  return textOfVector(answer.vectors[0]!)
}

/** Null if the model is down or takes more than three seconds. */
export async function within<T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const timeout = AbortSignal.timeout(MODEL_MS)
  try {
    return await ask(AbortSignal.any([signal, timeout]))
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted || error instanceof ModelUnavailable || error instanceof ModelTimeout) return null
    throw error
  }
}

async function readAndRerank(
  app: RetrievalNeeds,
  db: Db,
  found: readonly SearchCandidate[],
  asked: RetrievalOptions & { told: RetrievalNotices },
): Promise<{ candidates: SearchCandidate[]; chunks: store.FoundChunk[] }> {
  const reranker = asked.rerank ? app.models.reranker(asked.rerank) : null
  const read = async (some: readonly SearchCandidate[]) => {
    const chunks = await store.readChunks(
      db,
      some.map(({ chunk_id }) => chunk_id),
    )
    const there = new Set(chunks.map(({ uuid }) => uuid))
    return { candidates: some.filter(({ chunk_id }) => there.has(chunk_id)), chunks }
  }
  if (!reranker) return read(await chooseCandidates(db, found, asked))
  const { candidates, chunks } = await read(found.slice(0, Math.max(asked.limit, MOST_RERANKED)))
  const passages = chunksOf(candidates, chunks)
  const scores = await askReranker(app, db, reranker, { ...asked, passages })
  return { candidates: await chooseCandidates(db, scores ? rerank(candidates, scores) : candidates, asked), chunks }
}

async function chooseCandidates(
  db: Db,
  candidates: readonly SearchCandidate[],
  { min_score = 0, max_per_document, limit }: RetrievalOptions,
): Promise<SearchCandidate[]> {
  const good = candidates.filter(({ score }) => score >= min_score)
  if (max_per_document === undefined) return good.slice(0, limit)
  const documents = await store.findDocumentsOf(
    db,
    good.map(({ chunk_id }) => chunk_id),
  )
  return limitPerDocument(good, documents, max_per_document).slice(0, limit)
}

const chunksOf = (candidates: readonly SearchCandidate[], chunks: readonly store.FoundChunk[]): store.FoundChunk[] => {
  const byUuid = new Map(chunks.map((chunk) => [chunk.uuid, chunk]))
  return candidates.map(({ chunk_id }) => byUuid.get(chunk_id)!)
}

/** Null where it was not asked, or did not answer. */
async function askReranker(
  app: RetrievalNeeds,
  db: Db,
  reranker: Reranker,
  {
    query,
    passages,
    signal,
    told,
  }: { query: string; passages: store.FoundChunk[]; signal: AbortSignal; told: RetrievalNotices },
): Promise<readonly number[] | null> {
  const { card } = reranker
  if (passages.length === 0) return null
  const ids = passages.map(({ document_id }) => document_id)
  if (card.locality === 'remote' && (await listOpen(db, ids)).size < new Set(ids).size) {
    told.warnings.push(
      `The model '${card.id}' is remote, and the text of some passages may not leave the installation, so the results are not reranked.`,
    )
    return null
  }
  const texts = passages.map(({ text, expanded_text }) => expanded_text ?? text)
  const call = await reserveFor(app, db, card, query.length * texts.length + texts.join('').length)
  if (call === null) {
    told.warnings.push(
      `The rest of the daily budget is too low for the model '${card.id}', so the results are not reranked.`,
    )
    return null
  }
  const answer = await within(signal, (own) => reranker.rerank(query, texts, { signal: own }))
  if (!answer) {
    await giveBack(app, db, card, call)
    told.warnings.push(`The model '${card.id}' did not respond in time, so the results are not reranked.`)
    return null
  }
  told.spendings.push({ model: card, spent: answer.spent, call })
  return answer.scores
}
