import type { Project } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import { createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { newUuid, timeOfUuid, uuidOf } from '../../lib/ids.ts'

export type ProjectRow = Project & { version: number }
export type ProjectFields = Pick<Project, 'name' | 'description' | 'metadata'>

const COUNT = `(select count(*) from documents d where d.tenant_id = $1 and d.project_id = p.id) as document_count`
const COLUMNS = `p.id, 'project' as object, p.name, p.description, ${COUNT}, p.metadata, p.version, p.created_at, p.updated_at`
const OWN = 'p.tenant_id = $1 and p.id = $3 and ($2::uuid[] is null or p.id = any($2))'

const FIND = sql(`select ${COLUMNS} from projects p where ${OWN}`, 'proj')
const LOCK = sql(`select ${COLUMNS} from projects p where ${OWN} for no key update`, 'proj')
const INSERT = sql(
  `insert into projects as p (tenant_id, id, name, description, metadata, created_at, updated_at) values ($1, $3, $4, $5, $6, $7, $7)
  returning p.id, 'project' as object, p.name, p.description, 0 as document_count, p.metadata, p.version, p.created_at, p.updated_at`,
  'proj',
)
const UPDATE = sql(
  `update projects p set name = $4, description = $5, metadata = $6, version = version + 1, updated_at = greatest(now(), created_at) where ${OWN} returning ${COLUMNS}`,
  'proj',
)
const DELETE = sql(`delete from projects p where ${OWN}`)
const VISIBLE = sql(
  `select p.id from projects p where p.tenant_id = $1 and p.id = any($3::uuid[]) and ($2::uuid[] is null or p.id = any($2))`,
  'proj',
)

export const findProject = (db: Reader, id: string): Promise<ProjectRow | null> => db.find<ProjectRow>(FIND, [uuidOf('proj', id)])
export const lockProject = (tx: Tx, id: string): Promise<ProjectRow | null> => tx.find<ProjectRow>(LOCK, [uuidOf('proj', id)])

export async function insertProject(tx: Tx, fields: ProjectFields): Promise<ProjectRow> {
  const id = newUuid()
  return (await tx.find<ProjectRow>(INSERT, [id, fields.name, fields.description, fields.metadata, timeOfUuid(id)]))!
}

export async function updateProject(tx: Tx, id: string, fields: ProjectFields): Promise<ProjectRow> {
  return (await tx.find<ProjectRow>(UPDATE, [uuidOf('proj', id), fields.name, fields.description, fields.metadata]))!
}

export async function deleteProject(tx: Tx, id: string): Promise<'deleted' | 'in_use'> {
  try {
    await tx.rows(DELETE, [uuidOf('proj', id)])
    return 'deleted'
  } catch (error) {
    // Whatever stands in a project refers to it: each resource's own constraint says so.
    if (isForeignKeyViolation(error)) return 'in_use'
    throw error
  }
}

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
