import type { Document } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../db/errors.ts'
import { type Condition, createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { newUuid, timeOfUuid, uuidOf } from '../../lib/ids.ts'

export type DocumentRow = Document & { version: number }
export type DocumentFields = Pick<Document, 'title' | 'external_id' | 'metadata'>
export type NewDocumentRow = DocumentFields &
  Pick<Document, 'project_id' | 'source' | 'media_type' | 'size_bytes' | 'sha256' | 'page_count'>

const COLUMNS = `id, 'document' as object, title, project_id, external_id, source, status, media_type, size_bytes, sha256,
  page_count, pages_ready, pages_failed, warnings, error, metadata, version, created_at, updated_at`
const OWN = 'tenant_id = $1 and id = $3 and ($2::uuid[] is null or project_id = any($2))'

const FIND = sql(`select ${COLUMNS} from documents where ${OWN}`, 'doc')
const LOCK = sql(`select ${COLUMNS} from documents where ${OWN} for no key update`, 'doc')
const FIND_EXTERNAL = sql(
  `select id from documents where tenant_id = $1 and external_id = $3 and ($2::uuid[] is null or project_id = any($2))`,
  'doc',
)
const INSERT = sql(
  `insert into documents (tenant_id, id, project_id, title, external_id, source, status, media_type, size_bytes, sha256, page_count, pages_ready, pages_failed, metadata, created_at, updated_at)
  values ($1, $3, $4, $5, $6, $7, 'ready', $8, $9, $10, $11, $11, 0, $12, $13, $13)
  on conflict (tenant_id, external_id) where external_id is not null do nothing returning ${COLUMNS}`,
  'doc',
)
const UPDATE = sql(
  `update documents set title = $4, external_id = $5, metadata = $6, version = version + 1, updated_at = greatest(now(), created_at) where ${OWN} returning ${COLUMNS}`,
  'doc',
)
const COUNT_PAGES = sql(
  `update documents set page_count = page_count + $4, pages_ready = pages_ready + $4, version = version + 1, updated_at = greatest(now(), created_at) where ${OWN}`,
)
const DELETE = sql(`delete from documents where ${OWN}`)

export const findDocument = (db: Reader, id: string): Promise<DocumentRow | null> => db.find<DocumentRow>(FIND, [uuidOf('doc', id)])
export const lockDocument = (tx: Tx, id: string): Promise<DocumentRow | null> => tx.find<DocumentRow>(LOCK, [uuidOf('doc', id)])
export const findExternal = (db: Reader, external_id: string): Promise<{ id: string } | null> =>
  db.find<{ id: string }>(FIND_EXTERNAL, [external_id])

/** The external id may be taken by a document that the caller may not see. */
export async function insertDocument(tx: Tx, row: NewDocumentRow): Promise<DocumentRow | 'taken' | 'no_project'> {
  const id = newUuid()
  const project_id = row.project_id === null ? null : uuidOf('proj', row.project_id)
  const { title, external_id, source, media_type, size_bytes, sha256, page_count, metadata } = row
  const values = [id, project_id, title, external_id, source, media_type, size_bytes, sha256, page_count, metadata, timeOfUuid(id)]
  try {
    return (await tx.find<DocumentRow>(INSERT, values)) ?? 'taken'
  } catch (error) {
    if (isForeignKeyViolation(error, 'documents_project')) return 'no_project'
    throw error
  }
}

/** The transaction cannot go on after `taken`: somebody else was quicker than the look before. */
export async function updateDocument(tx: Tx, id: string, fields: DocumentFields): Promise<DocumentRow | 'taken'> {
  try {
    return (await tx.find<DocumentRow>(UPDATE, [uuidOf('doc', id), fields.title, fields.external_id, fields.metadata]))!
  } catch (error) {
    if (isUniqueViolation(error, 'documents_external_id')) return 'taken'
    throw error
  }
}

/** A change of its pages is a change of the document. */
export const countPages = (tx: Tx, id: string, more: number): void => tx.later(COUNT_PAGES, [uuidOf('doc', id), more])
export const deleteDocument = (tx: Tx, id: string): void => tx.later(DELETE, [uuidOf('doc', id)])

export interface DocumentFilters extends TimeFilters {
  project_id?: string
  external_id?: string
  status?: string
}

export function listDocuments(db: Reader, filters: DocumentFilters, page: PageRequest): Promise<DocumentRow[]> {
  const conditions: Condition[] = createdBetween(filters)
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
