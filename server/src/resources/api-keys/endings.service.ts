// An end of a key is noted outside the database as well, so that a restored database cannot bring the key back to life.

import { scopeNames } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Db, Tx } from '../../db/database.ts'
import { listNotes, type Note, putNote } from '../../files/notes.ts'
import { operator } from '../../lib/caller.ts'
import { toId, uuidOf } from '../../lib/ids.ts'
import { listUnsuspended, suspendedOf } from '../tenants/suspension.service.ts'
import * as store from './endings.store.ts'

export type Noting = Needs<'files' | 'db' | 'log'>

interface End {
  tenant: string
  end: string
  key: string
  at: Date
  ends_at: Date | null
}
type EndNote = Exclude<Note, { kind: 'suspended' }>

const asNote = ({ tenant, end: id, key, at, ends_at }: End): EndNote =>
  ends_at === null ? { kind: 'revoked', id, tenant, key } : { kind: 'rotated', id, tenant, key, at, ends_at }

/** `overlap_seconds`: how long the secrets still work; null: the key is gone. Whoever revokes hears of it when it is noted, if it can be. */
export async function noteEnd(app: Noting, tx: Tx, id: string, overlap_seconds: number | null): Promise<void> {
  const row = await store.insertEnd(tx, uuidOf('key', id), overlap_seconds)
  const note = asNote({ ...row, at: new Date(row.at), ends_at: row.ends_at === null ? null : new Date(row.ends_at) })
  tx.after(async () => {
    try {
      await putNote(app.files, note)
      // Not waited for: the connection of this transaction is still held, and there may be no other.
      void store.deleteEnd(app.db.for(operator(note.tenant, [])), note.id).catch(() => {})
    } catch {
      app.log.warn('revocation not noted yet', { tenant_id: toId('ten', note.tenant) })
    }
  })
}

/** What requests could not note, since the storage was away or they were killed. */
export async function noteLeft(app: Needs<'files' | 'system'>): Promise<void> {
  for (const end of await store.listLeft(app.system)) {
    await putNote(app.files, asNote(end))
    await store.deleteLeft(app.system, end)
  }
}

/** What is noted as ended and lives: only in a database that was restored. */
interface Revived {
  keys: number
  /** Keys of which an ended secret works. */
  secrets: number
}

/** In a few statements for each thousand notes: every process asks when it starts. */
export async function findRevived(app: Needs<'files' | 'system'>): Promise<Revived & { tenants: number }> {
  const revived = { keys: 0, secrets: 0, tenants: 0 }
  for await (const notes of listNotes(app.files)) {
    const keys = new Set(await store.compareKeys(app.system, revocationsOf(notes)))
    const secrets = await store.compareSecrets(app.system, rotationsOf(notes))
    revived.keys += keys.size
    revived.secrets += secrets.filter((key) => !keys.has(key)).length
    revived.tenants += (await listUnsuspended(app.system, suspendedOf(notes))).length
  }
  return revived
}

/** Ends keys and secrets again. */
export const endRevived = (
  app: Needs<'files' | 'db'>,
  deleteKey: (tx: Tx, id: string) => Promise<unknown>,
): Promise<Revived> =>
  eachTenant(app, (tenant, notes) =>
    app.db.transaction(operator(tenant, scopeNames), async (tx) => {
      const keys = await store.listLiving(
        tx,
        revocationsOf(notes).map(({ key }) => key),
      )
      for (const key of keys) await deleteKey(tx, toId('key', key))
      return { keys, secrets: await store.endLivingSecrets(tx, rotationsOf(notes)) }
    }),
  )

export const listAllKeys = async (db: Db): Promise<string[]> =>
  (await store.listLiving(db, null)).map((key) => toId('key', key))

const revocationsOf = (notes: readonly Note[]) => notes.filter((note) => note.kind === 'revoked')
const rotationsOf = (notes: readonly Note[]) => notes.filter((note) => note.kind === 'rotated')

async function eachTenant(
  app: Needs<'files'>,
  work: (tenant: string, notes: EndNote[]) => Promise<{ keys: string[]; secrets: string[] }>,
): Promise<Revived> {
  const revived: Revived = { keys: 0, secrets: 0 }
  for await (const page of listNotes(app.files)) {
    const ends = page.filter((note) => note.kind !== 'suspended')
    for (const [tenant, notes] of Map.groupBy(ends, (note) => note.tenant)) {
      const { keys, secrets } = await work(tenant, notes)
      revived.keys += keys.length
      revived.secrets += new Set(secrets).size
    }
  }
  return revived
}
