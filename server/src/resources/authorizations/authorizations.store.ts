import type { Authorization, Scope } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { type Condition, createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { columnsOf, insertInto, type RowOf, updateRows } from '../../db/tables.ts'
import type { ClientSubject } from '../../lib/client-ids.ts'
import { newUuid, timeOfUuid, uuidOf } from '../../lib/ids.ts'

export type AuthorizationRow = RowOf<'oauth_grants', Authorization, 'client_name'>

const NAME = `case when client_url is not null then split_part(client_url, '/', 3)
  when client_id is null then 'Octavo command line' else
  coalesce((select c.name from oauth_clients c where c.tenant_id = oauth_grants.tenant_id and c.id = oauth_grants.client_id), '') end`
const COLUMNS = `'authorization' as object, ${NAME} as client_name, ${columnsOf('oauth_grants')}`
/** Grants are outside projects, so a caller limited to projects sees none but those of the user `$4`. */
const VISIBLE = '$2::uuid[] is null'
const OWN = `tenant_id = $1 and id = $3 and (user_id = $4 or ($4::uuid is null and ${VISIBLE}))`

const FIND = sql(`select ${COLUMNS} from oauth_grants where ${OWN} and expires_at > now()`, 'grt')
const LOCK = sql(`select ${COLUMNS} from oauth_grants where ${OWN} for update`, 'grt')
const FIND_FOR = sql(
  `select ${COLUMNS} from oauth_grants where tenant_id = $1 and ${VISIBLE} and user_id = $3
    and (client_id = $4::uuid or client_url = $5) and expires_at > now()
    order by id desc limit 1`,
  'grt',
)
const LOCK_OF_USER = sql(
  `select ${COLUMNS} from oauth_grants where tenant_id = $1 and ${VISIBLE} and user_id = $3 and expires_at > now()
    order by id for update`,
  'grt',
)
const DELETE = sql(`delete from oauth_grants where ${OWN}`)
const NOTIFY = sql(`select pg_notify('octavo_keys', $3)`)

/** `user`: uuid of the only user whose grants count; null: all users. */
export const findGrant = (db: Reader, id: string, user: string | null = null): Promise<AuthorizationRow | null> =>
  db.find<AuthorizationRow>(FIND, [uuidOf('grt', id), user])
export const lockGrant = (tx: Reader, id: string, user: string | null = null): Promise<AuthorizationRow | null> =>
  tx.find<AuthorizationRow>(LOCK, [uuidOf('grt', id), user])

/** All grants of a user, a uuid. */
export const lockGrantsOf = (tx: Reader, user: string): Promise<AuthorizationRow[]> =>
  tx.rows<AuthorizationRow>(LOCK_OF_USER, [user])

/** The newest grant of a user, a uuid, for an application. */
export const findGrantFor = (
  db: Reader,
  user: string,
  { client, client_url }: ClientSubject,
): Promise<AuthorizationRow | null> => db.find<AuthorizationRow>(FIND_FOR, [user, client, client_url])

export interface NewGrant {
  user_id: string
  client_id: string | null
  client_url: string | null
  scopes: readonly Scope[]
  expires_at: Date
}

export function insertGrant(tx: Tx, row: NewGrant, id: string = newUuid()): Promise<AuthorizationRow> {
  const created_at = timeOfUuid(id)
  const values = { ...row, id, created_at, updated_at: created_at }
  return tx.one<AuthorizationRow>(
    ...insertInto('oauth_grants', values, { prefix: 'grt', tail: `returning ${COLUMNS}` }),
  )
}

export function updateGrant(
  tx: Tx,
  id: string,
  fields: { scopes: readonly Scope[]; expires_at: Date },
): Promise<AuthorizationRow> {
  const target = { where: OWN, values: [uuidOf('grt', id), null], prefix: 'grt', returning: COLUMNS } as const
  return tx.one<AuthorizationRow>(...updateRows('oauth_grants', fields, target))
}

export const deleteGrant = (tx: Tx, id: string, user: string | null): void =>
  tx.queue(DELETE, [uuidOf('grt', id), user])

/** Every process forgets the tokens of the grant when this transaction commits. */
export const notifyChange = (tx: Tx, id: string): void => tx.queue(NOTIFY, [uuidOf('grt', id)])

export function listGrants(
  db: Reader,
  filters: TimeFilters,
  page: PageRequest,
  user: string | null,
): Promise<AuthorizationRow[]> {
  const source = { table: 'oauth_grants', columns: COLUMNS, prefix: 'grt', key: 'id', visible: VISIBLE } as const
  const conditions: Condition[] = [...createdBetween(filters), ['expires_at > $', new Date()]]
  if (user !== null) conditions.push(['user_id = $', user])
  return listRows<AuthorizationRow>(db, source, conditions, page)
}
