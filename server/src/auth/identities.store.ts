// Accounts at an external provider: users are found by the hash of issuer and subject, before the tenant is known.

import { createHash } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { sql } from '../db/statement.ts'

const FIND = sql(
  'select tenant_id::text as tenant, user_id::text as user from identities where hash = $1 order by created_at',
  null,
  [17],
)

/** uuids. */
export const listIdentities = (db: Database, hash: Buffer): Promise<{ tenant: string; user: string }[]> =>
  db.withHash<{ tenant: string; user: string }>(hash, FIND)

/** The key of an identity. */
export const hashIdentity = ({ issuer, subject }: { issuer: string; subject: string }): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest()
