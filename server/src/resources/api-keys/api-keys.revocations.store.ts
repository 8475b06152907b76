// Revocations of keys and secrets that have no tombstone yet, and queries for keys that a restore has brought back. Ids
// are uuids.

import type pg from 'pg'
import type { Reader, Tx } from '../../db/database.ts'
import { sql } from '../../db/statement.ts'
import { newUuid } from '../../lib/ids.ts'

export interface RevocationRow {
  tenant: string
  end: string
  key: string
  at: string
  /** null: of the key itself. */
  ends_at: string | null
}
export interface RotatedSecrets {
  key: string
  at: Date
  ends_at: Date
}

const COLUMNS = 'tenant_id::text as tenant, id::text as end, key_id::text as key, at, ends_at'
const INSERT =
  sql(`insert into key_ends (tenant_id, id, key_id, at, ends_at) values ($1, $3, $4, now(), now() + make_interval(secs => $5))
  returning ${COLUMNS}`)
const DELETE = sql('delete from key_ends where tenant_id = $1 and id = $3')

export async function insertRevocation(tx: Tx, key: string, overlap_seconds: number | null): Promise<RevocationRow> {
  return tx.one<RevocationRow>(INSERT, [newUuid(), key, overlap_seconds])
}
export const deleteRevocation = async (db: Reader, end: string): Promise<void> => void (await db.rows(DELETE, [end]))

const LEFT = `select ${COLUMNS} from key_ends where at < now() - interval '5 s' order by at limit 500`

/** As the pool of the system role gives it. */
type PendingRow = Omit<RevocationRow, 'at' | 'ends_at'> & { at: Date; ends_at: Date | null }

/** Revocations that the requests themselves have not written as tombstones. */
export const listPending = async (system: pg.Pool): Promise<PendingRow[]> => (await system.query<PendingRow>(LEFT)).rows
export const deletePending = (
  system: pg.Pool,
  { tenant, end }: Pick<RevocationRow, 'tenant' | 'end'>,
): Promise<unknown> => system.query('delete from key_ends where tenant_id = $1 and id = $2', [tenant, end])

const LIVING = sql('select id::text as key from api_keys where tenant_id = $1 and ($3::uuid[] is null or id = any($3))')
const ENDED = 'unnest($3::uuid[], $4::timestamptz[], $5::timestamptz[]) as n (key_id, at, ends_at)'
// A second more: the rounding of times is no sign of life.
const LIVES = `s.key_id = n.key_id and (s.created_at is null or s.created_at < n.at)
  and (s.expires_at is null or s.expires_at > n.ends_at + interval '1 s')`
const END_SECRETS = sql(`update key_secrets e set expires_at = m.ends_at
  from (select s.hash, min(n.ends_at) as ends_at from key_secrets s, ${ENDED} where s.tenant_id = $1 and ${LIVES} group by s.hash) as m
  where e.tenant_id = $1 and e.hash = m.hash returning e.key_id::text as key`)

/** Those of the keys that are there; all keys of the tenant where none are named. */
export const listLiving = async (db: Reader, keys: readonly string[] | null): Promise<string[]> =>
  (await db.rows<{ key: string }>(LIVING, [keys])).map(({ key }) => key)

const values = (ended: readonly RotatedSecrets[]) => [
  ended.map(({ key }) => key),
  ended.map(({ at }) => at.toISOString()),
  ended.map(({ ends_at }) => ends_at.toISOString()),
]

/** Ends those that would work beyond their end; their keys. */
export const endLivingSecrets = async (tx: Tx, ended: readonly RotatedSecrets[]): Promise<string[]> =>
  (await tx.rows<{ key: string }>(END_SECRETS, values(ended))).map(({ key }) => key)

const COMPARE_KEYS = `select k.id::text as key from api_keys k
  join unnest($1::uuid[], $2::uuid[]) as n (tenant_id, id) on k.tenant_id = n.tenant_id and k.id = n.id`
const COMPARE_SECRETS = `select distinct s.key_id::text as key from key_secrets s
  join unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) as n (tenant_id, key_id, at, ends_at)
  on s.tenant_id = n.tenant_id and ${LIVES}`

interface TenantKey {
  tenant: string
  key: string
}
const tenantsOf = (ended: readonly TenantKey[]): string[] => ended.map(({ tenant }) => tenant)

/** Across all tenants: the given keys that still exist. */
export async function compareKeys(system: pg.Pool, ended: readonly TenantKey[]): Promise<string[]> {
  if (ended.length === 0) return []
  const keys = ended.map(({ key }) => key)
  return (await system.query<{ key: string }>(COMPARE_KEYS, [tenantsOf(ended), keys])).rows.map(({ key }) => key)
}

/** Across all tenants: the keys whose old secrets would work longer than they should. */
export async function compareSecrets(
  system: pg.Pool,
  ended: readonly (RotatedSecrets & TenantKey)[],
): Promise<string[]> {
  if (ended.length === 0) return []
  return (await system.query<{ key: string }>(COMPARE_SECRETS, [tenantsOf(ended), ...values(ended)])).rows.map(
    ({ key }) => key,
  )
}
