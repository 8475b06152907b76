// The worker: takes deliveries, runs their jobs, settles them. Several processes may work side by side.

import { setTimeout as sleep } from 'node:timers/promises'
import type { JobTypeName } from '@octavo/contract'
import type pg from 'pg'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { isPassing } from '../db/errors.ts'
import { listen } from '../db/listen.ts'
import { operator } from '../lib/caller.ts'
import { toId, uuid } from '../lib/ids.ts'
import { startLoop } from '../lib/loop.ts'
import { errorFields, type Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Delivery, Subscription } from './engine.ts'
import { CHANNEL, readHints } from './hints.ts'
import type { Jobs } from './jobs.ts'
import type { Claim, Settlement } from './rows.ts'
import { JobRun } from './run.ts'

const TICK_MS = 1_000
const GIVE_UP_MS = 10_000
/** How long another tenant's job waits before a running job gives way. */
const PATIENCE = `interval '1 s'`

export interface WorkerNeeds {
  config: Pick<Config, 'database_direct_url' | 'worker_slots' | 'worker_types' | 'drain_ms'>
  db: Database
  system: pg.Pool
  jobs: Jobs
  log: Log
  metrics: Metrics
}

export interface JobWorker {
  /** Lets what runs finish for a while, gives the rest back. */
  stop(): Promise<void>
}

