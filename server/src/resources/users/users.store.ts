import type { User } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { type Condition, createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { columnsOf, expression, insertInto, type RowOf, updateRows } from '../../db/tables.ts'
import { emailKey } from '../../lib/email.ts'
import { timeOfUuid, uuidOf } from '../../lib/ids.ts'

export type UserRow = RowOf<'users', User, 'status'>
export type UserFields = Pick<UserRow, 'name' | 'role' | 'project_access' | 'status' | 'metadata'>
export interface NewUserRow extends Omit<UserFields, 'status'> {
  /** uuid. */
  id: string
  email: string
  password_hash: string | null
  signed_in_at: Date | null
}
/** A caller that is limited to projects may not see itself by them. */
export interface LockedUser {
  id: string
  is_self: boolean
}
export interface UserFilters extends TimeFilters {
  role?: string
  email?: string
}

const COLUMNS = `'user' as object, case when suspended_at is null then 'active' else 'suspended' end as status,
  ${columnsOf('users', ['email_key', 'password_hash', 'suspended_at'])}`
// A caller limited to projects sees only the members of these projects.
const IS_VISIBLE = `($2::uuid[] is null or exists (
  select from project_members m where m.tenant_id = $1 and m.user_id = users.id and m.project_id = any($2)))`
const ANY = 'tenant_id = $1 and id = $3'
const OWN = `${ANY} and ${IS_VISIBLE}`

const FIND = sql(`select ${COLUMNS} from users where ${OWN}`, 'usr')
const FIND_ANY = sql(`select ${COLUMNS} from users where ${ANY}`, 'usr')
const LOCK = sql(`select ${COLUMNS} from users where ${OWN} for no key update`, 'usr')
const LOCK_ANY = sql(`select ${COLUMNS} from users where ${ANY} for no key update`, 'usr')
const LOCK_OWNERS = sql(
  `select id from users where tenant_id = $1 and role = 'owner' and suspended_at is null order by id for no key update`,
  'usr',
)
const FIND_BY_EMAIL = sql(`select id from users where tenant_id = $1 and email_key = $3 and ${IS_VISIBLE}`, 'usr')
const HAS_EMAIL = sql(`select exists (select from users where tenant_id = $1 and email_key = $3) as found`)
const DELETE = sql(`delete from users where ${OWN}`)
const DELETE_ANY = sql(`delete from users where ${ANY}`)
const NOTIFY = sql(`select pg_notify('octavo_keys', $3)`)

export const findUser = (db: Reader, id: string): Promise<UserRow | null> => db.find<UserRow>(FIND, [uuidOf('usr', id)])
/** A caller limited to projects may be a member of none, and still sees itself. */
export const findSelf = (db: Reader, id: string): Promise<UserRow | null> =>
  db.allProjects((reader) => reader.find<UserRow>(FIND_ANY, [uuidOf('usr', id)]))
export const lockUser = (tx: Tx, id: string): Promise<UserRow | null> => tx.find<UserRow>(LOCK, [uuidOf('usr', id)])
export const lockSelf = (tx: Tx, id: string): Promise<UserRow | null> =>
  tx.allProjects((reader) => reader.find<UserRow>(LOCK_ANY, [uuidOf('usr', id)]))

/** The ids of the active owners. Always locked before a single user, and in one order. */
export async function lockOwners(tx: Tx): Promise<string[]> {
  return (await tx.rows<{ id: string }>(LOCK_OWNERS)).map(({ id }) => id)
}

export async function findIdByEmail(db: Reader, email: string): Promise<string | null> {
  return (await db.find<{ id: string }>(FIND_BY_EMAIL, [emailKey(email)]))?.id ?? null
}

/** Also true for a user that the caller cannot see: an address belongs to one user of the tenant. */
export const hasEmail = (db: Reader, email: string): Promise<boolean> =>
  db.allProjects(async (reader) => (await reader.one<{ found: boolean }>(HAS_EMAIL, [emailKey(email)])).found)

/** null: the address is taken. */
export async function insertUser(tx: Tx, row: NewUserRow): Promise<UserRow | null> {
  const created_at = timeOfUuid(row.id)
  const values = { ...row, email_key: emailKey(row.email), created_at, updated_at: created_at }
  const tail = `on conflict (tenant_id, email_key) do nothing returning ${COLUMNS}`
  return tx.find<UserRow>(...insertInto('users', values, { prefix: 'usr', tail }))
}

export async function updateUser(
  tx: Tx,
  { id, is_self }: LockedUser,
  { status, ...fields }: UserFields,
): Promise<UserRow> {
  const target = { where: is_self ? ANY : OWN, values: [uuidOf('usr', id)], prefix: 'usr', returning: COLUMNS } as const
  const suspended_at = status === 'suspended' ? expression('coalesce(suspended_at, now())') : null
  const update = (reader: Reader) => reader.one<UserRow>(...updateRows('users', { ...fields, suspended_at }, target))
  return is_self ? tx.allProjects(update) : update(tx)
}

export async function deleteUser(tx: Tx, { id, is_self }: LockedUser): Promise<void> {
  if (is_self) await tx.allProjects((reader) => reader.rows(DELETE_ANY, [uuidOf('usr', id)]))
  else tx.queue(DELETE, [uuidOf('usr', id)])
}

/** Every process forgets the credentials of the user when this transaction commits. */
export const notifyChange = (tx: Tx, id: string): void => tx.queue(NOTIFY, [uuidOf('usr', id)])

export function listUsers(db: Reader, filters: UserFilters, page: PageRequest): Promise<UserRow[]> {
  const source = { table: 'users', columns: COLUMNS, prefix: 'usr', key: 'id', visible: IS_VISIBLE } as const
  const conditions: Condition[] = [...createdBetween(filters)]
  if (filters.role !== undefined) conditions.push(['role = $', filters.role])
  if (filters.email !== undefined) conditions.push(['email_key = $', emailKey(filters.email)])
  return listRows<UserRow>(db, source, conditions, page)
}
