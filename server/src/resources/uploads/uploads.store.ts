import type { Upload } from '@octavo/contract'
import type pg from 'pg'
import type { Reader, Tx } from '../../db/database.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import { type Condition, createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { timeOfUuid, toId, uuidOf } from '../../lib/ids.ts'

/** Where the bytes go. Ids are uuids. */
interface Place {
  object_id: string
  /** The store's name for an upload in parts; null: one PUT. */
  parts_upload: string | null
  part_bytes: number | null
}
export type UploadRow = Omit<Upload, 'put' | 'parts'> & Place & { version: number }
export type NewUploadRow = Pick<
  Upload,
  'id' | 'project_id' | 'file_name' | 'media_type' | 'size_bytes' | 'sha256' | 'metadata'
> &
  Place

const COLUMNS = `id, 'upload' as object, project_id, file_name, media_type, size_bytes, sha256, status, document_id, expires_at,
  object_id, parts_upload, part_bytes, metadata, version, created_at, updated_at`
const OWN = 'tenant_id = $1 and id = $3 and ($2::uuid[] is null or project_id = any($2))'

const FIND = sql(`select ${COLUMNS} from uploads where ${OWN}`, 'upl')
const LOCK = sql(`select ${COLUMNS} from uploads where ${OWN} for no key update`, 'upl')
const INSERT = sql(
  `insert into uploads (tenant_id, id, project_id, file_name, media_type, size_bytes, sha256, status, object_id, parts_upload, part_bytes, expires_at, metadata, created_at, updated_at)
  values ($1, $3, $4, $5, $6, $7, $8, 'pending', $9, $10, $11, $12::timestamptz + interval '24 hours', $13, $12, $12) returning ${COLUMNS}`,
  'upl',
)
const COMPLETE = sql(
  `update uploads set status = 'completed', document_id = $4, version = version + 1, updated_at = greatest(now(), created_at)
  where ${OWN} and status = 'pending' returning ${COLUMNS}`,
  'upl',
)
const VISIBLE = sql(
  `select id from uploads where tenant_id = $1 and id = any($3::uuid[]) and ($2::uuid[] is null or project_id = any($2))`,
  'upl',
)
const DELETE = sql(`delete from uploads where ${OWN}`)
const DELETE_OF_DOCUMENT = sql(`delete from uploads where tenant_id = $1 and document_id = $3`)

export const findUpload = (db: Reader, id: string): Promise<UploadRow | null> =>
  db.find<UploadRow>(FIND, [uuidOf('upl', id)])
export const lockUpload = (tx: Tx, id: string): Promise<UploadRow | null> =>
  tx.find<UploadRow>(LOCK, [uuidOf('upl', id)])

export async function listVisibleUploads(db: Reader, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(VISIBLE, [ids.map((id) => uuidOf('upl', id))])
  return rows.map((row) => row.id)
}

export async function insertUpload(tx: Tx, row: NewUploadRow): Promise<UploadRow | 'no_project'> {
  const id = uuidOf('upl', row.id)
  const project = row.project_id === null ? null : uuidOf('proj', row.project_id)
  const { file_name, media_type, size_bytes, sha256, object_id, parts_upload, part_bytes, metadata } = row
  const values = [
    id,
    project,
    file_name,
    media_type,
    size_bytes,
    sha256,
    object_id,
    parts_upload,
    part_bytes,
    timeOfUuid(id),
    metadata,
  ]
  try {
    return (await tx.find<UploadRow>(INSERT, values))!
  } catch (error) {
    if (isForeignKeyViolation(error, 'uploads_project')) return 'no_project'
    throw error
  }
}

/** null: another request has used it. */
export const completeUpload = (tx: Tx, id: string, document_id: string): Promise<UploadRow | null> =>
  tx.find<UploadRow>(COMPLETE, [uuidOf('upl', id), uuidOf('doc', document_id)])

export const deleteUpload = (tx: Tx, id: string): void => tx.queue(DELETE, [uuidOf('upl', id)])
export const deleteOfDocument = (tx: Tx, document_id: string): void =>
  tx.queue(DELETE_OF_DOCUMENT, [uuidOf('doc', document_id)])

export interface UploadFilters extends TimeFilters {
  status?: string
}

export function listUploads(db: Reader, filters: UploadFilters, page: PageRequest): Promise<UploadRow[]> {
  const conditions: Condition[] = createdBetween(filters)
  if (filters.status !== undefined) conditions.push(['status = any($)', filters.status])
  return listRows<UploadRow>(
    db,
    { table: 'uploads', columns: COLUMNS, prefix: 'upl', key: 'id', project: 'project_id' },
    conditions,
    page,
  )
}

/** Across all tenants, for the system. `tenant` is a uuid. */
export async function listExpired(system: pg.Pool, limit: number): Promise<{ tenant: string; id: string }[]> {
  const { rows } = await system.query<{ tenant_id: string; id: string }>(
    `select tenant_id, id from uploads where status = 'pending' and expires_at < now() order by expires_at limit $1`,
    [limit],
  )
  return rows.map((row) => ({ tenant: row.tenant_id, id: toId('upl', row.id) }))
}
