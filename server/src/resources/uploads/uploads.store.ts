import type { Upload } from '@octavo/contract'
import type pg from 'pg'
import type { Reader, Tx } from '../../db/database.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import { type Condition, createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { CHANGED, columnsOf, expression, insertInto, type RowOf } from '../../db/tables.ts'
import { timeOfUuid, toId, uuidOf } from '../../lib/ids.ts'

/** Where the bytes go. Ids are uuids. */
interface UploadPlace {
  object_id: string
  /** The store's name for an upload in parts; null: one PUT. */
  parts_upload: string | null
  part_bytes: number | null
}
export type UploadRow = RowOf<'uploads', Omit<Upload, 'put' | 'parts'> & UploadPlace>
export type NewUploadRow = Pick<
  Upload,
  'id' | 'project_id' | 'file_name' | 'media_type' | 'size_bytes' | 'sha256' | 'metadata'
> &
  UploadPlace

const COLUMNS = `'upload' as object, ${columnsOf('uploads')}`
const OWN = 'tenant_id = $1 and id = $3 and ($2::uuid[] is null or project_id = any($2))'

const FIND = sql(`select ${COLUMNS} from uploads where ${OWN}`, 'upl')
const LOCK = sql(`select ${COLUMNS} from uploads where ${OWN} for no key update`, 'upl')
const COMPLETE = sql(
  `update uploads set status = 'completed', document_id = $4, ${CHANGED}
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
  const created_at = timeOfUuid(uuidOf('upl', row.id))
  const expires_at = expression(`$::timestamptz + interval '24 hours'`, created_at)
  const values = { ...row, status: 'pending', expires_at, created_at, updated_at: created_at }
  try {
    return await tx.one<UploadRow>(...insertInto('uploads', values, { prefix: 'upl', tail: `returning ${COLUMNS}` }))
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
