// The statements of the reconciler. They span tenants, so they run as the system role.

import type pg from 'pg'
import type { Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import type { Delivery } from './engine.ts'

const LOCK = 0x7265636f // 'reco'
const BATCH = 500

const DUE = `select distinct tenant_id from jobs where place = 'backoff' and run_after <= now() limit ${BATCH}`
const MISCOUNTED = `select s.tenant_id from tenant_slots s
  left join (select tenant_id, count(*) filter (where place = 'admitted') as used, count(*) filter (where place in ('line', 'backoff')) as waiting
    from jobs where place in ('admitted', 'line', 'backoff') group by tenant_id) j using (tenant_id)
  where s.used <> coalesce(j.used, 0) or s.waiting <> coalesce(j.waiting, 0) limit ${BATCH}`
const UNADMITTED = `select s.tenant_id from tenant_slots s join tenants t on t.id = s.tenant_id
  where s.used < coalesce(($1::jsonb ->> t.tier)::bigint, 0) and s.waiting > 0
  and exists (select from jobs j where j.tenant_id = s.tenant_id and j.place = 'line') limit ${BATCH}`
const ADMITTED = `select ticket as id, tenant_id as tenant, id as job, type, payload_version as version, status from jobs
  where place = 'admitted' and admitted_at < clock_timestamp() - interval '3 s'`
const FINISHED_BATCHES = `select tenant_id, id from jobs where place = 'items' and items_done + items_failed >= items_total limit ${BATCH}`
const DEPTH = `select j.type, case when j.place = 'admitted' and j.status = 'running' then 'running' else j.place end as place, t.tier, count(*)::int as count,
  coalesce(extract(epoch from clock_timestamp() - min(j.queued_at) filter (where j.status = 'queued')), 0)::float8 as oldest
  from jobs j join tenants t on t.id = j.tenant_id where j.place is not null group by 1, 2, 3`
const RECOUNT =
  sql(`update tenant_slots s set used = j.used, waiting = j.waiting from (select count(*) filter (where place = 'admitted') as used,
  count(*) filter (where place in ('line', 'backoff')) as waiting from jobs where tenant_id = $1 and place in ('admitted', 'line', 'backoff')) j
  where s.tenant_id = $1 and (s.used <> j.used or s.waiting <> j.waiting) returning true as is_repaired`)

type System = pg.Pool | pg.PoolClient

async function listTenants(system: System, query: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await system.query<{ tenant_id: string }>(query, values)
  return rows.map(({ tenant_id }) => tenant_id)
}

/** False if another process runs a round. */
export async function tryLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [LOCK])
  return rows[0]?.is_mine === true
}

export async function unlock(client: pg.PoolClient): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [LOCK])
}

/** Tenants with jobs that are due for a retry. */
export const listDueTenants = (system: System): Promise<string[]> => listTenants(system, DUE)

/** Tenants whose counters differ from their jobs. */
export const listMiscountedTenants = (system: System): Promise<string[]> => listTenants(system, MISCOUNTED)

/** Tenants with a free slot and a waiting job; `most` is the number of slots of each tier. */
export const listUnadmittedTenants = (system: System, most: object): Promise<string[]> =>
  listTenants(system, UNADMITTED, [JSON.stringify(most)])

export async function listAdmitted(system: System): Promise<(Delivery & { status: string })[]> {
  return (await system.query<Delivery & { status: string }>(ADMITTED)).rows
}

export async function listFinishedBatches(system: System): Promise<{ tenant_id: string; id: string }[]> {
  return (await system.query<{ tenant_id: string; id: string }>(FINISHED_BATCHES)).rows
}

/** Jobs and the age in seconds of the oldest queued one, for each type, place and tier. */
interface QueueDepth {
  type: string
  place: string
  tier: string
  count: number
  oldest: number
}

export async function listDepths(system: System): Promise<QueueDepth[]> {
  return (await system.query<QueueDepth>(DEPTH)).rows
}

/** Whether the counters of the transaction's tenant were wrong. */
export async function recountSlots(tx: Tx): Promise<boolean> {
  return (await tx.find(RECOUNT)) !== null
}
