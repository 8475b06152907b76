import type { Project } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql, type Value } from '../../db/statement.ts'
import { newUuid, timeOfUuid, uuidOf } from '../../lib/ids.ts'

export type ProjectRow = Project & { version: number }
export type ProjectFields = Pick<
  Project,
  'name' | 'description' | 'retention_days' | 'privacy' | 'default_processing' | 'metadata'
>

const COUNT = `(select count(*) from documents d where d.tenant_id = $1 and d.project_id = p.id and d.deleted_at is null) as document_count`
const columns = (count: string): string =>
  `p.id, 'project' as object, p.name, p.description, p.retention_days, p.privacy, p.default_processing, ${count}, p.metadata, p.version, p.created_at, p.updated_at`
const COLUMNS = columns(COUNT)
const OWN = 'p.tenant_id = $1 and p.id = $3 and ($2::uuid[] is null or p.id = any($2))'

const FIND = sql(`select ${COLUMNS} from projects p where ${OWN}`, 'proj')
const LOCK = sql(`select ${COLUMNS} from projects p where ${OWN} for no key update`, 'proj')
// Adding a document to the project locks the project's row, so a deletion waits for it and then sees the document.
const LOCK_WHOLE = sql(`select ${columns('0 as document_count')} from projects p where ${OWN} for update`, 'proj')
const FIND_DOCUMENT = sql(
  `select id from documents where tenant_id = $1 and project_id = $3 and deleted_at is null
  and ($2::uuid[] is null or project_id = any($2)) limit 1`,
  'doc',
)
const INSERT = sql(
  `insert into projects as p (tenant_id, id, name, description, retention_days, privacy, default_processing, metadata, created_at, updated_at)
  values ($1, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning ${columns('0 as document_count')}`,
  'proj',
)
const UPDATE = sql(
  `update projects p set name = $4, description = $5, retention_days = $6, privacy = $7, default_processing = $8, metadata = $9, version = version + 1, updated_at = greatest(now(), created_at) where ${OWN} returning ${COLUMNS}`,
  'proj',
)
const DELETE = sql(`delete from projects p where ${OWN}`)
const VISIBLE = sql(
  `select p.id from projects p where p.tenant_id = $1 and p.id = any($3::uuid[]) and ($2::uuid[] is null or p.id = any($2))`,
  'proj',
)

const LOCAL_ONLY = sql(
  `select p.id from projects p where p.tenant_id = $1 and p.id = any($3::uuid[]) and p.privacy = 'local_only'`,
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
const valuesOf = (fields: ProjectFields): Value[] => [
  fields.name,
  fields.description,
  fields.retention_days,
  fields.privacy,
  fields.default_processing,
  fields.metadata,
]

export async function insertProject(tx: Tx, fields: ProjectFields): Promise<ProjectRow> {
  const id = newUuid()
  return (await tx.find<ProjectRow>(INSERT, [id, ...valuesOf(fields), timeOfUuid(id)]))!
}

export async function updateProject(tx: Tx, id: string, fields: ProjectFields): Promise<ProjectRow> {
  return (await tx.find<ProjectRow>(UPDATE, [uuidOf('proj', id), ...valuesOf(fields)]))!
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

export function listProjects(db: Reader, filters: TimeFilters, page: PageRequest): Promise<ProjectRow[]> {
  return listRows<ProjectRow>(
    db,
    { table: 'projects p', columns: COLUMNS, prefix: 'proj', key: 'id', project: 'id' },
    createdBetween(filters),
    page,
  )
}
