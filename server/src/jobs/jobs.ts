// State changes of jobs, each in the caller's transaction: the row, the slot, the engine's delivery and the events
// change together or not at all.

import { firstOf, required } from '@octavo/base/required.ts'
import { currentSpan, type Span } from '@octavo/base/trace.ts'
import { type JobError, type JobProgress, type JobTypeName, priorities, type Tier } from '@octavo/contract'
import type { Tx } from '../db/database.ts'
import { record } from '../events/record.ts'
import { Failure } from '../lib/failure.ts'
import { newUuid, timeOfUuid, toId, uuid } from '../lib/ids.ts'
import type { Delivery, Engine } from './engine.ts'
import type { Hints } from './hints.ts'
import * as rows from './rows.ts'
import * as runRows from './run-rows.ts'
import * as slotRows from './slot-rows.ts'
import type { JobHandler, NewJobRow } from './types.ts'

const CANCELLED: JobError = { code: 'cancelled', message: 'The job was canceled before it finished.', details: [] }
type HandlerKey = Pick<rows.JobRow, 'type' | 'subject' | 'progress'>
// Others may count items too; only a batch is about itself.
const isBatch = ({ subject, progress }: HandlerKey): boolean => subject.object === 'job' && progress?.unit === 'items'
const handlerKey = (type: JobTypeName, is_batch: boolean): string => (is_batch ? `batch of ${type}` : type)
const uuidsOf = (jobs: readonly { id: string }[]): string[] => jobs.map(({ id }) => uuid(id))
const traceOf = (span: Span | undefined): { traceparent?: string } => (span ? { traceparent: span.traceparent } : {})
const isSuccess = (status: string): boolean => status === 'succeeded' || status === 'partially_succeeded'

export class Jobs {
  readonly engine: Engine
  readonly hints: Hints
  private readonly handlers = new Map<string, JobHandler>()
  private readonly tiers: Record<string, Tier>
  /** Slots of each tier. */
  readonly most: Record<string, number>

  constructor(engine: Engine, hints: Hints, tiers: Record<string, Tier>) {
    this.engine = engine
    this.hints = hints
    this.tiers = tiers
    this.most = Object.fromEntries(Object.entries(tiers).map(([name, tier]) => [name, tier.running_jobs]))
  }

  /** Every process needs them: what a job works on follows the job, also when the API cancels it. */
  use(handlers: readonly JobHandler[]): void {
    for (const handler of handlers) this.handlers.set(handlerKey(handler.type.name, handler.is_batch === true), handler)
  }

  handlerOf(job: HandlerKey): JobHandler | null {
    return this.handlers.get(handlerKey(job.type, isBatch(job))) ?? null
  }

  /**
   * All job types and payload versions that a worker accepts. A batch and its items may share a type and differ in
   * version.
   */
  kinds(): { type: JobTypeName; version: number }[] {
    const newest = new Map<JobTypeName, number>()
    for (const { type } of this.handlers.values())
      newest.set(type.name, Math.max(type.version, newest.get(type.name) ?? 0))
    return [...newest].flatMap(([type, version]) =>
      Array.from({ length: version }, (_, i) => ({ type, version: i + 1 })),
    )
  }

  async enqueue<P extends object>(tx: Tx, input: NewJobRow<P>): Promise<{ id: string }> {
    const id = input.id ? uuid(input.id) : newUuid()
    const { type, subject, project_id, document_id = null, parent_job_id = null, priority = 'normal' } = input
    const place = await slotRows.takeSlot(tx, this.most)
    const delivery = place.is_admitted ? newUuid() : null
    rows.insertJob(tx, {
      id,
      project_id,
      document_id,
      parent_job_id,
      type: type.name,
      payload_version: type.version,
      payload: input.payload,
      subject_object: subject.object,
      subject_id: subject.id === '' ? id : subject.id,
      priority: priorities.indexOf(priority),
      max_attempts: type.max_attempts,
      timeout_seconds: input.timeout_seconds ?? type.timeout_seconds,
      creator_project_ids: type.sees_all_projects ? null : tx.caller.projects,
      items_total: input.items_total ?? null,
      metadata: input.metadata ?? {},
      created_at: timeOfUuid(id),
      ticket: delivery,
      ...traceOf(currentSpan()),
    })
    const job = { id: toId('job', id), object: 'job', project_id, document_id, status: 'queued', seq: 1 }
    record(tx, 'job.queued', job)
    // The items of a batch were counted when the batch came.
    if (parent_job_id === null && !input.ignoresQueueLimit)
      this.refuseFull(tx, place.waiting + (input.jobs_to_come ?? 0))
    if (delivery)
      await this.start(tx, [
        { id: delivery, tenant: tx.caller.tenant, job: id, type: type.name, version: type.version },
      ])
    else if (!place.is_full) await this.fill(tx)
    return { id: job.id }
  }

