import type { Project } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import {
  type ChangeFilters,
  changedAs,
  createdBetween,
  listRows,
  type PageRequest,
  type TimeFilters,
} from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { columnsOf, insertInto, type RowOf, updateRows } from '../../db/tables.ts'
import { newUuid, timeOfUuid, uuidOf } from '../../lib/ids.ts'

export type ProjectRow = RowOf<'projects', Project, 'document_count'>
export type ProjectFields = Pick<
  Project,
  'name' | 'description' | 'retention_days' | 'privacy' | 'default_processing' | 'metadata'
>

const COUNT = `(select count(*) from documents d where d.tenant_id = $1 and d.project_id = projects.id and d.deleted_at is null) as document_count`
const columns = (count: string): string => `'project' as object, ${count}, ${columnsOf('projects')}`
const COLUMNS = columns(COUNT)
const OWN = 'tenant_id = $1 and id = $3 and ($2::uuid[] is null or id = any($2))'

const FIND = sql(`select ${COLUMNS} from projects where ${OWN}`, 'proj')
const LOCK = sql(`select ${COLUMNS} from projects where ${OWN} for no key update`, 'proj')
// Adding a document to the project locks the project's row, so a deletion waits for it and then sees the document.
const LOCK_WHOLE = sql(`select ${columns('0 as document_count')} from projects where ${OWN} for update`, 'proj')
const FIND_DOCUMENT = sql(
  `select id from documents where tenant_id = $1 and project_id = $3 and deleted_at is null
  and ($2::uuid[] is null or project_id = any($2)) limit 1`,
  'doc',
)
const DELETE = sql(`delete from projects where ${OWN}`)
const VISIBLE = sql(
  `select id from projects where tenant_id = $1 and id = any($3::uuid[]) and ($2::uuid[] is null or id = any($2))`,
  'proj',
)

const LOCAL_ONLY = sql(
  `select id from projects where tenant_id = $1 and id = any($3::uuid[]) and privacy = 'local_only'`,
  'proj',
)

/** Includes projects that the caller does not see, because this decides whether a text may leave the installation. */
export async function listLocalOnly(db: Reader, ids: readonly string[]): Promise<string[]> {
  const rows = await db.allProjects((reader) =>
    reader.rows<{ id: string }>(LOCAL_ONLY, [ids.map((id) => uuidOf('proj', id))]),
  )
  return rows.map((row) => row.id)
}

export const findProject = (db: Reader, id: string): Promise<ProjectRow | null> =>
  db.find<ProjectRow>(FIND, [uuidOf('proj', id)])
export const lockProject = (tx: Tx, id: string): Promise<ProjectRow | null> =>
  tx.find<ProjectRow>(LOCK, [uuidOf('proj', id)])

export const lockWhole = (tx: Tx, id: string): Promise<ProjectRow | null> =>
  tx.find<ProjectRow>(LOCK_WHOLE, [uuidOf('proj', id)])

export async function insertProject(tx: Tx, fields: ProjectFields): Promise<ProjectRow> {
  const id = newUuid()
  const created_at = timeOfUuid(id)
  const row = { ...fields, id, created_at, updated_at: created_at }
  const tail = `returning ${columns('0 as document_count')}`
  return tx.one<ProjectRow>(...insertInto('projects', row, { prefix: 'proj', tail }))
}

export async function updateProject(tx: Tx, id: string, fields: ProjectFields): Promise<ProjectRow> {
  const target = { where: OWN, values: [uuidOf('proj', id)], prefix: 'proj', returning: COLUMNS } as const
  return tx.one<ProjectRow>(...updateRows('projects', fields, target))
}

export async function hasDocuments(tx: Tx, id: string): Promise<boolean> {
  return (await tx.find(FIND_DOCUMENT, [uuidOf('proj', id)])) !== null
}

export const deleteProject = (tx: Tx, id: string): void => tx.queue(DELETE, [uuidOf('proj', id)])

/** Those of the ids that exist and are visible. */
export async function listVisibleProjects(db: Reader, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(VISIBLE, [ids.map((id) => uuidOf('proj', id))])
  return rows.map((row) => row.id)
}

export function listProjects(
  db: Reader,
  filters: TimeFilters & ChangeFilters,
  page: PageRequest,
): Promise<ProjectRow[]> {
  return listRows<ProjectRow>(
    db,
    { table: 'projects', columns: COLUMNS, prefix: 'proj', key: 'id', project: 'id' },
    [...createdBetween(filters), ...changedAs(filters)],
    page,
  )
}
