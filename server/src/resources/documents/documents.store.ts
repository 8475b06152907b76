import type { Document, DocumentReplacement } from '@octavo/contract'
import type pg from 'pg'
import type { Reader, Tx } from '../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../db/errors.ts'
import {
  type ChangeFilters,
  type Condition,
  changedAs,
  createdBetween,
  idIn,
  listRows,
  type PageRequest,
  type TimeFilters,
} from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { CHANGED, columnsOf, expression, insertInto, type RowOf, updateRows } from '../../db/tables.ts'
import { timeOfUuid, toId, uuidOf } from '../../lib/ids.ts'

export type DocumentRow = RowOf<'documents', Document>
/** Fields that a caller may change. */
export type DocumentFields = Required<Omit<DocumentReplacement, 'expires_at'>> & { expires_at: Date | null }
export type NewDocumentRow = DocumentFields &
  Pick<
    Document,
    | 'id'
    | 'project_id'
    | 'parent_document_id'
    | 'source'
    | 'processing'
    | 'status'
    | 'file_id'
    | 'media_type'
    | 'size_bytes'
    | 'sha256'
    | 'latest_job_id'
    | 'page_count'
  >

const COLUMNS = `'document' as object, ${columnsOf('documents', ['deleted_at', 'sealed_password'])}`
const OWN = 'tenant_id = $1 and id = $3 and deleted_at is null and ($2::uuid[] is null or project_id = any($2))'

const FIND = sql(`select ${COLUMNS} from documents where ${OWN}`, 'doc')
const LOCK = sql(`select ${COLUMNS} from documents where ${OWN} for no key update`, 'doc')
const FIND_MANY = sql(
  `select id, project_id, title, status, page_count from documents where tenant_id = $1 and id = any($3::uuid[]) and deleted_at is null
  and ($2::uuid[] is null or project_id = any($2))`,
  'doc',
)
const LOCK_EXISTING = sql(
  `select id from documents where tenant_id = $1 and id = any($3::uuid[]) and deleted_at is null order by id for share`,
  'doc',
)
const LOCK_ALL = sql(
  `select case when count(*) = cardinality($3::uuid[]) then true else app_refuse('A document was deleted') end from (${LOCK_EXISTING.text}) d`,
)
const FIND_EXTERNAL = sql(
  `select id from documents where tenant_id = $1 and external_id = $3 and deleted_at is null and ($2::uuid[] is null or project_id = any($2))`,
  'doc',
)
const ON_TAKEN = `on conflict (tenant_id, external_id) where external_id is not null and deleted_at is null do nothing returning ${COLUMNS}`
/** Options of the request override those of its project. */
const PROCESSING = `'{"reader": "built_in", "ocr": "auto", "attachments": "none", "languages": []}'::jsonb
    || coalesce((select p.default_processing from projects p where p.tenant_id = $1 and p.id = $::uuid), '{}') || $::jsonb`
// When the last failed page becomes ready, the document becomes ready.
const IS_WHOLE = `status in ('partially_ready', 'failed') and page_count + $4 > 0 and pages_ready + $5 = page_count + $4`
const COUNT_PAGES = sql(
  `update documents set page_count = page_count + $4, pages_ready = pages_ready + $5, pages_failed = pages_failed + $6,
  status = case when ${IS_WHOLE} then 'ready' else status end, error = case when ${IS_WHOLE} then null else error end, ${CHANGED} where ${OWN}`,
)
// Between two runs, users may remove pages, which the next run reads again, and append pages after the last one.
const CONCLUDE = sql(
  `update documents set language = $4, warnings = $5, page_count = coalesce($6::bigint + (
    select count(*) from pages p where p.tenant_id = $1 and p.document_id = $3 and p.number > $6), page_count), ${CHANGED} where ${OWN}`,
)
const BEGIN = sql(
  `update documents set status = 'processing', error = null, latest_job_id = $4, ${CHANGED} where ${OWN} returning ${COLUMNS}`,
  'doc',
)
// Two requests with the same bytes come one after the other.
const LOCK_BYTES = sql(`select pg_advisory_xact_lock(hashtextextended($1::text || $3, 6))`)
const FIND_DUPLICATE = sql(
  `select ${COLUMNS} from documents where tenant_id = $1 and sha256 = $3 and deleted_at is null and status <> 'failed' and error->>'code' is distinct from 'cancelled'
  and ($2::uuid[] is null or project_id = any($2)) order by id limit 1`,
  'doc',
)
const DELETE = sql(
  `update documents set deleted_at = now(), external_id = null, sealed_password = null, ${CHANGED} where ${OWN}`,
)
const KEEP_PASSWORD = sql(`update documents set sealed_password = $4 where ${OWN}`)
const FIND_PASSWORD = sql(`select sealed_password from documents where ${OWN}`)
const FORGET_PASSWORD = sql(`update documents set sealed_password = null where ${OWN} and sealed_password is not null`)
const LIST_ATTACHED = sql(
  `select id from documents where tenant_id = $1 and parent_document_id = any($3::uuid[]) and deleted_at is null
  and ($2::uuid[] is null or project_id = any($2)) order by id`,
  'doc',
)
const DELETED = 'tenant_id = $1 and id = $3 and deleted_at is not null and ($2::uuid[] is null or project_id = any($2))'
const FIND_DELETED = sql(`select id from documents where ${DELETED}`, 'doc')
const PURGE = sql(`delete from documents where ${DELETED} returning id`, 'doc')

