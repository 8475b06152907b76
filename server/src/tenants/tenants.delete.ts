// Removes everything of a tenant: rows, objects, deliveries of the job engine, cached limits and indexes. The receipt
// says what was removed.

import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '@octavo/base/unknown.ts'
import type pg from 'pg'
import type { Needs } from '../app.ts'
import { objectKey } from '../files/keys.ts'
import { uuidOf } from '../lib/ids.ts'
import { dropOrphanIndexes } from '../vector-spaces/vector-spaces.index-switch.ts'
import * as store from './tenants.archive.store.ts'
import { openOwner, type Say } from './tenants.archive.ts'
import { removeObjects } from './tenants.objects.ts'

type DeleteNeeds = Needs<'system' | 'config' | 'files' | 'jobs' | 'limiter'>

export interface Receipt {
  tenant_id: string
  /** null: only objects were left of the tenant. */
  name: string | null
  deleted_by: string
  deleted_at: string
  /** Removed rows of each table. */
  rows: Record<string, number>
  objects: number
  bytes: number
  uploads: number
  deliveries: number
  indexes: number
  /** False if Valkey did not respond: the cached limits expire within an hour. */
  are_limits_removed: boolean
  /** Counted again after the removal. */
  left: { rows: number; objects: number }
}

const DEADLOCK = '40P01'
const ATTEMPTS = 5
/** A worker that ran a job of the tenant stops within this time. */
const SETTLE_MS = 2_000

export async function deleteTenant(
  app: DeleteNeeds,
  { id, by }: { id: string; by: string },
  say: Say,
): Promise<Receipt> {
  const tenant = uuidOf('ten', id)
  const client = await openOwner(app.config.database_owner_url)
  try {
    const found = await readBefore(client, tenant)
    if (!found.row && (await app.files.list(objectKey(tenant, ''), null)).length === 0)
      throw new Error(`No tenant has the id '${id}'.`)
    if (found.row && !found.row.is_suspended)
      throw new Error(`Suspend the tenant first: suspend ${id}. Then delete it.`)
    const rows = await removeRows(client, tenant, say)
    const deliveries = await app.jobs.engine.forgetTenant(tenant)
    const objects = await removeObjects(app.files, tenant)
    say(`${objects.objects} objects`)
    const are_limits_removed = await app.limiter.forget([`tenant:${tenant}`, `ai:${tenant}`, ...found.keys])
    const indexes = await dropOrphanIndexes(app, client, say)
    const left = await removeLate(app, client, tenant)
    const { row } = found
    const removed = { rows, ...objects, deliveries, indexes, are_limits_removed, left }
    return { tenant_id: id, name: row?.name ?? null, deleted_by: by, deleted_at: new Date().toISOString(), ...removed }
  } finally {
    await client.end()
  }
}

const readBefore = (client: pg.ClientBase, tenant: string) =>
  store.transactAs(client, { tenant, isolation: 'read committed' }, async () => ({
    row: await store.findTenant(client, tenant),
    keys: await store.listKeys(client, tenant),
  }))

/** One transaction. A job that ends at the same time may lock rows in another order, so a deadlock is retried. */
async function removeRows(client: pg.ClientBase, tenant: string, say: Say): Promise<Record<string, number>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.transactAs(client, { tenant, isolation: 'read committed' }, async () => {
        const rows: Record<string, number> = {}
        await store.lockTenant(client, tenant)
        for (const table of (await store.listTables(client)).toReversed()) {
          rows[table.name] = await store.deleteRows(client, table, tenant)
          say(`${table.name}: ${rows[table.name]} rows`)
        }
        await store.notifyKeys(client, tenant)
        return rows
      })
    } catch (error) {
      if (codeOf(error) !== DEADLOCK || attempt === ATTEMPTS) throw error
      await sleep(attempt * 100)
    }
  }
}

/** A worker that was in the middle of a job may have stored bytes or rows after the removal. */
async function removeLate(app: DeleteNeeds, client: pg.ClientBase, tenant: string): Promise<Receipt['left']> {
  await sleep(SETTLE_MS)
  await removeObjects(app.files, tenant)
  await removeRows(client, tenant, () => {})
  const rows = await store.transactAs(client, { tenant, isolation: 'read committed' }, async () => {
    let count = 0
    for (const table of await store.listTables(client)) count += await store.countRows(client, table, tenant)
    return count
  })
  return { rows, objects: (await app.files.list(objectKey(tenant, ''), null)).length }
}
