import type { Member } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import { createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { columnsOf, insertInto, type RowOf, updateRows } from '../../db/tables.ts'
import { newUuid, timeOfUuid, uuidOf } from '../../lib/ids.ts'

export type MemberRow = RowOf<'project_members', Member>
export interface MemberPlace {
  project_id: string
  member_id: string
}

const COLUMNS = `'member' as object, ${columnsOf('project_members')}`
const IN_VISIBLE_PROJECT = '($2::uuid[] is null or project_id = any($2))'
const OWN = `tenant_id = $1 and project_id = $3 and id = $4 and ${IN_VISIBLE_PROJECT}`

const FIND = sql(`select ${COLUMNS} from project_members where ${OWN}`, 'mem')
const LOCK = sql(`select ${COLUMNS} from project_members where ${OWN} for no key update`, 'mem')
const FIND_OF_USER = sql(
  `select id from project_members where tenant_id = $1 and project_id = $3 and user_id = $4 and ${IN_VISIBLE_PROJECT}`,
  'mem',
)
const INSERT_EXISTING = sql(
  `insert into project_members (tenant_id, id, project_id, user_id, created_at, updated_at)
  select $1, n.id, n.project_id, $5, $6, $6 from unnest($3::uuid[], $4::uuid[]) as n (id, project_id)
  join projects p on p.tenant_id = $1 and p.id = n.project_id for key share of p`,
)
const DELETE = sql(`delete from project_members where ${OWN}`)

const place = ({ project_id, member_id }: MemberPlace): string[] => [
  uuidOf('proj', project_id),
  uuidOf('mem', member_id),
]

export const findMember = (db: Reader, at: MemberPlace): Promise<MemberRow | null> =>
  db.find<MemberRow>(FIND, place(at))
export const lockMember = (tx: Tx, at: MemberPlace): Promise<MemberRow | null> => tx.find<MemberRow>(LOCK, place(at))

export async function findIdOfUser(db: Reader, project_id: string, user_id: string): Promise<string | null> {
  const values = [uuidOf('proj', project_id), uuidOf('usr', user_id)]
  return (await db.find<{ id: string }>(FIND_OF_USER, values))?.id ?? null
}

/** `gone`: the project or the user was deleted in the meantime. */
export async function insertMember(
  tx: Tx,
  row: Pick<MemberRow, 'project_id' | 'user_id' | 'metadata'>,
): Promise<MemberRow | 'taken' | 'gone'> {
  const id = newUuid()
  const created_at = timeOfUuid(id)
  const tail = `on conflict (tenant_id, project_id, user_id) do nothing returning ${COLUMNS}`
  const values = { ...row, id, created_at, updated_at: created_at }
  try {
    return (await tx.find<MemberRow>(...insertInto('project_members', values, { prefix: 'mem', tail }))) ?? 'taken'
  } catch (error) {
    if (isForeignKeyViolation(error)) return 'gone'
    throw error
  }
}

/** Those of the projects that still exist. */
export function insertMemberships(tx: Tx, user_id: string, project_ids: readonly string[]): void {
  const ids = project_ids.map(() => newUuid())
  const projects = project_ids.map((id) => uuidOf('proj', id))
  tx.queue(INSERT_EXISTING, [ids, projects, uuidOf('usr', user_id), new Date()])
}

export async function updateMember(tx: Tx, at: MemberPlace, fields: Pick<MemberRow, 'metadata'>): Promise<MemberRow> {
  const target = { where: OWN, values: place(at), prefix: 'mem', returning: COLUMNS } as const
  return tx.one<MemberRow>(...updateRows('project_members', fields, target))
}

export const deleteMember = (tx: Tx, at: MemberPlace): void => tx.queue(DELETE, place(at))

export function listMembers(
  db: Reader,
  project_id: string,
  filters: TimeFilters,
  page: PageRequest,
): Promise<MemberRow[]> {
  const source = {
    table: 'project_members',
    columns: COLUMNS,
    prefix: 'mem',
    key: 'id',
    visible: IN_VISIBLE_PROJECT,
  } as const
  const conditions = [['project_id = $', uuidOf('proj', project_id)] as const, ...createdBetween(filters)]
  return listRows<MemberRow>(db, source, conditions, page)
}
