// A suspension is also stored in the object storage, so that restoring the database cannot lift it.

import type pg from 'pg'
import type { Needs } from '../app.ts'
import { listTombstones, putTombstone, removeTombstone, type Tombstone } from '../files/tombstones.ts'
import { toId, uuidOf } from '../lib/ids.ts'
import { readTenant, suspendTenant } from './tenants.service.ts'

type SuspendNeeds = Needs<'files' | 'system'>

export async function suspend(app: SuspendNeeds, id: string): Promise<void> {
  await suspendTenant(app.system, id, true)
  await putTombstone(app.files, { kind: 'suspended', tenant: uuidOf('ten', id) }).catch((cause: unknown) => {
    throw new Error(
      'The tenant is suspended, but Octavo could not write the tombstone that a restore needs. Run this command again later.',
      {
        cause,
      },
    )
  })
}

/** First the note: one that is left over would keep processes from starting. */
export async function resume(app: SuspendNeeds, id: string): Promise<void> {
  await readTenant(app.system, id)
  await removeTombstone(app.files, { kind: 'suspended', tenant: uuidOf('ten', id) })
  await suspendTenant(app.system, id, false)
}

/** Tenants that are noted as suspended and are not: only in a database that was restored. */
export async function listReleased(app: SuspendNeeds): Promise<string[]> {
  const released: string[] = []
  for await (const page of listTombstones(app.files))
    released.push(...(await listUnsuspended(app.system, suspendedOf(page))))
  return released
}

export const suspendedOf = (notes: readonly Tombstone[]): string[] =>
  notes.flatMap((note) => (note.kind === 'suspended' ? [note.tenant] : []))

/** The given tenants (uuids) that are not suspended. */
export async function listUnsuspended(system: pg.Pool, tenants: readonly string[]): Promise<string[]> {
  if (tenants.length === 0) return []
  const { rows } = await system.query<{ id: string }>(
    'select id from tenants where id = any($1) and suspended_at is null',
    [tenants],
  )
  return rows.map(({ id }) => toId('ten', id))
}
