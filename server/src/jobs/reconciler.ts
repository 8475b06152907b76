// Finds what should never be and repairs it. Counters and rows change in one transaction, so a difference within one
// snapshot is a fault and not a moment. Every repair is counted: none in a healthy run.

import { tierNames } from '@octavo/contract'
import type pg from 'pg'
import type { Database } from '../db/database.ts'
import { operator } from '../lib/caller.ts'
import { toId } from '../lib/ids.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Jobs } from './jobs.ts'
import * as store from './reconciler.store.ts'
import * as rows from './rows.ts'
import * as slotRows from './slot-rows.ts'

interface ReconcilerNeeds {
  db: Database
  system: pg.Pool
  jobs: Jobs
  log: Log
  metrics: Metrics
}

/** Jobs that are due for a retry. */
export async function lineUpDue({ db, system, jobs }: ReconcilerNeeds): Promise<void> {
  for (const tenant_id of await store.listDueTenants(system)) {
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
    const isMine = await store.tryLock(client)
    // Only the process that holds the lock reports the queue metrics.
    app.metrics.job_depth.reset()
    app.metrics.job_oldest.reset()
    let repairs = 0
    if (isMine) {
      await measure(app, client)
      repairs = await repairAll(app, client)
      await store.unlock(client)
    }
    client.release()
    return repairs
  } catch (error) {
    // The lock ends with its connection, also when the server no longer answers.
    client.release(true)
    throw error
  }
}

async function repairAll(app: ReconcilerNeeds, client: pg.PoolClient): Promise<number> {
  let repairs = 0
  const count: CountRepair = (kind, tenant_id, job) => {
    repairs++
    app.metrics.job_repairs.inc({ kind })
    app.log.warn('job repaired', {
      kind,
      tenant_id: toId('ten', tenant_id),
      ...(job ? { job_id: toId('job', job) } : {}),
    })
  }
  await recountSlots(app, client, count)
  await admitWaiting(app, client, count)
  await recoverLost(app, client, count)
  await endBatches(app, client, count)
  return repairs
}

type CountRepair = (kind: string, tenant_id: string, job?: string) => void

async function recountSlots({ db, jobs }: ReconcilerNeeds, client: pg.PoolClient, count: CountRepair): Promise<void> {
  for (const tenant_id of await store.listMiscountedTenants(client)) {
    const isRepaired = await db.transaction(operator(tenant_id, []), async (tx) => {
      slotRows.lockSlots(tx)
      const wasWrong = await store.recountSlots(tx)
      await jobs.fill(tx)
      return wasWrong
    })
    if (isRepaired) count('slots_miscounted', tenant_id)
  }
}

/** Jobs that wait although their tenant has a free slot. */
async function admitWaiting({ db, jobs }: ReconcilerNeeds, client: pg.PoolClient, count: CountRepair): Promise<void> {
  for (const tenant_id of await store.listUnadmittedTenants(client, jobs.most)) {
    const admitted = await db.transaction(operator(tenant_id, []), (tx) => jobs.refill(tx))
    if (admitted > 0) count('not_admitted', tenant_id)
  }
}

/** Admitted jobs whose delivery the engine does not know, or that no worker keeps alive. */
async function recoverLost({ db, jobs }: ReconcilerNeeds, client: pg.PoolClient, count: CountRepair): Promise<void> {
  const admitted = await store.listAdmitted(client)
  const deliveryStates = await jobs.engine.readStates(admitted.map(({ id }) => id))
  for (const { status, ...delivery } of admitted) {
    const deliveryState = deliveryStates.get(delivery.id) ?? 'unknown'
    if (deliveryState === 'waiting' || deliveryState === 'active') continue
    if (await db.transaction(operator(delivery.tenant, []), (tx) => jobs.recover(tx, delivery)))
      count(repairOf(deliveryState, status), delivery.tenant, delivery.job)
  }
}

function repairOf(deliveryState: string, status: string): string {
  if (deliveryState === 'silent') return 'no_heartbeat'
  return status === 'running' ? 'running_unknown' : 'engine_unknown'
}

async function endBatches({ db, jobs }: ReconcilerNeeds, client: pg.PoolClient, count: CountRepair): Promise<void> {
  for (const { tenant_id, id } of await store.listFinishedBatches(client)) {
    const isEnded = await db.transaction(operator(tenant_id, []), async (tx) => {
      slotRows.lockSlots(tx)
      const [batch] = await rows.lockJobs(tx, [id])
      return batch?.place === 'items' && jobs.endBatch(tx, batch)
    })
    if (isEnded) count('batch_unended', tenant_id, id)
  }
}

async function measure({ metrics }: ReconcilerNeeds, client: pg.PoolClient): Promise<void> {
  const depths = await store.listDepths(client)
  for (const { type, place, count } of depths) metrics.job_depth.inc({ type, place }, count)
  for (const tier of tierNames) {
    const ages = depths.filter((depth) => depth.tier === tier).map(({ oldest }) => oldest)
    metrics.job_oldest.set({ tier }, Math.max(0, ...ages))
  }
}