  /** For callers that take other locks before they start a job: slots are always locked before jobs and documents. */
  lockSlots(tx: Tx): void {
    slotRows.lockSlots(tx)
  }

  /** Takes the locks in the order that prevents deadlocks: slots first, then jobs. */
  async lock(tx: Tx, job: { id: string; parent_job_id: string | null }): Promise<rows.JobRow | null> {
    slotRows.lockSlots(tx)
    const ids = [job.id, ...(job.parent_job_id ? [job.parent_job_id] : [])].map(uuid)
    const locked = await tx.allProjects(() => rows.lockJobs(tx, ids))
    return locked.find(({ id }) => id === job.id) ?? null
  }

  /** The same where only its id is known. */
  async lockById(tx: Tx, id: string): Promise<rows.JobRow | null> {
    const parent_job_id = await tx.allProjects((reader) => rows.findParent(reader, id))
    return this.lock(tx, { id, parent_job_id })
  }

  /** All live jobs of a document. Before the document is locked. */
  lockOf(tx: Tx, document_id: string): Promise<rows.JobRow[]> {
    slotRows.lockSlots(tx)
    return tx.allProjects(() => rows.lockJobsOf(tx, document_id))
  }

  /** Ends queued jobs at once and asks running ones to stop. The rows are locked. */
  async cancel(tx: Tx, jobs: readonly rows.JobRow[]): Promise<void> {
    if (jobs.length === 0) return
    const waiting = jobs.filter(({ status }) => status === 'queued')
    const running = jobs.filter(({ status }) => status === 'running')
    for (const job of running.length > 0 ? await rows.requestCancel(tx, uuidsOf(running)) : []) {
      record(tx, 'job.updated', job)
      tx.afterCommit(() => this.hints.cancel(uuid(job.id)))
    }
    if (waiting.length > 0) {
      await this.free(tx, waiting)
      await this.end(tx, await rows.endJobs(tx, uuidsOf(waiting), 'cancelled', CANCELLED))
    }
    for (const batch of jobs.filter(isBatch))
      await this.cancel(tx, await rows.lockItems(tx, batch.id, ['queued', 'running']))
    await this.fill(tx)
  }

  /** Runs ended jobs again; their finished steps stay. A batch takes its failed items along. */
  async requeue(tx: Tx, job: rows.JobRow): Promise<void> {
    if (!(await this.isRunnable(tx, job)))
      throw new Failure('invalid_state', `The resource of job '${job.id}' was deleted, so the job cannot run again.`)
    const items: rows.JobRow[] = []
    for (const item of isBatch(job) ? await rows.lockItems(tx, job.id, ['failed', 'cancelled']) : [])
      if (await this.isRunnable(tx, item)) items.push(item)
    const again = await rows.requeueJobs(tx, uuidsOf([job, ...items]))
    for (const one of again) {
      record(tx, 'job.queued', one)
      await this.handlerOf(one)?.follow?.(tx, one)
    }
    if (job.parent_job_id) await this.count(tx, job.parent_job_id, { done: 0, failed: -1 })
    slotRows.countSlots(tx, { used: 0, waiting: again.length })
    await this.fill(tx, true)
  }

  private async mirrorJobState(tx: Tx, job: rows.JobRow): Promise<void> {
    const handler = this.handlerOf(job)
    if (handler?.mirrorsJobState) await handler.follow?.(tx, job)
  }

