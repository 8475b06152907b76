// Job types, new jobs, and the interface between the worker and its handlers.

import type {
  JobError,
  JobErrorCode,
  JobProgress,
  JobStatus,
  JobTypeName,
  ObjectName,
  Priority,
  Stage,
} from '@octavo/contract'
import type { Db, Tx } from '../db/database.ts'
import type { Caller } from '../lib/caller.ts'

/** A kind of job. The payload's shape has a version, so that workers of two releases can run side by side. */
export interface JobType<P extends object> {
  readonly name: JobTypeName
  readonly version: number
  readonly max_attempts: number
  /** Running time; the default where the job does not say. */
  readonly timeout_seconds: number
  /** Work of the operator, in all projects of the tenant. Other jobs see the projects of their creator. */
  readonly sees_all_projects?: boolean
  /** Makes a payload of an older version one of this version. */
  upgrade?(payload: object, version: number): P
}

export const defineJob = <P extends object>(type: JobType<P>): JobType<P> => type

/** A job to enqueue. Ids are TypeIDs. */
export interface NewJobRow<P extends object> {
  /** Set when the resource's row must contain the job id before the job exists. */
  id?: string
  type: JobType<P>
  payload: P
  subject: { object: ObjectName; id: string }
  project_id: string | null
  document_id?: string | null
  parent_job_id?: string | null
  priority?: Priority
  timeout_seconds?: number
  /** Also when the tenant's queue is full. */
  ignoresQueueLimit?: boolean
  /** Batches only: how many jobs it will start, and how many items it will have. */
  jobs_to_come?: number
  items_total?: number
  metadata?: Record<string, string>
}

/** A job as its handler sees it. */
export interface JobInfo {
  id: string
  type: JobTypeName
  status: JobStatus
  subject: { object: string; id: string }
  project_id: string | null
  document_id: string | null
  parent_job_id: string | null
  priority: Priority
  progress: JobProgress | null
  error: JobError | null
}

/** How a run ended, when it did not throw. */
export interface JobEnd {
  status: 'succeeded' | 'partially_succeeded'
  error?: JobError
  warnings?: string[]
  usage?: { pages: number }
  /** Batches only: inputs that never became items. */
  items_failed?: number
  /** The part of the payload that a rerun still needs. */
  payload?: object
  /** The batch ends when its items have ended; until then it holds no slot. */
  is_waiting_for_items?: boolean
}

interface WriteOptions {
  /** The caller to act as, instead of the system. */
  as?: Caller
  /** Starts jobs: slots are locked before jobs, here as everywhere. */
  is_enqueuing?: boolean
}

export interface Run<P extends object> {
  /** uuid. */
  readonly tenant: string
  /** Reads as the system, in the projects that the job's creator could see. */
  readonly db: Db
  readonly job: JobInfo
  readonly payload: P
  readonly attempt: number
  /** Aborted on cancel, timeout, shutdown, or when the job went to another worker. `reason` is a `Stop`. */
  readonly signal: AbortSignal
  /**
   * A checkpoint: once `work` has finished, its result is stored and it never runs again. `keep` writes related rows,
   * such as the cost, in the checkpoint's transaction.
   */
  step<T>(
    name: string,
    work: (signal: AbortSignal) => Promise<T>,
    keep?: (tx: Tx, value: T) => Promise<void> | void,
  ): Promise<T>
  /** The same for work that is one transaction: effect and checkpoint commit together, so it happens exactly once. */
  write<T>(name: string, work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  progress(progress: JobProgress, stage?: Stage): void
  /** In a write, when it is known how much there is to do: it may run so long in all, and never less than before. */
  allowSeconds(tx: Tx, seconds: number): Promise<void>
}

/** Made by `<resource>Handlers(app): JobHandler[]` in a `.worker.ts`, which `server/src/worker.ts` lists. */
export interface JobHandler<P extends object = object> {
  readonly type: JobType<P>
  /** The handler creates the items of a batch. A batch has the type of its items, so the type alone is ambiguous. */
  readonly is_batch?: boolean
  run(run: Run<P>): Promise<JobEnd>
  /**
   * In the transaction of the job's end (and of its being queued again): what the job works on follows it. Also where
   * there is no worker: a cancel by the API.
   */
  follow?(tx: Tx, job: JobInfo): Promise<void>
  /** It also follows when the job begins and when it goes back into the line: it shows the job's own states. */
  readonly mirrorsJobState?: boolean
  /** Whether the job's subject still exists, so that it can run again. */
  isRunnable?(tx: Tx, job: JobInfo): Promise<boolean>
}

/** Why a signal was aborted. */
export class Stop extends Error {
  readonly why: 'cancelled' | 'timeout' | 'shutdown' | 'lost'
  constructor(why: Stop['why']) {
    super(`The job was stopped: ${why}.`)
    this.why = why
  }
}

/** Thrown by a handler that cannot continue yet, through no fault of the job. The job is retried after `wait_ms`. */
export class Postponed extends Error {
  readonly waiting_for: 'dependency' | 'provider_throttled'
  readonly wait_ms: number
  constructor(waiting_for: Postponed['waiting_for'], wait_ms: number, cause?: unknown) {
    super(`The job waits: ${waiting_for}.`, { cause })
    this.waiting_for = waiting_for
    this.wait_ms = wait_ms
  }
}

/** Thrown by a handler to fail the job with a reason that is shown to its owner. */
export class JobFailure extends Error {
  readonly code: JobErrorCode
  readonly details: JobError['details']
  /** Trying again would not help. */
  readonly is_final: boolean
  constructor(
    code: JobErrorCode,
    message: string,
    more: { details?: JobError['details']; is_final?: boolean; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
    this.code = code
    this.details = more.details ?? []
    this.is_final = more.is_final ?? true
  }
}
