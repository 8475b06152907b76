// Finds what should never be and repairs it. Counters and rows change in one transaction, so a difference within one
// snapshot is a fault and not a moment. Every repair is counted: none in a healthy run.

import type pg from 'pg'
import type { Database } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import { operator } from '../lib/caller.ts'
import { toId } from '../lib/ids.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Delivery } from './engine.ts'
import type { Jobs } from './jobs.ts'
import * as rows from './rows.ts'
import * as slotRows from './slot-rows.ts'

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
const RECOUNT =
  sql(`update tenant_slots s set used = j.used, waiting = j.waiting from (select count(*) filter (where place = 'admitted') as used,
  count(*) filter (where place in ('line', 'backoff')) as waiting from jobs where tenant_id = $1 and place in ('admitted', 'line', 'backoff')) j
  where s.tenant_id = $1 and (s.used <> j.used or s.waiting <> j.waiting) returning true as is_repaired`)

interface ReconcilerNeeds {
  db: Database
  system: pg.Pool
  jobs: Jobs
  log: Log
  metrics: Metrics
}

/** Jobs that are due for a retry. */
export async function lineUpDue({ db, system, jobs }: ReconcilerNeeds): Promise<void> {
  for (const { tenant_id } of (await system.query<{ tenant_id: string }>(DUE)).rows) {
    await db.transaction(operator(tenant_id, []), async (tx) => {
      slotRows.lockSlots(tx)
      rows.lineUpDue(tx)
      await jobs.fill(tx)
    })
  }
}

/** One round, unless another process runs one. Returns the number of repairs. */
export async function reconcile(app: ReconcilerNeeds): Promise<number> {
  const client = await app.system.connect()
  try {
    const { rows: locks } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [
      LOCK,
    ])
    // Only the process that holds the lock reports the queue metrics.
    app.metrics.job_depth.reset()
    app.metrics.job_oldest.reset()
    if (!locks[0]?.is_mine) return 0
    try {
      await measure(app, client)
      return await repairAll(app, client)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCK])
    }
  } finally {
    client.release()
  }
}

function repairOf(deliveryState: string, status: string): string {
  if (deliveryState === 'silent') return 'no_heartbeat'
  return status === 'running' ? 'running_unknown' : 'engine_unknown'
}

async function repairAll(app: ReconcilerNeeds, client: pg.PoolClient): Promise<number> {
  const { db, jobs } = app
  let repairs = 0
  const count = (kind: string, tenant_id: string, job?: string): void => {
    repairs++
    app.metrics.job_repairs.inc({ kind })
    app.log.warn('job repaired', {
      kind,
      tenant_id: toId('ten', tenant_id),
      ...(job ? { job_id: toId('job', job) } : {}),
    })
  }
  for (const { tenant_id } of (await client.query<{ tenant_id: string }>(MISCOUNTED)).rows) {
    const isRepaired = await db.transaction(operator(tenant_id, []), async (tx) => {
      slotRows.lockSlots(tx)
      const found = await tx.find(RECOUNT)
      await jobs.fill(tx)
      return found !== null
    })
    if (isRepaired) count('slots_miscounted', tenant_id)
  }
  for (const { tenant_id } of (await client.query<{ tenant_id: string }>(UNADMITTED, [JSON.stringify(jobs.most)]))
    .rows) {
    const admitted = await db.transaction(operator(tenant_id, []), (tx) => jobs.refill(tx))
    if (admitted > 0) count('not_admitted', tenant_id)
  }
  const { rows: admitted } = await client.query<Delivery & { status: string }>(ADMITTED)
  const deliveryStates = await jobs.engine.readStates(admitted.map(({ id }) => id))
  for (const { status, ...delivery } of admitted) {
    const deliveryState = deliveryStates.get(delivery.id) ?? 'unknown'
    if (deliveryState === 'waiting' || deliveryState === 'active') continue
    if (await db.transaction(operator(delivery.tenant, []), (tx) => jobs.recover(tx, delivery)))
      count(repairOf(deliveryState, status), delivery.tenant, delivery.job)
  }
  for (const { tenant_id, id } of (await client.query<{ tenant_id: string; id: string }>(FINISHED_BATCHES)).rows) {
    const isEnded = await db.transaction(operator(tenant_id, []), async (tx) => {
      slotRows.lockSlots(tx)
      const [batch] = await rows.lockJobs(tx, [id])
      return batch?.place === 'items' && jobs.endBatch(tx, batch)
    })
    if (isEnded) count('batch_unended', tenant_id, id)
  }
  return repairs
}

const DEPTH = `select type, case when place = 'admitted' and status = 'running' then 'running' else place end as place, count(*)::int as count,
  coalesce(extract(epoch from clock_timestamp() - min(queued_at) filter (where status = 'queued')), 0)::float8 as oldest from jobs where place is not null group by 1, 2`

async function measure({ metrics }: ReconcilerNeeds, client: pg.PoolClient): Promise<void> {
  const { rows: depths } = await client.query<{ type: string; place: string; count: number; oldest: number }>(DEPTH)
  for (const { type, place, count } of depths) metrics.job_depth.set({ type, place }, count)
  metrics.job_oldest.set(Math.max(0, ...depths.map(({ oldest }) => oldest)))
}