export const findDocument = (db: Reader, id: string): Promise<DocumentRow | null> =>
  db.find<DocumentRow>(FIND, [uuidOf('doc', id)])
export const lockDocument = (tx: Tx, id: string): Promise<DocumentRow | null> =>
  tx.find<DocumentRow>(LOCK, [uuidOf('doc', id)])
/** Locks the documents that still exist against deletion, and returns their ids. */
export async function lockExisting(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.rows<{ id: string }>(LOCK_EXISTING, [ids.map((id) => uuidOf('doc', id))])
  return new Set(rows.map(({ id }) => id))
}
/** The same, with the next statement and under the assumption that all of them exist. */
export function lockAll(tx: Tx, ids: readonly string[]): void {
  if (ids.length > 0) tx.assume(LOCK_ALL, [ids.map((id) => uuidOf('doc', id))])
}
export const findExternal = (db: Reader, external_id: string): Promise<{ id: string } | null> =>
  db.find<{ id: string }>(FIND_EXTERNAL, [external_id])

const changing = (id: string) =>
  ({ where: OWN, values: [uuidOf('doc', id)], prefix: 'doc', returning: COLUMNS }) as const

/** The external id may be taken by a document that the caller may not see. */
export async function insertDocument(tx: Tx, row: NewDocumentRow): Promise<DocumentRow | 'taken' | 'no_project'> {
  const created_at = timeOfUuid(uuidOf('doc', row.id))
  const project = row.project_id === null ? null : uuidOf('proj', row.project_id)
  const processing = row.processing && expression(PROCESSING, project, row.processing)
  const counts = { pages_ready: 0, pages_failed: 0 }
  const values = { ...row, processing, sealed_password: null, ...counts, created_at, updated_at: created_at }
  try {
    return (
      (await tx.find<DocumentRow>(...insertInto('documents', values, { prefix: 'doc', tail: ON_TAKEN }))) ?? 'taken'
    )
  } catch (error) {
    if (isForeignKeyViolation(error, 'documents_project')) return 'no_project'
    throw error
  }
}

/** `taken`: a concurrent request took the external id after the check, and the transaction cannot continue. */
export async function updateDocument(tx: Tx, id: string, fields: DocumentFields): Promise<DocumentRow | 'taken'> {
  try {
    return await tx.one<DocumentRow>(...updateRows('documents', fields, changing(id)))
  } catch (error) {
    if (isUniqueViolation(error, 'documents_external_id')) return 'taken'
    throw error
  }
}

/** Not in the row of the insert, from which events are made. */
export const keepPassword = (tx: Tx, id: string, sealed: Buffer): void =>
  tx.queue(KEEP_PASSWORD, [uuidOf('doc', id), sealed])

export async function findPassword(db: Reader, id: string): Promise<Buffer | null> {
  const row = await db.find<{ sealed_password: Buffer | null }>(FIND_PASSWORD, [uuidOf('doc', id)])
  return row?.sealed_password ?? null
}

export const forgetPassword = (tx: Tx, id: string): void => tx.queue(FORGET_PASSWORD, [uuidOf('doc', id)])

/** A change of its pages is a change of the document. */
export const countPages = (tx: Tx, id: string, { all = 0, ready = 0, failed = 0 }: PageCounts): void =>
  tx.queue(COUNT_PAGES, [uuidOf('doc', id), all, ready, failed])

/** How many more, or fewer. */
export interface PageCounts {
  all?: number
  ready?: number
  failed?: number
}