  private async isRunnable(tx: Tx, job: rows.JobRow): Promise<boolean> {
    return (await this.handlerOf(job)?.isRunnable?.(tx, job)) ?? true
  }

  /** The deliveries of a worker that are still wanted. */
  async claim(tx: Tx, deliveries: readonly Delivery[]): Promise<runRows.Claim[]> {
    const claims = await runRows.claimJobs(tx, deliveries)
    for (const { job, is_taken_over } of claims) {
      if (is_taken_over) record(tx, 'job.queued', { ...job, status: 'queued', seq: job.seq - 1 })
      record(tx, 'job.running', job)
      await this.mirrorJobState(tx, job)
    }
    const wanted = new Set(claims.map(({ delivery }) => delivery.id))
    const stale = deliveries.filter(({ id }) => !wanted.has(id))
    if (stale.length > 0) await this.engine.forget(tx, stale)
    return claims
  }

  /** Ends runs and returns those that counted: a run that lost its lease changes nothing. */
  async settle(
    tx: Tx,
    ends: readonly { claim: runRows.Claim; settlement: runRows.Settlement }[],
  ): Promise<rows.JobRow[]> {
    slotRows.lockSlots(tx)
    rows.lockJobsFirst(
      tx,
      [
        ...new Set(ends.flatMap(({ claim: { job } }) => [job.id, ...(job.parent_job_id ? [job.parent_job_id] : [])])),
      ].map(uuid),
    )
    const settled = await runRows.settleJobs(
      tx,
      ends.map(({ settlement }) => settlement),
      CANCELLED,
    )
    if (settled.length === 0) return []
    const jobs = settled.map(({ job }) => job)
    const held = ends
      .filter(({ claim }) => jobs.some(({ id }) => id === claim.job.id))
      .map(({ claim }) => claim.delivery)
    await this.engine.forget(tx, held)
    const mean_ms = settled.reduce((sum, { elapsed_ms }) => sum + elapsed_ms, 0) / settled.length
    slotRows.countSlots(tx, {
      used: -settled.length,
      waiting: jobs.filter(({ status }) => status === 'queued').length,
      mean_ms,
    })
    await this.end(
      tx,
      jobs.filter(({ place }) => place === null),
    )
    for (const job of jobs.filter(({ place }) => place !== null)) {
      record(tx, job.status === 'queued' ? 'job.queued' : 'job.updated', job)
      await this.mirrorJobState(tx, job)
      if (job.place === 'items') await this.endBatch(tx, job)
    }
    // With an empty queue there is no job to admit.
    if (firstOf(settled).waiting > 0 || jobs.some(({ status }) => status === 'queued')) await this.fill(tx)
    return jobs
  }

  async tell(tx: Tx, claim: runRows.Claim, at: { progress: JobProgress; stage: string | null }): Promise<void> {
    for (const job of await runRows.tellProgress(tx, claim.job.id, claim.lease, at)) record(tx, 'job.updated', job)
  }

  /** Deletes the step results, when the job has succeeded or its subject is gone. */
  forgetSteps(tx: Tx, id: string): void {
    runRows.forgetSteps(tx, id)
  }

  /** Nothing of a purged document stays behind in its jobs. */
  forgetPayloads(tx: Tx, document_id: string): void {
    rows.forgetPayloads(tx, document_id)
  }

  /** A member of what a job was given; it can be taken once. */
  takeFromPayload<T>(tx: Tx, id: string, key: string): Promise<T | null> {
    return rows.takeFromPayload<T>(tx, id, key)
  }

  /** Queues a job again that the engine has lost, or whose worker is silent. */
  async recover(tx: Tx, delivery: Delivery): Promise<boolean> {
    slotRows.lockSlots(tx)
    const [job] = await rows.returnToLine(tx, toId('job', delivery.job), delivery.id)
    if (!job) return false
    await this.engine.forget(tx, [delivery])
    record(tx, 'job.queued', job)
    await this.mirrorJobState(tx, job)
    slotRows.countSlots(tx, { used: -1, waiting: 1 })
    await this.fill(tx)
    return true
  }

