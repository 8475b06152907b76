import type { JobError, JobStatus, OutcomeModel, OutcomeUsage, Prefix } from '@octavo/contract'
import type pg from 'pg'
import type { Reader, Tx } from '../../db/database.ts'
import { type Condition, createdBetween, idIn, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { timeOfUuid, toId, uuid, uuidOf } from '../../lib/ids.ts'

/** Each kind of outcome and the prefix of its ids. */
export const outcomePrefixes = {
  analysis: 'ana',
  summary: 'sum',
  classification: 'cls',
  embedding: 'emb',
  search: 'srch',
  answer: 'ans',
  report: 'rep',
} as const satisfies Record<string, Prefix>
export type OutcomeObject = keyof typeof outcomePrefixes

/** As it is stored. `request` and `result` hold the members that belong to its kind. */
export interface StoredOutcome {
  id: string
  object: OutcomeObject
  project_id: string | null
  document_id: string | null
  job_id: string | null
  key_id: string | null
  status: JobStatus
  is_terminal: boolean
  request: Record<string, unknown>
  result: Record<string, unknown> | null
  fingerprint: string | null
  cache: 'hit' | 'miss' | 'bypass'
  method: string | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  warnings: string[]
  error: JobError | null
  metadata: Record<string, string>
  version: number
  created_at: string
  updated_at: string
}
/** How it ended. */
export type Ended = Pick<
  StoredOutcome,
  'status' | 'result' | 'fingerprint' | 'method' | 'model' | 'usage' | 'warnings' | 'error'
>
export type NewOutcomeRow = Ended &
  Pick<StoredOutcome, 'id' | 'object' | 'project_id' | 'document_id' | 'job_id' | 'request' | 'cache' | 'metadata'> & {
    document_ids: readonly string[]
    kept_days: number | null
  }

const ENDED = `('succeeded', 'partially_succeeded', 'failed', 'cancelled')`
const columnsOf = (
  result: string,
): string => `id, object, project_id, document_id, job_id, key_id, status, status in ${ENDED} as is_terminal, request, ${result} as result,
  fingerprint, cache, method, model, usage, warnings, error, metadata, version, created_at, updated_at`
const COLUMNS = columnsOf('result')
/** In lists what is heavy is left out. */
const LIST_COLUMNS = columnsOf(`case when object = 'embedding' then result - 'data' else result end`)
const OWN = 'tenant_id = $1 and object = $3 and id = $4 and ($2::uuid[] is null or project_id = any($2))'
const CHANGED = 'version = version + 1, updated_at = greatest(now(), created_at)'

const statements = new Map<OutcomeObject, ReturnType<typeof statementsOf>>()
/** The prefix of its id is that of the kind, so each kind has its own. */
function statementsOf(object: OutcomeObject) {
  const prefix = outcomePrefixes[object]
  return {
    find: sql(`select ${COLUMNS} from outcomes where ${OWN}`, prefix),
    lock: sql(`select ${COLUMNS} from outcomes where ${OWN} for no key update`, prefix),
    twin: sql(
      `select ${COLUMNS} from outcomes where tenant_id = $1 and object = $3 and fingerprint = $4 and status = 'succeeded'
      and ($2::uuid[] is null or project_id = any($2)) and project_id is not distinct from $5::uuid order by id desc limit 1`,
      prefix,
    ),
    insert: sql(
      `insert into outcomes (tenant_id, object, id, project_id, document_id, job_id, status, request, result, fingerprint, cache, method, model, usage, warnings, error,
        metadata, key_id, expires_at, created_at, updated_at)
      values ($1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $21, $19::timestamptz + $20::bigint * interval '1 day', $19, $19) returning ${COLUMNS}`,
      prefix,
    ),
    end: sql(
      `update outcomes set status = $5, result = $6, fingerprint = $7, method = $8, model = $9, usage = $10, warnings = $11, error = $12, draft = null, ${CHANGED}
      where ${OWN} returning ${COLUMNS}`,
      prefix,
    ),
    follow: sql(`update outcomes set status = $5, error = $6, ${CHANGED} where ${OWN} returning ${COLUMNS}`, prefix),
    describe: sql(
      `update outcomes set metadata = $5, request = $6, ${CHANGED} where ${OWN} returning ${COLUMNS}`,
      prefix,
    ),
  }
}
function of(object: OutcomeObject): ReturnType<typeof statementsOf> {
  let own = statements.get(object)
  if (!own) statements.set(object, (own = statementsOf(object)))
  return own
}

const ADD_SOURCES = sql(
  `insert into outcome_sources (tenant_id, document_id, object, outcome_id) select $1, document, $3, $4 from unnest($5::uuid[]) as document`,
)
const SOURCES = sql(
  `select document_id from outcome_sources where tenant_id = $1 and object = $3 and outcome_id = $4 order by document_id`,
)
const DELETE = sql(`delete from outcomes where tenant_id = $1 and object = $3 and id = $4`)
const DELETE_OF_DOCUMENT = sql(
  `with gone as (
    delete from outcomes o using outcome_sources s where s.tenant_id = $1 and s.document_id = $3
    and o.tenant_id = $1 and o.object = s.object and o.id = s.outcome_id returning o.job_id
  )
  delete from job_steps j using gone where j.tenant_id = $1 and j.job_id = gone.job_id`,
)
const DRAFT = sql(`update outcomes set draft = $5 where tenant_id = $1 and object = $3 and id = $4`)
const FIND_DRAFT = sql(`select draft from outcomes where tenant_id = $1 and object = $3 and id = $4`)

const idOf = (object: OutcomeObject, id: string): string => uuidOf(outcomePrefixes[object], id)
const uuidOrNull = (id: string | null): string | null => (id === null ? null : uuid(id))
const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

export const findOutcome = (db: Reader, object: OutcomeObject, id: string): Promise<StoredOutcome | null> =>
  db.find<StoredOutcome>(of(object).find, [object, idOf(object, id)])
export const lockOutcome = (tx: Tx, object: OutcomeObject, id: string): Promise<StoredOutcome | null> =>
  tx.find<StoredOutcome>(of(object).lock, [object, idOf(object, id)])

/** An earlier result of the same, which is seen by the same people. */
export const findTwin = (
  db: Reader,
  object: OutcomeObject,
  { fingerprint, project_id }: { fingerprint: string; project_id: string | null },
): Promise<StoredOutcome | null> =>
  db.find<StoredOutcome>(of(object).twin, [object, fingerprint, uuidOrNull(project_id)])

export async function insertOutcome(tx: Tx, row: NewOutcomeRow): Promise<StoredOutcome> {
  const id = idOf(row.object, row.id)
  const inserted = await tx.find<StoredOutcome>(of(row.object).insert, [
    row.object,
    id,
    uuidOrNull(row.project_id),
    uuidOrNull(row.document_id),
    uuidOrNull(row.job_id),
    row.status,
    row.request,
    json(row.result),
    row.fingerprint,
    row.cache,
    row.method,
    json(row.model),
    json(row.usage),
    json(row.warnings),
    json(row.error),
    row.metadata,
    timeOfUuid(id),
    row.kept_days,
    tx.caller.actor.type === 'api_key' ? tx.caller.actor.id : null,
  ])
  if (row.document_ids.length > 0) tx.queue(ADD_SOURCES, [row.object, id, row.document_ids.map(uuid)])
  return inserted!
}

export const endOutcome = (tx: Tx, object: OutcomeObject, id: string, ended: Ended): Promise<StoredOutcome | null> =>
  tx.find<StoredOutcome>(of(object).end, [
    object,
    idOf(object, id),
    ended.status,
    json(ended.result),
    ended.fingerprint,
    ended.method,
    json(ended.model),
    json(ended.usage),
    json(ended.warnings),
    json(ended.error),
  ])
/** Its job has changed its state. */
export const followJob = (
  tx: Tx,
  object: OutcomeObject,
  id: string,
  to: Pick<StoredOutcome, 'status' | 'error'>,
): Promise<StoredOutcome | null> =>
  tx.find<StoredOutcome>(of(object).follow, [object, idOf(object, id), to.status, json(to.error)])
export const describeOutcome = async (
  tx: Tx,
  object: OutcomeObject,
  id: string,
  { metadata, request }: Pick<StoredOutcome, 'metadata' | 'request'>,
): Promise<StoredOutcome> =>
  (await tx.find<StoredOutcome>(of(object).describe, [object, idOf(object, id), metadata, request]))!

export const addSources = (tx: Tx, object: OutcomeObject, id: string, document_ids: readonly string[]): void =>
  tx.queue(ADD_SOURCES, [object, idOf(object, id), document_ids.map(uuid)])
export async function listSources(db: Reader, object: OutcomeObject, id: string): Promise<string[]> {
  return (await db.rows<{ document_id: string }>(SOURCES, [object, idOf(object, id)])).map(
    ({ document_id }) => document_id,
  )
}
export const deleteOutcome = (tx: Tx, object: OutcomeObject, id: string): void =>
  tx.queue(DELETE, [object, idOf(object, id)])
export const deleteOfDocument = (tx: Tx, document_id: string): void =>
  tx.queue(DELETE_OF_DOCUMENT, [uuidOf('doc', document_id)])

export const saveDraft = (tx: Tx, object: OutcomeObject, id: string, draft: string): void =>
  tx.queue(DRAFT, [object, idOf(object, id), draft])
export async function findDraft(db: Reader, object: OutcomeObject, id: string): Promise<string | null> {
  return (await db.find<{ draft: string | null }>(FIND_DRAFT, [object, idOf(object, id)]))?.draft ?? null
}

export interface OutcomeFilters extends TimeFilters {
  project_id?: string
  /** That it has read. */
  document_id?: string
}

export function listOutcomes(
  db: Reader,
  object: OutcomeObject,
  filters: OutcomeFilters,
  page: PageRequest,
): Promise<StoredOutcome[]> {
  const ofSources = idIn('s.document_id', 'doc', filters.document_id).map(
    ([text, value]): Condition => [
      `id in (select s.outcome_id from outcome_sources s where s.tenant_id = outcomes.tenant_id and s.object = outcomes.object and ${text})`,
      value,
    ],
  )
  const conditions: Condition[] = [
    ['object = $', object],
    ...createdBetween(filters),
    ...idIn('project_id', 'proj', filters.project_id),
    ...ofSources,
  ]
  return listRows<StoredOutcome>(
    db,
    { table: 'outcomes', columns: LIST_COLUMNS, prefix: outcomePrefixes[object], key: 'id', project: 'project_id' },
    conditions,
    page,
  )
}

/** Across all tenants, for the system. `tenant` is a uuid. */
export async function listExpired(
  system: pg.Pool,
  limit: number,
): Promise<{ tenant: string; object: OutcomeObject; id: string }[]> {
  const { rows } = await system.query<{ tenant_id: string; object: OutcomeObject; id: string }>(
    `select tenant_id, object, id from outcomes where expires_at < now() order by expires_at limit $1`,
    [limit],
  )
  return rows.map((row) => ({
    tenant: row.tenant_id,
    object: row.object,
    id: toId(outcomePrefixes[row.object], row.id),
  }))
}

const LOCK_PAGES = sql(
  `select id, sha256 from pages where tenant_id = $1 and document_id = any($3::uuid[]) and id = any($4::uuid[]) order by id for share`,
  'page',
)
/** Locks the cited pages until the transaction ends, so that their text does not change. */
export async function lockPageHashes(
  tx: Tx,
  pages: readonly (readonly [page_id: string, document_id: string])[],
): Promise<Map<string, string>> {
  if (pages.length === 0) return new Map()
  const documents = [...new Set(pages.map(([, document]) => uuidOf('doc', document)))]
  const rows = await tx.rows<{ id: string; sha256: string }>(LOCK_PAGES, [
    documents,
    pages.map(([page]) => uuidOf('page', page)),
  ])
  return new Map(rows.map(({ id, sha256 }) => [id, sha256]))
}

const HOLD_DOCUMENTS = sql(
  `select id from documents where tenant_id = $1 and id = any($3::uuid[]) and deleted_at is null order by id for share`,
  'doc',
)
/** Returns and locks the documents that still exist, so that a later deletion also deletes outcomes made of them. */
export async function holdDocuments(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  return new Set(
    (await tx.rows<{ id: string }>(HOLD_DOCUMENTS, [ids.map((id) => uuidOf('doc', id))])).map(({ id }) => id),
  )
}