export async function startJobWorker(app: WorkerNeeds): Promise<JobWorker> {
  const { jobs, config, metrics } = app
  const runs = new Map<string, JobRun>()
  const taken = new Map<string, JobTypeName>()
  const unsettled = new Map<string, { claim: Claim; settlement: Settlement; done: () => void }[]>()
  const warn = (what: string) => (error: unknown) => app.log.warn(what, errorFields(error))
  const subscription: Subscription = await jobs.engine.subscribe({
    kinds: jobs.kinds(),
    free,
    take,
  })
  const ears = listen(config.database_direct_url, CHANNEL, { onMessage: hear, onGap: () => subscription.wake() })
  const ticker = startLoop(tick, warn('worker loop failed'))
  return { stop }

  function free(type: JobTypeName): number {
    const ofType = [...taken.values()].filter((one) => one === type).length
    return Math.min(config.worker_slots - taken.size, (config.worker_types[type] ?? config.worker_slots) - ofType)
  }

  function take(deliveries: Delivery[]): void {
    for (const { id, type } of deliveries) {
      // The engine gave up on us, and gave it to us again: the earlier run is a zombie now.
      runs.get(id)?.stop('lost')
      runs.delete(id)
      taken.set(id, type)
    }
    for (const group of Map.groupBy(deliveries, ({ tenant }) => tenant).values()) void claim(group)
  }

  async function claim(deliveries: Delivery[]): Promise<void> {
    try {
      const claims = await retrying(() =>
        app.db.transaction(operator(deliveries[0]!.tenant, []), (tx) => jobs.claim(tx, deliveries)),
      )
      const wanted = new Set(claims.map(({ job }) => job.delivery!.id))
      for (const { id } of deliveries) if (!wanted.has(id)) release(id, null)
      for (const one of claims) void run(one)
    } catch (error) {
      warn('claiming jobs failed')(error)
      // Without a beat the engine soon brings them again.
      for (const { id } of deliveries) release(id, null)
    }
  }

  function release(delivery: string, run: JobRun | null): void {
    if (run !== null && runs.get(delivery) !== run) return
    runs.delete(delivery)
    taken.delete(delivery)
    subscription.drop(delivery)
  }

  async function run(claim: Claim): Promise<void> {
    const delivery = claim.job.delivery!.id
    const one = new JobRun(app.db, claim, jobs.handlerOf(claim.job)!)
    runs.set(delivery, one)
    const began = performance.now()
    const settlement = await one.finish((error) =>
      app.log.error('job failed', { job_id: claim.job.id, attempt: claim.attempt, ...errorFields(error) }),
    )
    metrics.job_seconds
      .labels(claim.job.type, settlement.outcome ?? 'gave_way')
      .observe((performance.now() - began) / 1000)
    if (settlement.place === 'backoff') metrics.job_retries.inc({ type: claim.job.type })
    await new Promise<void>((done) => settle(claim, settlement, done))
    release(delivery, one)
  }

  /** Ends of one tenant's runs are collected while an earlier batch of them is being written. */
  function settle(claim: Claim, settlement: Settlement, done: () => void): void {
    const { tenant } = claim.job.delivery!
    const waiting = unsettled.get(tenant)
    if (waiting) return void waiting.push({ claim, settlement, done })
    unsettled.set(tenant, [{ claim, settlement, done }])
    void flush(tenant)
  }

  async function flush(tenant: string): Promise<void> {
    for (let batch = unsettled.get(tenant)!; batch.length > 0; batch = unsettled.get(tenant)!) {
      unsettled.set(tenant, [])
      await settleAll(tenant, batch)
      for (const { done } of batch) done()
    }
    unsettled.delete(tenant)
  }

  async function settleAll(tenant: string, batch: readonly { claim: Claim; settlement: Settlement }[]): Promise<void> {
    try {
      await retrying(() => app.db.transaction(operator(tenant, []), (tx) => jobs.settle(tx, batch)))
    } catch (error) {
      // One that cannot be settled must not keep the others; it is left to the reconciler.
      if (batch.length > 1) await Promise.all(batch.map((one) => settleAll(tenant, [one])))
      else warn('settling a job failed')(error)
    }
  }

  async function retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let wait_ms = 50; ; wait_ms = Math.min(wait_ms * 2, 2_000)) {
      try {
        return await work()
      } catch (error) {
        if (!isPassing(error)) throw error
        warn('database unavailable, retrying')(error)
        await sleep(wait_ms)
      }
    }
  }

  function hear(payload: string): void {
    for (const { word, id } of readHints(payload)) {
      if (word === 'work') subscription.wake(id as JobTypeName)
      if (word === 'cancel') findRun(id)?.stop('cancelled')
    }
  }

  function findRun(job: string): JobRun | undefined {
    const id = toId('job', job)
    return [...runs.values()].find(({ claim }) => claim.job.id === id)
  }

  /** Once a second: stops cancelled and lost runs, writes progress, and picks runs that should give way. */
  async function tick(): Promise<number> {
    const mine = [...runs.values()]
    if (mine.length === 0) return TICK_MS
    const { rows: seen } = await app.system.query<{ id: string; lease: string | null; is_cancelled: boolean }>(
      `select j.id, j.lease, j.cancel_requested_at is not null as is_cancelled from unnest($1::uuid[], $2::uuid[]) as mine (tenant, id)
      join jobs j on j.tenant_id = mine.tenant and j.id = mine.id`,
      [mine.map(({ claim }) => claim.job.delivery!.tenant), mine.map(({ claim }) => uuid(claim.job.id))],
    )
    const byId = new Map(seen.map((row) => [toId('job', row.id), row]))
    for (const one of mine) {
      const row = byId.get(one.claim.job.id as never)
      if (row?.lease !== one.claim.lease) one.stop('lost')
      else if (row.is_cancelled) one.stop('cancelled')
    }
    for (const one of mine) if (one.untold) await tellProgress(one)
    await giveWay(mine)
    return TICK_MS
  }

  async function tellProgress(one: JobRun): Promise<void> {
    const told = one.untold!
    one.untold = null
    await app.db.transaction(one.caller, (tx) => jobs.tell(tx, one.claim, told))
  }

  /** A tenant that runs more than one that has waited lets one of its jobs go back to the line at its next step. */
  async function giveWay(mine: readonly JobRun[]): Promise<void> {
    if (mine.length < config.worker_slots) return
    const { rows: tenants } = await app.system.query<{ tenant_id: string; running: string; late: string }>(
      `select tenant_id, count(*) filter (where status = 'running') as running,
      count(*) filter (where status = 'queued' and type = any($1) and admitted_at < clock_timestamp() - ${PATIENCE}) as late
      from jobs where place = 'admitted' group by tenant_id`,
      [[...new Set(jobs.kinds().map(({ type }) => type))].filter((type) => config.worker_types[type] !== 0)],
    )
    const running = new Map(tenants.map((row) => [row.tenant_id, Number(row.running)]))
    const late = tenants.filter((row) => Number(row.late) > 0).toSorted((a, b) => Number(a.running) - Number(b.running))
    for (const { tenant_id, running: own } of late) {
      const most = mine.filter((one) => !one.mustGiveWay).toSorted((a, b) => held(b) - held(a))[0]
      if (
        !most ||
        most.caller.tenant === tenant_id ||
        held(most) <= Number(own) ||
        (Number(own) > 0 && held(most) < Number(own) + 2)
      )
        continue
      most.mustGiveWay = true
      running.set(most.caller.tenant, held(most) - 1)
    }
    function held(one: JobRun): number {
      return running.get(one.caller.tenant) ?? 0
    }
  }

  async function stop(): Promise<void> {
    await subscription.pause()
    await Promise.race([idle(), sleep(config.drain_ms, undefined, { ref: false })])
    for (const one of runs.values()) one.stop('shutdown')
    await Promise.race([idle(), sleep(GIVE_UP_MS, undefined, { ref: false })])
    await Promise.allSettled([subscription.stop(), ticker.stop(), ears.close()])
  }

  async function idle(): Promise<void> {
    while (taken.size > 0) await sleep(20)
  }
}
