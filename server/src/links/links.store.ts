import type { Database, Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import { insertInto } from '../db/tables.ts'

export type LinkKind = 'invitation' | 'password_reset'
/** Ids are uuids. */
export interface Link {
  tenant: string
  subject: string
}
export interface NewLink {
  hash: Buffer
  kind: LinkKind
  subject_id: string
  expires_at: Date
}

const FIND = sql(
  `select tenant_id::text as tenant, subject_id::text as subject, kind from link_secrets where hash = $1 and expires_at > now()`,
  null,
  [17],
)
const REDEEM = sql(
  `delete from link_secrets where tenant_id = $1 and hash = $3 and kind = $4 and expires_at > now() returning subject_id::text as subject`,
)
const DELETE = sql('delete from link_secrets where tenant_id = $1 and subject_id = $3 and kind = $4')

export const insertLink = (tx: Tx, link: NewLink): void => tx.queue(...insertInto('link_secrets', { ...link }))

export const findLink = (db: Database, hash: Buffer): Promise<(Link & { kind: LinkKind }) | null> =>
  db.findSecret<Link & { kind: LinkKind }>(hash, FIND)

/** The first caller gets the subject; every other one waits for it and gets null. */
export async function redeemLink(tx: Tx, hash: Buffer, kind: LinkKind): Promise<string | null> {
  return (await tx.find<{ subject: string }>(REDEEM, [hash, kind]))?.subject ?? null
}

export const deleteLinks = (tx: Tx, subject: string, kind: LinkKind): void => tx.queue(DELETE, [subject, kind])
