import type { Document } from '@octavo/contract'
import type pg from 'pg'
import type { Reader, Tx } from '../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../db/errors.ts'
import { type Condition, createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { timeOfUuid, toId, uuidOf } from '../../lib/ids.ts'

export type DocumentRow = Document & { version: number }
export type DocumentFields = Pick<Document, 'title' | 'external_id' | 'metadata'> & { expires_at: Date | null }
export type NewDocumentRow = DocumentFields &
  Pick<Document, 'id' | 'project_id' | 'source' | 'status' | 'media_type' | 'size_bytes' | 'sha256' | 'latest_job_id' | 'page_count'>

const COLUMNS = `id, 'document' as object, title, project_id, external_id, source, status, media_type, size_bytes, sha256,
  expires_at, latest_job_id, page_count, pages_ready, pages_failed, warnings, error, metadata, version, created_at, updated_at`
const OWN = 'tenant_id = $1 and id = $3 and deleted_at is null and ($2::uuid[] is null or project_id = any($2))'

const FIND = sql(`select ${COLUMNS} from documents where ${OWN}`, 'doc')
const LOCK = sql(`select ${COLUMNS} from documents where ${OWN} for no key update`, 'doc')
const FIND_EXTERNAL = sql(
  `select id from documents where tenant_id = $1 and external_id = $3 and deleted_at is null and ($2::uuid[] is null or project_id = any($2))`,
  'doc',
)
const INSERT = sql(
  `insert into documents (tenant_id, id, project_id, title, external_id, source, status, media_type, size_bytes, sha256, expires_at, latest_job_id, page_count, pages_ready, pages_failed, metadata, created_at, updated_at)
  values ($1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0, 0, $15, $16, $16)
  on conflict (tenant_id, external_id) where external_id is not null and deleted_at is null do nothing returning ${COLUMNS}`,
  'doc',
)
const CHANGED = 'version = version + 1, updated_at = greatest(now(), created_at)'
const UPDATE = sql(
  `update documents set title = $4, external_id = $5, expires_at = $6, metadata = $7, ${CHANGED} where ${OWN} returning ${COLUMNS}`,
  'doc',
)
const UPDATE_STATE = sql(`update documents set status = $4, error = $5, ${CHANGED} where ${OWN} returning ${COLUMNS}`, 'doc')
const COUNT_PAGES = sql(`update documents set page_count = page_count + $4, pages_ready = pages_ready + $4, ${CHANGED} where ${OWN}`)
const ADD_READY_PAGES = sql(`update documents set page_count = page_count - $5, pages_ready = pages_ready + $4, ${CHANGED} where ${OWN}`)
const DELETE = sql(`update documents set deleted_at = now(), external_id = null, ${CHANGED} where ${OWN}`)
const DELETED = 'tenant_id = $1 and id = $3 and deleted_at is not null and ($2::uuid[] is null or project_id = any($2))'
const FIND_DELETED = sql(`select id from documents where ${DELETED}`, 'doc')
const PURGE = sql(`delete from documents where ${DELETED} returning id`, 'doc')

export const findDocument = (db: Reader, id: string): Promise<DocumentRow | null> => db.find<DocumentRow>(FIND, [uuidOf('doc', id)])
export const lockDocument = (tx: Tx, id: string): Promise<DocumentRow | null> => tx.find<DocumentRow>(LOCK, [uuidOf('doc', id)])
export const findExternal = (db: Reader, external_id: string): Promise<{ id: string } | null> =>
  db.find<{ id: string }>(FIND_EXTERNAL, [external_id])

/** The external id may be taken by a document that the caller may not see. */
export async function insertDocument(tx: Tx, row: NewDocumentRow): Promise<DocumentRow | 'taken' | 'no_project'> {
  const id = uuidOf('doc', row.id)
  const project_id = row.project_id === null ? null : uuidOf('proj', row.project_id)
  const job = row.latest_job_id === null ? null : uuidOf('job', row.latest_job_id)
  const { title, external_id, source, status, media_type, size_bytes, sha256, expires_at, page_count, metadata } = row
  const values = [id, project_id, title, external_id, source, status, media_type, size_bytes, sha256, expires_at, job, page_count]
  try {
    return (await tx.find<DocumentRow>(INSERT, [...values, metadata, timeOfUuid(id)])) ?? 'taken'
  } catch (error) {
    if (isForeignKeyViolation(error, 'documents_project')) return 'no_project'
    throw error
  }
}

/** The transaction cannot go on after `taken`: somebody else was quicker than the look before. */
export async function updateDocument(tx: Tx, id: string, fields: DocumentFields): Promise<DocumentRow | 'taken'> {
  const { title, external_id, expires_at, metadata } = fields
  try {
    return (await tx.find<DocumentRow>(UPDATE, [uuidOf('doc', id), title, external_id, expires_at, metadata]))!
  } catch (error) {
    if (isUniqueViolation(error, 'documents_external_id')) return 'taken'
    throw error
  }
}

/** A change of its pages is a change of the document. */
export const countPages = (tx: Tx, id: string, more: number): void => tx.later(COUNT_PAGES, [uuidOf('doc', id), more])
/** Those whose number was taken meanwhile are lost: they are no pages of the document. */
export const addReadyPages = (tx: Tx, id: string, { ready, lost }: { ready: number; lost: number }): void =>
  tx.later(ADD_READY_PAGES, [uuidOf('doc', id), ready, lost])

export async function updateState(tx: Tx, id: string, state: Pick<Document, 'status' | 'error'>): Promise<DocumentRow> {
  return (await tx.find<DocumentRow>(UPDATE_STATE, [uuidOf('doc', id), state.status, state.error]))!
}

/** Gone for every read; the row waits to be purged. */
export const deleteDocument = (tx: Tx, id: string): void => tx.later(DELETE, [uuidOf('doc', id)])

export async function isDeleted(tx: Tx, id: string): Promise<boolean> {
  return (await tx.find(FIND_DELETED, [uuidOf('doc', id)])) !== null
}

export async function purgeDocument(tx: Tx, id: string): Promise<boolean> {
  return (await tx.find(PURGE, [uuidOf('doc', id)])) !== null
}

export interface DocumentFilters extends TimeFilters {
  project_id?: string
  external_id?: string
  status?: string
}

export function listDocuments(db: Reader, filters: DocumentFilters, page: PageRequest): Promise<DocumentRow[]> {
  const conditions: Condition[] = [['deleted_at is null'], ...createdBetween(filters)]
  if (filters.project_id !== undefined) conditions.push(['project_id = $', uuidOf('proj', filters.project_id)])
  if (filters.external_id !== undefined) conditions.push(['external_id = $', filters.external_id])
  if (filters.status !== undefined) conditions.push(['status = any($)', filters.status])
  return listRows<DocumentRow>(
    db,
    { table: 'documents', columns: COLUMNS, prefix: 'doc', key: 'id', project: 'project_id' },
    conditions,
    page,
  )
}

/** Ids are in the order of creation, so a project's oldest documents stand first in its index. */
const EXPIRED = `(select tenant_id, id from documents where expires_at < now() and deleted_at is null order by expires_at limit $1)
  union
  (select old.tenant_id, old.id from projects p cross join lateral (
    select d.tenant_id, d.id from documents d where d.tenant_id = p.tenant_id and d.project_id = p.id and d.deleted_at is null
    and d.id < rpad(lpad(to_hex(greatest(0, extract(epoch from now() - make_interval(days => p.retention_days::int)) * 1000)::bigint), 12, '0'), 32, '0')::uuid
    order by d.id limit $1
  ) old where p.retention_days is not null limit $1)
  limit $1`

/** Of all tenants, for the system. `tenant` is a uuid. */
export async function listExpired(system: pg.Pool, limit: number): Promise<{ tenant: string; id: string }[]> {
  const { rows } = await system.query<{ tenant_id: string; id: string }>(EXPIRED, [limit])
  return rows.map((row) => ({ tenant: row.tenant_id, id: toId('doc', row.id) }))
}
