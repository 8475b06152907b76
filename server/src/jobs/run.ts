// One run of one job: what its handler is given, and what its end means for the row.

import { setTimeout as sleep } from 'node:timers/promises'
import { Busy } from '@octavo/base/busy.ts'
import { traced } from '@octavo/base/trace.ts'
import { toError } from '@octavo/base/unknown.ts'
import type { JobError, JobProgress, Stage } from '@octavo/contract'
import type { Database, Tx } from '../db/database.ts'
import { isOutage, isPassing } from '../db/errors.ts'
import { StorageFull, StorageUnavailable } from '../files/store.ts'
import { type Caller, operator } from '../lib/caller.ts'
import * as runRows from './run-rows.ts'
import * as slotRows from './slot-rows.ts'
import { type JobEnd, JobFailure, type JobHandler, Postponed, type Run, Stop } from './types.ts'

/** How long a handler may take to stop before the job ends without it. */
const GRACE_MS = 5_000
const MAX_LOSSES = 10
/** From this attempt on, a timeout counts as a failure: the work is too slow, whatever the load. */
const MAX_BUSY_ATTEMPTS = 10
const LOST_CONNECTION_WAIT_MS = 2_000
const MAX_STORAGE_WAIT_MS = 30_000

/** Thrown at a step's beginning: another tenant has waited long enough. */
class GiveWay extends Error {}

export class JobRun {
  readonly claim: runRows.Claim
  readonly caller: Caller
  mustGiveWay = false
  /** Written to the row about once a second. */
  untold: { progress: JobProgress; stage: Stage | null } | null = null
  progress: JobProgress | null = null
  private stage: Stage | null
  private readonly began_ms = performance.now()
  private deadline: NodeJS.Timeout | undefined
  private readonly stopping = new AbortController()
  private readonly db: Database
  private readonly handler: JobHandler
  private steps: Map<string, unknown> | null = null
  /** In this run. */
  private hasFinishedStep = false

  constructor(db: Database, claim: runRows.Claim, handler: JobHandler) {
    this.db = db
    this.claim = claim
    this.handler = handler
    this.caller = { ...operator(claim.delivery.tenant, []), projects: claim.creator_project_ids }
    this.stage = claim.stage as Stage | null
  }

  stop(why: Stop['why']): void {
    this.stopping.abort(new Stop(why))
  }

  /** Never throws: how it went, as a settlement. */
  async finish(onError: (error: unknown) => void): Promise<runRows.Settlement> {
    const { claim } = this
    if (claim.losses >= MAX_LOSSES) return this.settle('failed', null, 'failed', { error: lostTooOften(claim.losses) })
    if (claim.job.is_cancel_requested) this.stop('cancelled')
    this.setDeadline(claim.left_ms)
    try {
      return this.endingOf(await this.attempt())
    } catch (error) {
      return this.failureOf(error, onError)
    } finally {
      clearTimeout(this.deadline)
    }
  }

  /** `left_ms` is counted from the beginning of this run. */
  private setDeadline(left_ms: number): void {
    clearTimeout(this.deadline)
    const wait_ms = this.began_ms + left_ms - performance.now()
    this.deadline = setTimeout(() => this.stop('timeout'), Math.max(0, Math.min(wait_ms, 2 ** 31 - 1)))
  }

  private async attempt(): Promise<JobEnd> {
    const { signal } = this.stopping
    const isOver = new AbortController()
    const late = new Promise<never>((_, reject) => {
      const wait = (): unknown =>
        sleep(GRACE_MS, undefined, { ref: false, signal: isOver.signal }).then(
          () => reject(toError(signal.reason)),
          () => {},
        )
      if (signal.aborted) wait()
      else signal.addEventListener('abort', wait, { once: true })
    })
    late.catch(() => {})
    try {
      return await Promise.race([this.handler.run(this.given(signal)), late])
    } finally {
      isOver.abort()
    }
  }

