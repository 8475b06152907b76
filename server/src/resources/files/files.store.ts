import type { File } from '@octavo/contract'
import type pg from 'pg'
import type { Reader, Tx } from '../../db/database.ts'
import { sql } from '../../db/statement.ts'
import { CHANGED, columnsOf, expression, insertInto, type RowOf, updateRows } from '../../db/tables.ts'
import { timeOfUuid, toId, uuidOf } from '../../lib/ids.ts'

/** `object_id` is the uuid of the bytes in the storage; the API does not return it. */
export type FileRow = RowOf<'files', File & { object_id: string }>
export interface NewFileRow extends Pick<File, 'id' | 'kind' | 'file_name' | 'media_type' | 'size_bytes' | 'sha256'> {
  object_id: string
}
/** The project, and the document or report, that the file belongs to. */
export interface FileOwner {
  project_id: string | null
  document_id: string | null
  report_id: string | null
}

const COLUMNS = `'file' as object, ${columnsOf('files', ['missing_at'])}`
const VISIBLE = '($2::uuid[] is null or project_id = any($2))'

const FIND = sql(
  `select ${COLUMNS} from files where tenant_id = $1 and id = $3 and ${VISIBLE}
  and (document_id is null or exists (select from documents d where d.tenant_id = $1 and d.id = files.document_id and d.deleted_at is null))`,
  'file',
)
/** A file that was sent by itself and that no document uses yet. */
const UNUSED = `tenant_id = $1 and id = $3 and ${VISIBLE} and expires_at is not null`
const USE = sql(
  `update files set document_id = $4, project_id = $5, expires_at = null, ${CHANGED} where ${UNUSED} returning id`,
  'file',
)
const LIST_VISIBLE = sql(
  `select id from files where tenant_id = $1 and id = any($3::uuid[]) and ${VISIBLE} and report_id is null`,
  'file',
)
const DELETE_EXPIRED = sql(`delete from files where ${UNUSED} and expires_at < now() returning ${COLUMNS}`, 'file')
const OF_DOCUMENT = `tenant_id = $1 and document_id = $3 and ${VISIBLE}`
const LIST_OBJECTS = sql(`select id, object_id from files where ${OF_DOCUMENT} limit $4`, 'file')
const LIST_NAMED = sql(
  `select object_id from files where tenant_id = $1 and ${VISIBLE} and object_id = any($3::uuid[])`,
)
const DELETE = sql(`delete from files where ${OF_DOCUMENT} and id = any($4::uuid[])`)
const DELETE_OF_REPORT = sql(
  `delete from files where tenant_id = $1 and report_id = $3 and ${VISIBLE} returning object_id`,
)

export const findFile = (db: Reader, id: string): Promise<FileRow | null> =>
  db.find<FileRow>(FIND, [uuidOf('file', id)])

export function insertFile(tx: Tx, of: FileOwner, row: NewFileRow): void {
  const { id, kind, object_id, file_name, media_type, size_bytes, sha256 } = row
  const { project_id, document_id, report_id } = of
  const bytes = { object_id, file_name, media_type, size_bytes, sha256 }
  const created_at = timeOfUuid(uuidOf('file', id))
  const owner = { project_id, document_id, report_id }
  tx.queue(...insertInto('files', { id, kind, ...owner, ...bytes, created_at, updated_at: created_at }))
}

/** A file without an owner. It is deleted after 24 hours unless a document uses it. */
export async function insertUnused(tx: Tx, project_id: string | null, row: NewFileRow): Promise<FileRow> {
  const created_at = timeOfUuid(uuidOf('file', row.id))
  const expires_at = expression(`$::timestamptz + interval '24 hours'`, created_at)
  const values = { ...row, project_id, expires_at, created_at, updated_at: created_at }
  return tx.one<FileRow>(...insertInto('files', values, { prefix: 'file', tail: `returning ${COLUMNS}` }))
}

/** False if another document uses it. */
export async function useFile(
  tx: Tx,
  id: string,
  document: { id: string; project_id: string | null },
): Promise<boolean> {
  const project_id = document.project_id === null ? null : uuidOf('proj', document.project_id)
  return (await tx.find(USE, [uuidOf('file', id), uuidOf('doc', document.id), project_id])) !== null
}

/** Those of the ids that are visible and could be the file of a document. */
export async function listVisibleFiles(db: Reader, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(LIST_VISIBLE, [ids.map((id) => uuidOf('file', id))])
  return rows.map((row) => row.id)
}

/** Across all tenants, for the system. `tenant` is a uuid. */
export async function listExpired(system: pg.Pool, limit: number): Promise<{ tenant: string; id: string }[]> {
  const { rows } = await system.query<{ tenant_id: string; id: string }>(
    'select tenant_id, id from files where expires_at < now() order by expires_at limit $1',
    [limit],
  )
  return rows.map((row) => ({ tenant: row.tenant_id, id: toId('file', row.id) }))
}

/** null: a document uses it now. */
export const deleteExpired = (tx: Tx, id: string): Promise<FileRow | null> =>
  tx.find<FileRow>(DELETE_EXPIRED, [uuidOf('file', id)])

export const updateFile = (tx: Tx, id: string, { media_type, sha256 }: Pick<File, 'media_type' | 'sha256'>): void =>
  tx.queue(
    ...updateRows(
      'files',
      { media_type, sha256 },
      { where: `tenant_id = $1 and id = $3 and ${VISIBLE}`, values: [uuidOf('file', id)] },
    ),
  )

/** Includes files of deleted documents. */
export const listObjects = (
  db: Reader,
  document_id: string,
  limit: number,
): Promise<{ id: string; object_id: string }[]> => db.rows(LIST_OBJECTS, [uuidOf('doc', document_id), limit])

/** Those of the objects that are the bytes of a file. */
export const listNamed = (db: Reader, object_ids: readonly string[]): Promise<{ object_id: string }[]> =>
  db.rows(LIST_NAMED, [object_ids])

export const deleteFiles = (tx: Tx, document_id: string, ids: readonly string[]): void =>
  tx.queue(DELETE, [uuidOf('doc', document_id), ids.map((id) => uuidOf('file', id))])

export const deleteOfReport = (tx: Tx, report_id: string): Promise<{ object_id: string }[]> =>
  tx.rows(DELETE_OF_REPORT, [uuidOf('rep', report_id)])
