// Signing keys belong to the installation, not to a tenant: only the system role reads their private halves.

import type { webcrypto } from 'node:crypto'
import type pg from 'pg'

const LOCK = 0x6f6b6579 // 'okey'

export type Queryable = Pick<pg.Pool, 'query'>

export interface SigningKeyRow {
  id: string
  private_key: Buffer
  starts_at_ms: number
}

export async function listKeys(client: Queryable): Promise<SigningKeyRow[]> {
  const { rows } = await client.query<{ id: string; private_key: Buffer; starts_at: Date }>(
    'select id, private_key, starts_at from oauth_signing_keys order by starts_at, id',
  )
  return rows.map(({ id, private_key, starts_at }) => ({ id, private_key, starts_at_ms: starts_at.getTime() }))
}

export async function insertKey(
  client: Queryable,
  row: SigningKeyRow,
  public_key: webcrypto.JsonWebKey,
): Promise<void> {
  await client.query(
    'insert into oauth_signing_keys (id, public_key, private_key, starts_at, created_at) values ($1, $2, $3, $4, now())',
    [row.id, public_key, row.private_key, new Date(row.starts_at_ms)],
  )
}

export async function startKey(client: Queryable, id: string): Promise<void> {
  await client.query('update oauth_signing_keys set starts_at = now() where id = $1 and starts_at > now()', [id])
}

export async function deleteKeys(client: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await client.query('delete from oauth_signing_keys where id = any($1)', [ids])
}

/** One process at a time creates and removes keys. */
export async function underLock<T>(pool: pg.Pool, work: (client: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    client.release(true)
    throw error
  }
}
