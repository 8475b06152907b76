// The worker: takes deliveries, runs their jobs, settles them. Several processes may work side by side.

import { setTimeout as sleep } from 'node:timers/promises'
import { firstOf } from '@octavo/base/required.ts'
import { runInSpan } from '@octavo/base/trace.ts'
import type { JobTypeName } from '@octavo/contract'
import type pg from 'pg'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { isPassing } from '../db/errors.ts'
import { type Listener, listen } from '../db/listen.ts'
import { operator } from '../lib/caller.ts'
import { toId } from '../lib/ids.ts'
import { type Loop, startLoop } from '../lib/loop.ts'
import { errorFields, type Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracer } from '../telemetry/tracing.ts'
import type { Delivery, Subscriber, Subscription } from './engine.ts'
import { CHANNEL, readHints } from './hints.ts'
import { endJobSpan, startJobSpan } from './job-span.ts'
import type { Jobs } from './jobs.ts'
import { JobRun } from './run.ts'
import type { Claim, Settlement } from './run-rows.ts'
import * as store from './worker.store.ts'
import { pickYielding } from './yielding.ts'

const TICK_MS = 1_000
const GIVE_UP_MS = 10_000

export interface WorkerNeeds {
  config: Pick<Config, 'database_direct_url' | 'worker_slots' | 'worker_types' | 'drain_ms'>
  db: Database
  system: pg.Pool
  jobs: Jobs
  log: Log
  metrics: Metrics
  tracer: Tracer | null
}

interface EndedRun {
  claim: Claim
  settlement: Settlement
  done: () => void
}

export class JobWorker implements Subscriber {
  readonly kinds: Subscriber['kinds']
  private readonly app: WorkerNeeds
  /** By delivery. */
  private readonly runs = new Map<string, JobRun>()
  private readonly taken = new Map<string, JobTypeName>()
  /** By tenant. */
  private readonly unsettled = new Map<string, EndedRun[]>()
  private subscription: Subscription | null = null
  private listener: Listener | null = null
  private ticker: Loop | null = null

  constructor(app: WorkerNeeds) {
    this.app = app
    this.kinds = app.jobs.kinds()
  }

  async start(): Promise<void> {
    this.subscription = await this.app.jobs.engine.subscribe(this)
    this.listener = listen(this.app.config.database_direct_url, CHANNEL, {
      onMessage: (payload) => this.receive(payload),
      onGap: () => this.subscription?.wake(),
    })
    this.ticker = startLoop(
      () => this.tick(),
      (error) => this.warn('worker loop failed', error),
    )
  }

  /** Waits a while for running jobs to finish, and gives the others back. */
  async stop(): Promise<void> {
    await this.subscription?.pause()
    await Promise.race([this.idle(), sleep(this.app.config.drain_ms, undefined, { ref: false })])
    for (const run of this.runs.values()) run.stop('shutdown')
    await Promise.race([this.idle(), sleep(GIVE_UP_MS, undefined, { ref: false })])
    await Promise.allSettled([this.subscription?.stop(), this.ticker?.stop(), this.listener?.close()])
  }

  free(type: JobTypeName): number {
    const { worker_slots, worker_types } = this.app.config
    const ofType = [...this.taken.values()].filter((one) => one === type).length
    return Math.min(worker_slots - this.taken.size, (worker_types[type] ?? worker_slots) - ofType)
  }

  take(deliveries: Delivery[]): void {
    for (const { id, type } of deliveries) {
      // The engine gave up on us, and gave it to us again: the earlier run is a zombie now.
      this.runs.get(id)?.stop('lost')
      this.runs.delete(id)
      this.taken.set(id, type)
    }
    for (const group of Map.groupBy(deliveries, ({ tenant }) => tenant).values()) void this.claim(group)
  }

  private async claim(deliveries: Delivery[]): Promise<void> {
    const { db, jobs } = this.app
    try {
      const caller = operator(firstOf(deliveries).tenant, [])
      const claims = await this.retrying(() => db.transaction(caller, (tx) => jobs.claim(tx, deliveries)))
      const claimed = new Set(claims.map(({ delivery }) => delivery.id))
      for (const { id } of deliveries) if (!claimed.has(id)) this.release(id, null)
      for (const one of claims) void this.run(one)
    } catch (error) {
      this.warn('claiming jobs failed', error)
      // Without a heartbeat the engine soon delivers them again.
      for (const { id } of deliveries) this.release(id, null)
    }
  }

  private release(delivery: string, run: JobRun | null): void {
    if (run !== null && this.runs.get(delivery) !== run) return
    this.runs.delete(delivery)
    this.taken.delete(delivery)
    this.subscription?.drop(delivery)
  }

