import type { NewSearch, ResultOf, SearchFilters } from '@octavo/contract'
import type { ModelCard, Tokens } from '../../ai/model.ts'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import { invalidValue } from '../../lib/failure.ts'
import { chargeFor } from '../../outcomes/outcomes.charge.ts'
import { createSearchOutcome, type InlineResult } from '../../outcomes/outcomes.create.ts'
import { readProjectOf } from '../../outcomes/outcomes.request.ts'
import type { OutcomeRow } from '../../outcomes/outcomes.service.ts'
import { costOf } from '../../usage/usage.service.ts'
import { listDocumentsById } from '../documents/documents.service.ts'
import { selectModel } from '../models/models.select.ts'
import { findChunks, type RetrievalResult } from './searches.retrieve.ts'
import { findKnownSpace } from './searches.spaces.ts'

type SearchNeeds = Needs<'models' | 'db' | 'config'>
const SEARCH_MS = 8_000
const DEFAULT_LIMIT = 10

/** Where is looked. */
export interface SearchScope {
  project_id: string | null
  /** Absent: all. */
  document_ids?: readonly string[] | undefined
  filters?: SearchFilters | undefined
}

export async function readScope(
  db: Reader,
  asked: {
    project_id?: string | null | undefined
    document_ids?: readonly string[] | undefined
    filters?: SearchFilters | undefined
  },
): Promise<SearchScope> {
  const { document_ids = [], filters } = asked
  const project_id = await readProjectOf(db, asked.project_id ?? null)
  const documents = await listDocumentsById(db, document_ids)
  const index = document_ids.findIndex(
    (id) =>
      !documents.some((document) => document.id === id && (project_id === null || document.project_id === project_id)),
  )
  if (index >= 0)
    throw invalidValue(
      `document_ids[${index}]`,
      'reference_not_found',
      'No document with this id exists in the project, or your credentials do not give access to it.',
    )
  return { project_id, filters, document_ids: document_ids.length > 0 ? document_ids : undefined }
}

export function needWords(field: string, text: string): void {
  if (text.trim() === '') throw invalidValue(field, 'too_short', 'Must have at least one word to search for.')
}

/** Whose text may be read, as far as it was named. */
export async function projectsOf(
  db: Reader,
  { project_id, document_ids = [] }: SearchScope,
): Promise<(string | null)[]> {
  const documents = await listDocumentsById(db, document_ids)
  return [project_id, ...documents.map((document) => document.project_id)]
}

/** Whether a search may call a model that is remote or has a price. */
export function isPaid(app: SearchNeeds, db: Db, { mode, rerank }: NewSearch): boolean {
  if (rerank !== undefined) return true
  if (mode === 'keyword') return false
  const space = findKnownSpace(app, db)
  const embedders = app.models.list().filter(({ kind, id }) => kind === 'embedder' && (!space || space.model === id))
  return embedders.some(({ locality, price }) => locality === 'remote' || price.input > 0)
}

/** Nothing is found in a transaction: models and large indexes take their time. */
export async function prepareSearch(
  app: SearchNeeds & Needs<'limiter'>,
  db: Db,
  input: NewSearch,
): Promise<{ value: InlineResult<'search'> }> {
  const began_ms = performance.now()
  needWords('query', input.query)
  const { query, mode = 'hybrid', rerank, limit = DEFAULT_LIMIT } = input
  const scope = await readScope(db, input)
  if (rerank !== undefined)
    await selectModel(app, db, {
      model: rerank,
      field: 'rerank',
      capability: 'rerank',
      role: 'generator',
      project_ids: await projectsOf(db, scope),
    })
  await chargeFor(app, db.caller, { object: 'search', sources: null })
  const signal = AbortSignal.timeout(SEARCH_MS)
  const { min_score, max_per_document, neighbors } = input
  const found = await findChunks(app, db, {
    query,
    mode,
    ...scope,
    rerank: rerank ?? null,
    limit,
    min_score,
    max_per_document,
    neighbors,
    signal,
  })
  const isEmbedded = found.spendings.some(({ model }) => model.kind === 'embedder')
  const embedded = mode === 'hybrid' ? 'hybrid' : 'embedding'
  const method = isEmbedded ? embedded : 'keyword'
  return { value: madeOf(app, { ...found, method }, { results: found.hits }, performance.now() - began_ms) }
}

/** The result with its usage. `model` defaults to the first model that was called; the ledger has all of them. */
export function madeOf<K extends 'search' | 'answer'>(
  app: Needs<'models'>,
  {
    spendings,
    warnings,
    method,
    model,
  }: Pick<RetrievalResult, 'spendings' | 'warnings'> & { method: string; model?: ModelCard },
  result: ResultOf<K>,
  compute_ms: number,
): InlineResult<K> {
  const built_in = app.models.built_in_text
  const sum = (of: (spent: Tokens) => number): number => spendings.reduce((total, { spent }) => total + of(spent), 0)
  return {
    result,
    method,
    model: model ?? spendings[0]?.model ?? built_in,
    spendings,
    pages: 0,
    input_tokens: sum((spent) => spent.input_tokens),
    output_tokens: sum((spent) => spent.output_tokens),
    cost_micros: spendings.reduce((total, one) => total + costOf(one.model, one.spent), 0),
    compute_ms,
    warnings,
  }
}

const KEPT_DAYS = 30

export async function createSearch(
  tx: Tx,
  input: NewSearch,
  made: InlineResult<'search'>,
): Promise<OutcomeRow<'search'>> {
  const {
    query,
    mode = 'hybrid',
    project_id = null,
    document_ids = [],
    filters = null,
    rerank = null,
    limit = DEFAULT_LIMIT,
    min_score = null,
    max_per_document = null,
    neighbors = 0,
    store: is_stored = true,
  } = input
  const results = made.result.results
  const request = {
    query,
    mode,
    document_ids,
    filters,
    rerank,
    limit,
    min_score,
    max_per_document,
    neighbors,
  }
  return createSearchOutcome(
    tx,
    { object: 'search', project_id, request, made, metadata: input.metadata ?? {}, kept_days: KEPT_DAYS, is_stored },
    (live) => ({
      result: { results: results.filter(({ document_id }) => live.has(document_id)) },
      found_ids: results.map(({ document_id }) => document_id),
    }),
  )
}