  private given(signal: AbortSignal): Run<object> {
    const { job, delivery, attempt, payload } = this.claim
    const { type } = this.handler
    const { version } = delivery
    return {
      tenant: this.caller.tenant,
      db: this.db.for(this.caller),
      job,
      attempt,
      signal,
      payload: version === type.version || !type.upgrade ? payload : type.upgrade(payload, version),
      step: (name, work, keep) =>
        this.step(name, async () => {
          const value = await work(signal)
          if (keep) await this.keepWith(name, value, keep)
          else await this.keep(name, value)
          return value
        }),
      write: (name, work, options = {}) =>
        this.step(name, () =>
          this.persist(async (tx) => {
            if (options.is_enqueuing) slotRows.lockSlots(tx)
            await this.hold(tx)
            // The answer to an earlier commit may have been lost.
            const done = await runRows.findStep(tx, job.id, name)
            if (done) return done.output.value as never
            const value = await work(tx)
            runRows.insertStep(tx, job.id, name, value)
            return value
          }, options.as),
        ),
      progress: (progress, stage) => {
        this.stage = stage ?? this.stage
        this.progress = progress
        this.untold = { progress, stage: this.stage }
      },
      allowSeconds: async (tx, seconds) => {
        const left_ms = await runRows.extendTimeout(tx, job.id, seconds)
        tx.afterCommit(() => this.setDeadline(left_ms))
      },
    }
  }