  private async run(claim: Claim): Promise<void> {
    const { db, jobs, log, metrics, tracer } = this.app
    const { job, delivery, attempt } = claim
    const handler = jobs.handlerOf(job)
    // Not expected, since `kinds` names only jobs with a handler. The engine delivers it again, perhaps to another release.
    if (handler === null) return this.release(delivery.id, null)
    const run = new JobRun(db, claim, handler)
    this.runs.set(delivery.id, run)
    const began = performance.now()
    const span = startJobSpan(tracer, claim)
    const settlement = await runInSpan(span, () =>
      run.finish((error) => log.error('job failed', { job_id: job.id, attempt, ...errorFields(error) })),
    )
    endJobSpan(span, settlement)
    metrics.job_seconds.labels(job.type, settlement.outcome ?? 'gave_way').observe((performance.now() - began) / 1000)
    if (settlement.place === 'backoff') metrics.job_retries.inc({ type: job.type })
    await new Promise<void>((done) => this.settle({ claim, settlement, done }))
    this.release(delivery.id, run)
  }

  /** Ends of one tenant's runs are collected while an earlier batch of them is being written. */
  private settle(ended: EndedRun): void {
    const { tenant } = ended.claim.delivery
    const waiting = this.unsettled.get(tenant)
    if (waiting) return void waiting.push(ended)
    const batch = [ended]
    this.unsettled.set(tenant, batch)
    void this.flush(tenant, batch)
  }

  private async flush(tenant: string, first: EndedRun[]): Promise<void> {
    let batch = first
    while (batch.length > 0) {
      const next: EndedRun[] = []
      this.unsettled.set(tenant, next)
      await this.settleAll(tenant, batch)
      for (const { done } of batch) done()
      batch = next
    }
    this.unsettled.delete(tenant)
  }

  private async settleAll(tenant: string, batch: readonly EndedRun[]): Promise<void> {
    const { db, jobs } = this.app
    try {
      await this.retrying(() => db.transaction(operator(tenant, []), (tx) => jobs.settle(tx, batch)))
    } catch (error) {
      // One that cannot be settled must not keep the others; it is left to the reconciler.
      if (batch.length > 1) await Promise.all(batch.map((one) => this.settleAll(tenant, [one])))
      else this.warn('settling a job failed', error)
    }
  }

  private async retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let wait_ms = 50; ; wait_ms = Math.min(wait_ms * 2, 2_000)) {
      try {
        return await work()
      } catch (error) {
        if (!isPassing(error)) throw error
        this.warn('database unavailable, retrying', error)
        await sleep(wait_ms)
      }
    }
  }

  private receive(payload: string): void {
    for (const { word, id } of readHints(payload)) {
      if (word === 'work') this.subscription?.wake(id as JobTypeName)
      if (word === 'cancel') this.findRun(id)?.stop('cancelled')
    }
  }

  private findRun(job: string): JobRun | undefined {
    const id = toId('job', job)
    return [...this.runs.values()].find(({ claim }) => claim.job.id === id)
  }

  /** Once a second: stops cancelled and lost runs, writes progress, and picks runs that should give way. */
  private async tick(): Promise<number> {
    const runs = [...this.runs.values()]
    if (runs.length === 0) return TICK_MS
    const states = await store.readRunStates(
      this.app.system,
      runs.map(({ claim }) => claim),
    )
    for (const run of runs) {
      const state = states.get(run.claim.job.id)
      if (state?.lease !== run.claim.lease) run.stop('lost')
      else if (state.is_cancelled) run.stop('cancelled')
    }
    for (const run of runs) await this.writeProgress(run)
    await this.giveWay(runs)
    return TICK_MS
  }

  private async writeProgress(run: JobRun): Promise<void> {
    const { db, jobs } = this.app
    const { untold } = run
    if (!untold) return
    run.untold = null
    await db.transaction(run.caller, (tx) => jobs.tell(tx, run.claim, untold))
  }

  /** A tenant that runs more than one that has waited lets one of its jobs go back to the queue at its next step. */
  private async giveWay(runs: readonly JobRun[]): Promise<void> {
    const { config, system } = this.app
    if (runs.length < config.worker_slots) return
    const types = new Set(this.kinds.map(({ type }) => type).filter((type) => config.worker_types[type] !== 0))
    const loads = await store.listLoads(system, [...types])
    const candidates = runs.filter((run) => !run.mustGiveWay)
    for (const run of pickYielding(candidates, loads, ({ caller }) => caller.tenant)) run.mustGiveWay = true
  }

  private async idle(): Promise<void> {
    while (this.taken.size > 0) await sleep(20)
  }

  private warn(event: string, error: unknown): void {
    this.app.log.warn(event, errorFields(error))
  }
}
