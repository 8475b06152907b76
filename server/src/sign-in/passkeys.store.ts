// SQL of passkeys. A passkey is found by the hash of its credential id, before the tenant is known.

import type { Database, Reader, Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'

export interface Passkey {
  tenant: string
  user: string
  passkey: string
  credential_id: string
  public_key: Buffer
  sign_count: number
}
export interface ListedPasskey {
  passkey: string
  name: string
  credential_id: string
  created_at: string
  last_used_at: string | null
}
export interface NewPasskey {
  passkey: string
  user: string
  name: string
  hash: Buffer
  credential_id: string
  public_key: Buffer
  sign_count: number
  transports: readonly string[]
}

const FIND = sql(
  `select tenant_id::text as tenant, user_id::text as user, id::text as passkey, credential_id, public_key, sign_count
  from passkeys where hash = $1`,
  null,
  [17],
)
const INSERT =
  sql(`insert into passkeys (tenant_id, user_id, id, name, hash, credential_id, public_key, sign_count, transports, created_at)
  values ($1, $3, $4, $5, $6, $7, $8, $9, $10, now()) on conflict do nothing returning id::text as passkey`)
const USED = sql(
  'update passkeys set sign_count = $4, last_used_at = now() where tenant_id = $1 and id = $3 and sign_count <= $4',
)
const LIST = sql(`select id::text as passkey, name, credential_id, created_at, last_used_at from passkeys
  where tenant_id = $1 and user_id = $3 order by created_at limit 50`)
const DELETE = sql('delete from passkeys where tenant_id = $1 and user_id = $3 and id = $4')

export const findPasskey = (db: Database, hash: Buffer): Promise<Passkey | null> => db.findSecret<Passkey>(hash, FIND)

/** False if the credential is stored already. */
export async function insertPasskey(tx: Tx, row: NewPasskey): Promise<boolean> {
  const values = [
    row.user,
    row.passkey,
    row.name,
    row.hash,
    row.credential_id,
    row.public_key,
    row.sign_count,
    row.transports,
  ]
  return (await tx.find(INSERT, values)) !== null
}

export const touchPasskey = (db: Reader, passkey: string, sign_count: number): Promise<unknown> =>
  db.rows(USED, [passkey, sign_count])
export const listPasskeys = (db: Reader, user: string): Promise<ListedPasskey[]> => db.rows<ListedPasskey>(LIST, [user])
export const deletePasskey = (tx: Tx, user: string, passkey: string): void => tx.queue(DELETE, [user, passkey])