  private async step<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.stopping.signal.throwIfAborted()
    this.steps ??= await this.loadSteps()
    if (this.steps.has(name)) return this.steps.get(name) as T
    // Work before the first step, such as opening a file, is repeated by the next run. Under load, runs that gave way
    // before finishing a step would make no progress at all.
    if (this.mustGiveWay && this.hasFinishedStep) throw new GiveWay()
    const value = await traced(
      { name: `step ${name.replaceAll(/ [\da-f.-]+$/g, '')}`, attributes: { 'octavo.step': name } },
      work,
    )
    this.hasFinishedStep = true
    this.steps.set(name, value)
    return value
  }

  private async loadSteps(): Promise<Map<string, unknown>> {
    // A first run that was not interrupted has none.
    if (this.claim.attempt === 1 && this.claim.stage === null && this.claim.job.seq === 2) return new Map()
    const steps = await this.retrying(() => runRows.listSteps(this.db.for(this.caller), this.claim.job.id))
    return new Map(steps.map(({ name, output }) => [name, output.value]))
  }

  private async keep(name: string, value: unknown): Promise<void> {
    const why = await this.retrying(() => runRows.keepStep(this.db.for(this.caller), this.claim, name, value))
    if (why) throw new Stop(why)
  }

  private keepWith<T>(name: string, value: T, keep: (tx: Tx, value: T) => Promise<void> | void): Promise<void> {
    return this.persist(async (tx) => {
      await this.hold(tx)
      // The answer to an earlier commit may have been lost.
      if (await runRows.findStep(tx, this.claim.job.id, name)) return
      await keep(tx, value)
      runRows.insertStep(tx, this.claim.job.id, name, value)
    })
  }

  private async hold(tx: Tx): Promise<void> {
    const why = await runRows.findStop(tx, this.claim.job.id, this.claim.lease)
    if (why) throw new Stop(why)
  }

  private persist<T>(work: (tx: Tx) => Promise<T>, as = this.caller): Promise<T> {
    return this.retrying(() => this.db.transaction(as, work))
  }

  /** Retries while the database is unavailable, so that finished work is not lost and paid for twice. */
  private async retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let wait_ms = 100; ; wait_ms = Math.min(wait_ms * 2, 2_000)) {
      try {
        return await work()
      } catch (error) {
        if (!isPassing(error)) throw error
        this.stopping.signal.throwIfAborted()
        await sleep(wait_ms * (0.75 + Math.random() / 2), undefined, { signal: this.stopping.signal }).catch(() => {})
      }
    }
  }

  private endingOf({
    status,
    error,
    warnings = [],
    usage,
    is_waiting_for_items,
    items_failed = 0,
    payload,
  }: JobEnd): runRows.Settlement {
    const place = is_waiting_for_items ? 'items' : null
    return {
      ...this.settle(is_waiting_for_items ? 'running' : status, place, status, { error: error ?? null }),
      warnings,
      pages: usage?.pages ?? null,
      items_failed,
      payload: payload ?? null,
    }
  }

  private failureOf(error: unknown, onError: (error: unknown) => void): runRows.Settlement {
    if (error instanceof GiveWay) return this.settle('queued', 'line', null)
    const reason: unknown = this.stopping.signal.aborted ? this.stopping.signal.reason : null
    const stop = [error, reason].find((one) => one instanceof Stop)
    if (stop?.why === 'cancelled') return this.settle('cancelled', null, 'cancelled')
    if (stop?.why === 'timeout') return this.settle('failed', null, 'failed', { error: timedOut() })
    if (stop) return this.settle('queued', 'line', 'interrupted')
    if (isOutage(error)) return this.settle('queued', 'backoff', 'interrupted', { wait_ms: LOST_CONNECTION_WAIT_MS })
    const isStorageAway = error instanceof StorageUnavailable || error instanceof StorageFull
    const isBusy = error instanceof Busy || isPassing(error)
    if (isStorageAway || (isBusy && this.claim.attempt < MAX_BUSY_ATTEMPTS)) {
      onError(error)
      return this.settle('queued', 'backoff', 'interrupted', { wait_ms: this.backoff() })
    }
    if (error instanceof Postponed)
      return { ...this.settle('queued', 'backoff', null, { wait_ms: error.wait_ms }), waiting_for: error.waiting_for }
    const failure = error instanceof JobFailure ? error : null
    if (!failure) onError(error)
    const told: JobError = failure
      ? { code: failure.code, message: failure.message, details: failure.details }
      : {
          code: 'internal_error',
          message: 'Internal error. Run the job again; if it fails again, report the job id.',
          details: [],
        }
    const { failures, max_attempts } = this.claim
    if (failure?.is_final || failures + 1 >= max_attempts)
      return { ...this.settle('failed', null, 'failed', { error: told }), failed: 1 }
    const wait_ms = Math.round(5_000 * 3 ** failures * (0.8 + Math.random() * 0.4))
    return { ...this.settle('queued', 'backoff', 'failed', { error: told, wait_ms }), failed: 1 }
  }

  /** Exponential backoff while the storage is away or the machine is busy. It does not count towards the job's timeout. */
  private backoff(): number {
    const wait_ms = Math.min(LOST_CONNECTION_WAIT_MS * 2 ** Math.min(this.claim.attempt - 1, 10), MAX_STORAGE_WAIT_MS)
    return Math.round(wait_ms * (0.8 + Math.random() * 0.4))
  }

  private settle(
    status: runRows.Settlement['status'],
    place: runRows.Settlement['place'],
    outcome: runRows.Settlement['outcome'],
    more: { error?: JobError | null; wait_ms?: number } = {},
  ): runRows.Settlement {
    const { job, lease } = this.claim
    const base = {
      id: job.id,
      lease,
      failed: 0 as const,
      warnings: [],
      pages: null,
      items_failed: 0,
      payload: null,
      waiting_for: null,
      progress: this.progress,
      stage: this.stage,
    }
    return { ...base, status, place, outcome, error: more.error ?? null, wait_ms: more.wait_ms ?? null }
  }
}

const timedOut = (): JobError => ({
  code: 'job_timeout',
  message:
    'The job took longer than its timeout_seconds. Finished work is kept: run the job again, or send the request with a longer timeout.',
  details: [],
})
const lostTooOften = (losses: number): JobError => ({
  code: 'internal_error',
  message: `The worker died ${losses} times in a row in the same step of this job. Check the worker's log before you run it again.`,
  details: [],
})
