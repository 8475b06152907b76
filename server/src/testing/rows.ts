// Rows as months of work would leave them, put straight into the database of a test.

import { randomUUID } from 'node:crypto'
import type { App } from '../app.ts'
import { floorUuid, newUuid, toId, uuidOf } from '../lib/ids.ts'
import { change } from './jobs.ts'

/** A UUIDv7 whose time increases with the row number `n`. */
const ID = `(lpad(to_hex($3::bigint + n * $4::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || substr(md5(n::text || $6), 1, 15))::uuid`
const TIME = `to_timestamp(($3::bigint + n * $4::bigint) / 1000.0)`

interface Series {
  count: number
  at_ms?: number
  every_ms?: number
}

/** Their ids, the oldest first. */
export async function insertDocuments(
  app: App,
  tenant: string,
  { count, title, at_ms = Date.now() - 60_000, every_ms = 1, pages = 0 }: Series & { title: string; pages?: number },
): Promise<string[]> {
  const rows = await change<{ place: string }>(
    app,
    tenant,
    `insert into documents (tenant_id, id, title, status, page_count, pages_ready, pages_failed, created_at, updated_at)
    select $1, ${ID}, $7, 'ready', $8::bigint, $8, 0, ${TIME}, ${TIME} from generate_series(0, $5::bigint - 1) as n returning id as place`,
    [at_ms, every_ms, count, newUuid(), title, pages],
  )
  return rows.map(({ place }) => toId('doc', place)).toSorted()
}

export async function insertUsage(
  app: App,
  tenant: string,
  {
    count,
    at_ms = Date.now() - 60_000,
    every_ms = 1,
    model,
    cost_micros,
  }: Series & { model: string; cost_micros: number },
): Promise<void> {
  await change(
    app,
    tenant,
    `insert into usage_records (tenant_id, id, subject_object, subject_id, model, provider, locality, pages, input_tokens, output_tokens,
      compute_ms, cost_micros, created_at)
    select $1, ${ID}, 'summary', ${ID}, $7, 'stub', 'remote', 1, 10, 2, 5, $8, ${TIME} from generate_series(0, $5::bigint - 1) as n`,
    [at_ms, every_ms, count, newUuid(), model, cost_micros],
  )
}

interface AnalysisOptions {
  status?: string
  language?: string
  /** Nothing was asked for. */
  is_bare?: boolean
  at_ms?: number
}
export async function insertAnalysis(
  app: App,
  tenant: string,
  document_id: string,
  { status = 'succeeded', language = 'en', is_bare = false, at_ms = Date.now() }: AnalysisOptions,
): Promise<string> {
  const at = new Date(at_ms)
  const id = floorUuid(at).slice(0, 14) + randomUUID().slice(14)
  const citations: never[] = []
  const phrase = (text: string) => ({ text, confidence: 1, citations })
  const datum = { type: 'email', text: 'a@b.example', confidence: 1, citations }
  const found = {
    language: { language, confidence: 1, languages: [] },
    statistics: {
      pages: 1,
      characters: 700,
      words: 120,
      sentences: 9,
      paragraphs: 2,
      average_sentence_words: 13.3,
      reading_seconds: 30,
    },
    key_phrases: [phrase('rent'), phrase('=1+1')],
    entities: [],
    pii: [datum, datum],
    sentiment: { label: 'positive', score: 0.5, confidence: 1, citations },
    topics: [{ name: 'law', confidence: 1, citations }],
    extraction: null,
  }
  const result = is_bare ? Object.fromEntries(Object.keys(found).map((name) => [name, null])) : found
  await change(
    app,
    tenant,
    `insert into outcomes (tenant_id, object, id, document_id, status, request, result, cache, model, created_at, updated_at)
    values ($1, 'analysis', $3, $4, $5, '{}', $6, 'miss', '{"id": "built_in_text"}', $7, $7)`,
    [id, uuidOf('doc', document_id), status, result, at],
  )
  return toId('ana', id)
}
