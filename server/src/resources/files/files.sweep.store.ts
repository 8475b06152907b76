// Queries of the sweeper, across all tenants. Ids are uuids.

import type pg from 'pg'

/** A key in its two parts. */
export interface ObjectPlace {
  tenant: string
  object: string
}
export interface SweptFile extends ObjectPlace {
  id: string
  is_old: boolean
  is_missing: boolean
}

const LOCK = 0x73776570 // 'swep'

/** One sweeper at a time; the lock is the connection's. */
export async function holdSweep(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [LOCK])
  return rows[0]?.is_mine ?? false
}
export const endSweep = (client: pg.PoolClient): Promise<unknown> =>
  client.query('select pg_advisory_unlock($1)', [LOCK])

const UNCLAIMED = `select k.tenant_id as tenant, k.object_id as object, exists (select from tenants t where t.id = k.tenant_id) as is_known
  from unnest($1::uuid[], $2::uuid[]) as k (tenant_id, object_id)
  where not exists (select from files f where f.tenant_id = k.tenant_id and f.object_id = k.object_id)
  and not exists (select from uploads u where u.tenant_id = k.tenant_id and u.object_id = k.object_id and u.status = 'pending')`

/** Those that no row names, and whether their tenant is one of this database. */
export async function listUnclaimed(
  client: pg.PoolClient,
  places: readonly ObjectPlace[],
): Promise<(ObjectPlace & { is_known: boolean })[]> {
  const values = [places.map(({ tenant }) => tenant), places.map(({ object }) => object)]
  return (await client.query<ObjectPlace & { is_known: boolean }>(UNCLAIMED, values)).rows
}

const ABANDONED = `select k.tenant_id as tenant, k.object_id as object from unnest($1::uuid[], $2::uuid[]) as k (tenant_id, object_id)
  where exists (select from tenants t where t.id = k.tenant_id)
  and not exists (select from uploads u where u.tenant_id = k.tenant_id and u.object_id = k.object_id and u.status = 'pending')`

/** Those that no pending upload is about. */
export async function listAbandoned(client: pg.PoolClient, places: readonly ObjectPlace[]): Promise<ObjectPlace[]> {
  return (
    await client.query<ObjectPlace>(ABANDONED, [places.map(({ tenant }) => tenant), places.map(({ object }) => object)])
  ).rows
}

const FILES = `select tenant_id as tenant, object_id as object, id, created_at < $5 as is_old, missing_at is not null as is_missing from files
  where (tenant_id, object_id) > ($1, $2) and (tenant_id, object_id) <= ($3, $4) order by tenant_id, object_id limit $6`

/** In the order of keys, behind the first place and up to the last. */
export async function listFiles(
  client: pg.PoolClient,
  range: { after: ObjectPlace; last: ObjectPlace },
  given: { before: Date; limit: number },
): Promise<SweptFile[]> {
  const { after, last } = range
  return (
    await client.query<SweptFile>(FILES, [
      after.tenant,
      after.object,
      last.tenant,
      last.object,
      given.before,
      given.limit,
    ])
  ).rows
}

// A purge removes a document's bytes before its rows, so these files do not count as missing.
const WANTED = `select from files f where tenant_id = $1 and id = $2
  and not exists (select from jobs j where j.tenant_id = $1 and j.document_id = f.document_id and j.type = 'purge')`

export const isWanted = async (client: pg.PoolClient, { tenant, id }: SweptFile): Promise<boolean> =>
  (await client.query(WANTED, [tenant, id])).rowCount === 1

export async function updateMissing(
  client: pg.PoolClient,
  { tenant, id }: SweptFile,
  is_missing: boolean,
): Promise<void> {
  await client.query('update files set missing_at = case when $3 then now() end where tenant_id = $1 and id = $2', [
    tenant,
    id,
    is_missing,
  ])
}
