// Reads the final state of the database as its superuser.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { asAdmin } from '../lib/admin.ts'
import { type CrashTornWrite, readTorn } from './watch.ts'

export interface CrashDocumentRow {
  id: string
  title: string
  status: string
  is_deleted: boolean
  page_count: number
  markers: string[]
  /** Page rows: their count, the highest number, and whether each has the text that was sent for its number. */
  pages: number
  last: number
  is_exact: boolean
  /** Whether its latest job was cancelled. */
  is_cancelled: boolean
  /** Chunks without a vector. */
  unfound: number
}

export interface CrashOutcomeRow {
  id: string
  object: string
  status: string
  marker: string | null
  error: string | null
  /** Usage records: those of model calls, and all. */
  asked: number
  records: number
}

interface CrashFileRow {
  id: string
  document_id: string
  kind: string
  /** Object key. */
  key: string
  size_bytes: number
  sha256: string | null
}

export interface CrashUploadRow {
  id: string
  status: string
  document_id: string | null
  key: string
  marker: string
}

export interface CrashJobRow {
  id: string
  type: string
  status: string
  place: string | null
  marker: string | null
  is_cancel_requested: boolean
  parent_job_id: string | null
  /** Only for a batch. */
  items_total: number | null
  items_done: number
  items_failed: number
  finished_at: number | null
  error: string | null
  /** Job events: their count, the last number, and those that report its end. */
  last_seq: number
  events: number
  highest_seq: number
  endings: string[]
  /** Events that record a cancel request. */
  asked: number
}

export interface CrashRows {
  documents: CrashDocumentRow[]
  outcomes: CrashOutcomeRow[]
  files: CrashFileRow[]
  uploads: CrashUploadRow[]
  /** Keys of files that were purged. */
  gone: Set<string>
  projects: { id: string; name: string }[]
  jobs: CrashJobRow[]
  /** Event counts by type and subject, for documents, projects and queued jobs. */
  events: Map<string, number>
  /** Event counts by type and request, for document changes. */
  requested: Map<string, number>
  /** Tenants whose positions are not 1, 2, 3 and so on. */
  gaps: number
  used_slots: number
  waiting: number
  torn: CrashTornWrite
}

const DOCUMENTS = `select d.id, title, d.status, deleted_at is not null as is_deleted, page_count::int,
    array(select value from jsonb_each_text(d.metadata)) as markers,
    coalesce(p.pages, 0)::int as pages, coalesce(p.last, 0)::int as last, coalesce(p.is_exact, true) as is_exact,
    exists (select from jobs j where j.tenant_id = d.tenant_id and j.id = d.latest_job_id
      and (j.cancel_requested_at is not null or j.status = 'cancelled')) as is_cancelled,
    (select count(*)::int from chunks c where c.tenant_id = d.tenant_id and c.document_id = d.id and not exists (
      select from chunk_vectors v where v.tenant_id = c.tenant_id and v.chunk_id = c.id)) as unfound
  from documents d left join lateral (
    select count(*) as pages, max(number) as last, bool_and(p.text = d.title || ' page ' || p.number) as is_exact
    from pages p where p.tenant_id = d.tenant_id and p.document_id = d.id) p on true`
const OUTCOMES = `select o.id, object, status, metadata ->> 'marker' as marker, error ->> 'code' as error, u.asked, u.records
  from outcomes o, lateral (select count(*) filter (where u.input_tokens > 0)::int as asked, count(*)::int as records
    from usage_records u where u.tenant_id = o.tenant_id and u.subject_object = o.object and u.subject_id = o.id) u`
const JOBS = `select j.id, type, status, place, metadata ->> 'marker' as marker, cancel_requested_at is not null as is_cancel_requested,
    parent_job_id, items_total::int, items_done::int, items_failed::int, extract(epoch from finished_at)::float8 * 1000 as finished_at, error ->> 'message' as error,
    last_seq::int, coalesce(e.events, 0)::int as events, coalesce(e.highest, 0)::int as highest_seq, coalesce(e.endings, '{}') as endings,
    coalesce(e.asked, 0)::int as asked
  from jobs j left join lateral (
    select count(*) as events, max(e.seq) as highest,
      array_agg(e.type) filter (where e.type in ('job.succeeded', 'job.partially_succeeded', 'job.failed', 'job.cancelled')) as endings,
      count(*) filter (where e.request_id is not null and e.type in ('job.updated', 'job.cancelled')) as asked
    from events e where e.tenant_id = j.tenant_id and e.subject_id = j.id and e.seq is not null) e on true`
const FILES = `select id, document_id, kind, tenant_id || '/' || object_id as key, size_bytes::int, sha256 from files`
const UPLOADS = `select id, status, document_id, tenant_id || '/' || object_id as key, metadata ->> 'marker' as marker from uploads`
const GONE = 'select key from proof_gone'
const GAPS = `select count(*)::int as gaps from (
    select count(*) as events, count(position) as placed, count(distinct position) as places, coalesce(max(position), 0) as last
    from events group by tenant_id) e where events <> last or events <> placed or events <> places`

const SETTLED = `select not exists (select from jobs where place is not null) and not exists (select from documents where deleted_at is not null)
  and not exists (select from events where position is null) and not exists (select from embedding_gaps) as is_settled`

/** The quiet period: until everything has ended, or has had its time. */
export async function settle(database: string, most_ms: number): Promise<number> {
  const begun = Date.now()
  return asAdmin(database, async (client) => {
    while (Date.now() - begun < most_ms) {
      const { rows } = await client.query<{ is_settled: boolean }>(SETTLED)
      if (rows[0]!.is_settled) break
      await sleep(200)
    }
    return Date.now() - begun
  })
}

const COUNTED = {
  subject_id: [
    'document.created',
    'document.updated',
    'document.deleted',
    'upload.created',
    'upload.completed',
    'project.created',
    'job.queued',
    ...['summary', 'classification', 'search', 'analysis'].flatMap((object) => [
      `${object}.created`,
      `${object}.succeeded`,
    ]),
  ],
  request_id: ['document.updated'],
}

async function count(client: pg.Client, what: keyof typeof COUNTED): Promise<Map<string, number>> {
  const text = `select type || ' ' || ${what} as name, count(*)::int as count from events where ${what} is not null and type = any($1) group by 1`
  const { rows } = await client.query<{ name: string; count: number }>(text, [COUNTED[what]])
  return new Map(rows.map(({ name, count: times }) => [name, times]))
}

export const readRows = (database: string): Promise<CrashRows> =>
  asAdmin(database, async (client) => {
    const all = async <R extends pg.QueryResultRow>(text: string): Promise<R[]> => (await client.query<R>(text)).rows
    const slots = await all<{ used: number; waiting: number }>(
      'select sum(used)::int as used, sum(waiting)::int as waiting from tenant_slots',
    )
    return {
      documents: await all<CrashDocumentRow>(DOCUMENTS),
      outcomes: await all<CrashOutcomeRow>(OUTCOMES),
      files: await all<CrashFileRow>(FILES),
      uploads: await all<CrashUploadRow>(UPLOADS),
      gone: new Set((await all<{ key: string }>(GONE)).map(({ key }) => key)),
      projects: await all<{ id: string; name: string }>('select id, name from projects'),
      jobs: await all<CrashJobRow>(JOBS),
      events: await count(client, 'subject_id'),
      requested: await count(client, 'request_id'),
      gaps: (await all<{ gaps: number }>(GAPS))[0]!.gaps,
      used_slots: slots[0]!.used,
      waiting: slots[0]!.waiting,
      torn: await readTorn(client),
    }
  })
