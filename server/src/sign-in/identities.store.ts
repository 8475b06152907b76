// SQL of identities: accounts at the external provider, found by the hash of issuer and subject.

import type { Database, Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'

const FIND = sql(
  'select tenant_id::text as tenant, user_id::text as user from identities where hash = $1 order by created_at',
  null,
  [17],
)
const INSERT =
  sql(`insert into identities (tenant_id, user_id, hash, issuer, subject, created_at) values ($1, $3, $4, $5, $6, now())
  on conflict do nothing returning issuer`)

export const listIdentities = (db: Database, hash: Buffer): Promise<{ tenant: string; user: string }[]> =>
  db.withHash<{ tenant: string; user: string }>(hash, FIND)

/** False if another user of the tenant has this account. */
export async function insertIdentity(
  tx: Tx,
  identity: { user: string; hash: Buffer; issuer: string; subject: string },
): Promise<boolean> {
  const { user, hash, issuer, subject } = identity
  return (await tx.find(INSERT, [user, hash, issuer, subject])) !== null
}
