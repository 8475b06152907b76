// SQL of sign-in: users by address, sessions. Ids are uuids.

import type { Database, Reader, Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import { IDLE_DAYS, SESSION_DAYS } from './sign-in.rules.ts'

/** A user whose tenant is found with the address. */
export interface UserByEmail {
  tenant: string
  user: string
  password_hash: string | null
}
export type SignInMethod = 'password' | 'passkey' | 'provider'

/** A user as the sign-in pages show it. */
export interface Account {
  tenant: string
  user: string
  tenant_name: string
  email: string
  email_key: string
  name: string
  role: string
  password_hash: string | null
  is_suspended: boolean
}
export interface SessionRow {
  tenant: string
  user: string
  session: string
  method: SignInMethod
  created_at: string
  last_used_at: string
}
export interface ListedSession {
  session: string
  method: SignInMethod
  user_agent: string
  address: string
  created_at: string
  last_used_at: string
}

const MAX_TENANTS = 20
const BY_EMAIL = sql(
  `select tenant_id::text as tenant, id::text as user, password_hash from users where email_key = $1 order by id limit ${MAX_TENANTS}`,
  null,
  [25],
)
const ACCOUNT =
  sql(`select u.tenant_id::text as tenant, u.id::text as user, t.name as tenant_name, u.email, u.email_key, u.name, u.role,
    u.password_hash, (u.suspended_at is not null or t.suspended_at is not null) as is_suspended
  from users u join tenants t on t.id = u.tenant_id where u.tenant_id = $1 and u.id = $3`)
const LOCK = sql('select from users where tenant_id = $1 and id = $3 for no key update')
const SET_PASSWORD = sql('update users set password_hash = $4 where tenant_id = $1 and id = $3')
const SIGNED_IN = sql('update users set signed_in_at = now() where tenant_id = $1 and id = $3')

const SESSION = sql(
  `select tenant_id::text as tenant, user_id::text as user, id::text as session, method, created_at, last_used_at
  from sessions where hash = $1 and expires_at > now() and last_used_at > now() - interval '${IDLE_DAYS} days'`,
  null,
  [17],
)
const INSERT_SESSION =
  sql(`insert into sessions (tenant_id, user_id, id, hash, method, user_agent, address, created_at, last_used_at, expires_at)
  values ($1, $3, $4, $5, $6, $7, $8, now(), now(), now() + interval '${SESSION_DAYS} days')`)
const TOUCH_SESSION = sql('update sessions set last_used_at = now() where tenant_id = $1 and id = $3')
const END_SESSION = sql('delete from sessions where tenant_id = $1 and user_id = $3 and id = $4')
const END_SESSIONS = sql('delete from sessions where tenant_id = $1 and user_id = $3 and id is distinct from $4::uuid')
const SESSIONS = sql(`select id::text as session, method, user_agent, address, created_at, last_used_at from sessions
  where tenant_id = $1 and user_id = $3 and expires_at > now() and last_used_at > now() - interval '${IDLE_DAYS} days'
  order by last_used_at desc limit 50`)

export const listUsersByEmail = (db: Database, email_key: string): Promise<UserByEmail[]> =>
  db.listByEmail<UserByEmail>(email_key, BY_EMAIL)
export const findAccount = (db: Reader, user: string): Promise<Account | null> => db.find<Account>(ACCOUNT, [user])
/** Until the end of the transaction. */
export const lockAccount = (tx: Tx, user: string): void => tx.queue(LOCK, [user])
export const updatePassword = (tx: Tx, user: string, hash: string): void => tx.queue(SET_PASSWORD, [user, hash])
export const updateSignedIn = (tx: Tx, user: string): void => tx.queue(SIGNED_IN, [user])

export const findSessionRow = (db: Database, hash: Buffer): Promise<SessionRow | null> =>
  db.findSecret<SessionRow>(hash, SESSION)

export function insertSession(
  tx: Tx,
  row: { user: string; session: string; hash: Buffer; method: SignInMethod; user_agent: string; address: string },
): void {
  tx.queue(INSERT_SESSION, [row.user, row.session, row.hash, row.method, row.user_agent, row.address])
}

export const touchSession = (db: Reader, session: string): Promise<unknown> => db.rows(TOUCH_SESSION, [session])
export const deleteSession = (tx: Tx, user: string, session: string): void => tx.queue(END_SESSION, [user, session])
/** All sessions of a user, or all except one. */
export const deleteSessions = (tx: Tx, user: string, kept: string | null): void => tx.queue(END_SESSIONS, [user, kept])
export const listSessions = (db: Reader, user: string): Promise<ListedSession[]> =>
  db.rows<ListedSession>(SESSIONS, [user])