  /** Fills slots that became free unnoticed: after a change of tier, or a fault. */
  refill(tx: Tx): Promise<number> {
    slotRows.lockSlots(tx)
    return this.fill(tx)
  }

  /** Fills the tenant's free slots. */
  async fill(tx: Tx, isBounded = false): Promise<number> {
    const { deliveries, waiting } = await tx.allProjects(() => slotRows.admit(tx, this.most))
    if (isBounded) this.refuseFull(tx, waiting - deliveries.length)
    if (deliveries.length > 0) await this.start(tx, deliveries)
    return deliveries.length
  }

  private async start(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
    await this.engine.start(tx, deliveries)
    for (const type of new Set(deliveries.map((delivery) => delivery.type))) tx.afterCommit(() => this.hints.work(type))
  }

  private refuseFull(tx: Tx, waiting: number): void {
    const { queued_jobs } = required(this.tiers[tx.caller.tier], 'tier')
    if (waiting > queued_jobs) throw queueFull(queued_jobs)
  }

  /** Gives back what waiting jobs hold. */
  private async free(tx: Tx, jobs: readonly rows.JobRow[]): Promise<void> {
    const deliveries = jobs.flatMap(({ delivery }) => delivery ?? [])
    if (deliveries.length > 0) await this.engine.forget(tx, deliveries)
    slotRows.countSlots(tx, { used: -deliveries.length, waiting: deliveries.length - jobs.length })
  }

  /** For each ended job: records its event, lets the handler update the subject, and counts the job in its batch. */
  private async end(tx: Tx, jobs: readonly rows.JobRow[]): Promise<void> {
    for (const job of jobs) {
      record(tx, `job.${job.status}`, job)
      await this.handlerOf(job)?.follow?.(tx, job)
      const isDone = isSuccess(job.status)
      if (job.parent_job_id) await this.count(tx, job.parent_job_id, { done: isDone ? 1 : 0, failed: isDone ? 0 : 1 })
    }
  }

  /** In all projects, because a caller who sees the item may not see its batch. */
  private count(tx: Tx, batch_id: string, change: { done: number; failed: number }): Promise<void> {
    return tx.allProjects(async () => {
      const counted = await rows.countItem(tx, batch_id, change)
      if (counted?.is_told) record(tx, 'job.updated', counted.parent)
      if (counted?.parent.place === 'items') await this.endBatch(tx, counted.parent)
    })
  }

  /** An item of a batch that needs no job. The batch is locked. */
  countDone(tx: Tx, batch_id: string): Promise<void> {
    return this.count(tx, batch_id, { done: 1, failed: 0 })
  }

  /** Ends a batch when all its items have. */
  async endBatch(tx: Tx, batch: rows.JobRow): Promise<boolean> {
    const { completed, failed, total } = required(batch.progress, 'progress of a batch')
    if (completed + failed < (total ?? 0)) return false
    const status = batch.is_cancel_requested ? 'cancelled' : statusOfItems(completed, failed)
    const items: JobError = {
      code: 'items_failed',
      message: `${failed} of ${total} items failed. List the jobs of this batch to see why.`,
      details: [],
    }
    const failure = failed === 0 ? null : (batch.error ?? items)
    const error = batch.is_cancel_requested ? CANCELLED : failure
    await this.end(tx, await rows.endJobs(tx, [uuid(batch.id)], status, error))
    return true
  }
}

function statusOfItems(completed: number, failed: number): 'succeeded' | 'failed' | 'partially_succeeded' {
  if (failed === 0) return 'succeeded'
  return completed === 0 ? 'failed' : 'partially_succeeded'
}

function queueFull(most: number): Failure {
  return new Failure(
    'rate_limit_exceeded',
    'The tenant has too many waiting jobs. Repeat the request when some have finished.',
    {
      details: [
        { field: 'queue', location: 'limit', code: 'quota_exceeded', message: `At most ${most} jobs may wait.` },
      ],
      headers: { 'retry-after': '30' },
    },
  )
}