/** Sets the properties that are known once the file has been read. */
export function describeDocument(
  tx: Tx,
  id: string,
  found: Pick<Document, 'file_id' | 'media_type' | 'size_bytes' | 'sha256' | 'page_count' | 'warnings'>,
): void {
  const { file_id, media_type, size_bytes, sha256, page_count, warnings } = found
  const changes = { file_id, media_type, size_bytes, sha256, page_count, warnings }
  tx.queue(...updateRows('documents', changes, { where: OWN, values: [uuidOf('doc', id)] }))
}

/** `page_count`: of the file, where there is one. */
export function concludeDocument(
  tx: Tx,
  id: string,
  { language, warnings, page_count }: Pick<Document, 'language' | 'warnings'> & { page_count: number | null },
): void {
  tx.queue(CONCLUDE, [uuidOf('doc', id), language, JSON.stringify(warnings), page_count])
}

/** A job reads it again. */
export async function beginDocument(tx: Tx, id: string, job_id: string): Promise<DocumentRow> {
  return tx.one<DocumentRow>(BEGIN, [uuidOf('doc', id), uuidOf('job', job_id)])
}

/**
 * Locks the hash until the transaction ends, so that concurrent requests with the same bytes check one after another.
 */
export async function findDuplicate(tx: Tx, sha256: string): Promise<DocumentRow | null> {
  tx.queue(LOCK_BYTES, [sha256])
  return tx.find<DocumentRow>(FIND_DUPLICATE, [sha256])
}

export async function updateState(tx: Tx, id: string, state: Pick<Document, 'status' | 'error'>): Promise<DocumentRow> {
  return tx.one<DocumentRow>(...updateRows('documents', { status: state.status, error: state.error }, changing(id)))
}

/** Documents that were attached to these. */
export async function listAttached(db: Reader, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.rows<{ id: string }>(LIST_ATTACHED, [ids.map((id) => uuidOf('doc', id))])
  return rows.map(({ id }) => id)
}

/** Gone for every read; the row waits to be purged. */
export const deleteDocument = (tx: Tx, id: string): void => tx.queue(DELETE, [uuidOf('doc', id)])

export async function isDeleted(tx: Tx, id: string): Promise<boolean> {
  return (await tx.find(FIND_DELETED, [uuidOf('doc', id)])) !== null
}

export async function purgeDocument(tx: Tx, id: string): Promise<boolean> {
  return (await tx.find(PURGE, [uuidOf('doc', id)])) !== null
}

export interface DocumentFilters extends TimeFilters, ChangeFilters {
  project_id?: string
  parent_document_id?: string
  external_id?: string
  status?: string
}

export function listDocuments(db: Reader, filters: DocumentFilters, page: PageRequest): Promise<DocumentRow[]> {
  const conditions: Condition[] = [
    ['deleted_at is null'],
    ...createdBetween(filters),
    ...changedAs(filters),
    ...idIn('project_id', 'proj', filters.project_id),
    ...idIn('parent_document_id', 'doc', filters.parent_document_id),
  ]
  if (filters.external_id !== undefined) conditions.push(['external_id = $', filters.external_id])
  if (filters.status !== undefined) conditions.push(['status = any($)', filters.status])
  return listRows<DocumentRow>(
    db,
    { table: 'documents', columns: COLUMNS, prefix: 'doc', key: 'id', project: 'project_id' },
    conditions,
    page,
  )
}

/** Ids are in the order of creation, so a project's oldest documents come first in its index. */
const EXPIRED = `(select tenant_id, id from documents where expires_at < now() and deleted_at is null order by expires_at limit $1)
  union
  (select old.tenant_id, old.id from projects p cross join lateral (
    select d.tenant_id, d.id from documents d where d.tenant_id = p.tenant_id and d.project_id = p.id and d.deleted_at is null
    and d.id < rpad(lpad(to_hex(greatest(0, extract(epoch from now() - make_interval(days => p.retention_days::int)) * 1000)::bigint), 12, '0'), 32, '0')::uuid
    order by d.id limit $1
  ) old where p.retention_days is not null limit $1)
  limit $1`

/** Across all tenants, for the system. `tenant` is a uuid. */
export async function listExpired(system: pg.Pool, limit: number): Promise<{ tenant: string; id: string }[]> {
  const { rows } = await system.query<{ tenant_id: string; id: string }>(EXPIRED, [limit])
  return rows.map((row) => ({ tenant: row.tenant_id, id: toId('doc', row.id) }))
}

export type KnownDocument = Pick<DocumentRow, 'id' | 'project_id' | 'title' | 'status' | 'page_count'>
/** Those of the ids that exist and are visible. */
export const listDocumentsById = (db: Reader, ids: readonly string[]): Promise<KnownDocument[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.rows<KnownDocument>(FIND_MANY, [ids.map((id) => uuidOf('doc', id))])
