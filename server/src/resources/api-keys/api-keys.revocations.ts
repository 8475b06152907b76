// An end of a key is noted outside the database as well, so that a restored database cannot bring the key back to life.

import { scopeNames } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Db, Tx } from '../../db/database.ts'
import { listTombstones, putTombstone, type Tombstone } from '../../files/tombstones.ts'
import { operator } from '../../lib/caller.ts'
import { toId, uuidOf } from '../../lib/ids.ts'
import { listUnsuspended, suspendedOf } from '../../tenants/tenants.suspend.ts'
import * as store from './api-keys.revocations.store.ts'

export type RevocationNeeds = Needs<'files' | 'db' | 'log'>

interface Revocation {
  tenant: string
  end: string
  key: string
  at: Date
  ends_at: Date | null
}
type KeyTombstone = Exclude<Tombstone, { kind: 'suspended' }>

const toTombstone = ({ tenant, end: id, key, at, ends_at }: Revocation): KeyTombstone =>
  ends_at === null ? { kind: 'revoked', id, tenant, key } : { kind: 'rotated', id, tenant, key, at, ends_at }

/**
 * `overlap_seconds`: how long the secrets still work; null: the key is gone. The response waits for the tombstone, but
 * does not fail without it.
 */
export async function recordRevocation(
  app: RevocationNeeds,
  tx: Tx,
  id: string,
  overlap_seconds: number | null,
): Promise<void> {
  const row = await store.insertRevocation(tx, uuidOf('key', id), overlap_seconds)
  const tombstone = toTombstone({
    ...row,
    at: new Date(row.at),
    ends_at: row.ends_at === null ? null : new Date(row.ends_at),
  })
  tx.afterCommit(async () => {
    try {
      await putTombstone(app.files, tombstone)
      // Not waited for: the connection of this transaction is still held, and there may be no other.
      void store.deleteRevocation(app.db.for(operator(tombstone.tenant, [])), tombstone.id).catch(() => {})
    } catch {
      app.log.warn('writing the revocation tombstone failed', { tenant_id: toId('ten', tombstone.tenant) })
    }
  })
}

/** Writes the tombstones that requests did not write because the storage was down or they were killed. */
export async function recordPendingRevocations(app: Needs<'files' | 'system'>): Promise<void> {
  for (const end of await store.listPending(app.system)) {
    await putTombstone(app.files, toTombstone(end))
    await store.deletePending(app.system, end)
  }
}

/** Keys that work in spite of their tombstone, which happens only in a restored database. */
export interface RevivedKeys {
  keys: number
  /** Keys with an expired secret that works. */
  secrets: number
}

/** In a few statements for each thousand notes: every process asks when it starts. */
export async function findRevived(app: Needs<'files' | 'system'>): Promise<RevivedKeys & { tenants: number }> {
  const revived = { keys: 0, secrets: 0, tenants: 0 }
  for await (const tombstones of listTombstones(app.files)) {
    const keys = new Set(await store.compareKeys(app.system, revocationsOf(tombstones)))
    const secrets = await store.compareSecrets(app.system, rotationsOf(tombstones))
    revived.keys += keys.size
    revived.secrets += secrets.filter((key) => !keys.has(key)).length
    revived.tenants += (await listUnsuspended(app.system, suspendedOf(tombstones))).length
  }
  return revived
}

/** Ends keys and secrets again. */
export const endRevived = (
  app: Needs<'files' | 'db'>,
  deleteKey: (tx: Tx, id: string) => Promise<unknown>,
): Promise<RevivedKeys> =>
  eachTenant(app, (tenant, tombstones) =>
    app.db.transaction(operator(tenant, scopeNames), async (tx) => {
      const keys = await store.listLiving(
        tx,
        revocationsOf(tombstones).map(({ key }) => key),
      )
      for (const key of keys) await deleteKey(tx, toId('key', key))
      return { keys, secrets: await store.endLivingSecrets(tx, rotationsOf(tombstones)) }
    }),
  )

export const listAllKeys = async (db: Db): Promise<string[]> =>
  (await store.listLiving(db, null)).map((key) => toId('key', key))

const revocationsOf = (tombstones: readonly Tombstone[]) =>
  tombstones.filter((tombstone) => tombstone.kind === 'revoked')
const rotationsOf = (tombstones: readonly Tombstone[]) => tombstones.filter((tombstone) => tombstone.kind === 'rotated')

async function eachTenant(
  app: Needs<'files'>,
  work: (tenant: string, tombstones: KeyTombstone[]) => Promise<{ keys: string[]; secrets: string[] }>,
): Promise<RevivedKeys> {
  const revived: RevivedKeys = { keys: 0, secrets: 0 }
  for await (const page of listTombstones(app.files)) {
    const ends = page.filter((tombstone) => tombstone.kind !== 'suspended')
    for (const [tenant, tombstones] of Map.groupBy(ends, (tombstone) => tombstone.tenant)) {
      const { keys, secrets } = await work(tenant, tombstones)
      revived.keys += keys.length
      revived.secrets += new Set(secrets).size
    }
  }
  return revived
}
