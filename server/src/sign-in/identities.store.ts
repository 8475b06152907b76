// SQL of identities: a user gets an account at the external provider.

import type { Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'

const INSERT =
  sql(`insert into identities (tenant_id, user_id, hash, issuer, subject, created_at) values ($1, $3, $4, $5, $6, now())
  on conflict do nothing returning issuer`)

/** False if another user of the tenant has this account. */
export async function insertIdentity(
  tx: Tx,
  identity: { user: string; hash: Buffer; issuer: string; subject: string },
): Promise<boolean> {
  const { user, hash, issuer, subject } = identity
  return (await tx.find(INSERT, [user, hash, issuer, subject])) !== null
}
