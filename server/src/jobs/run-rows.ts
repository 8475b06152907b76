// Runs of jobs: the claim, its steps and its end. Statements that write name the lease, so that a lost run changes nothing.

import { required } from '@octavo/base/required.ts'
import type { JobAttempt, JobError, JobProgress } from '@octavo/contract'
import type { Reader, Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import { uuid } from '../lib/ids.ts'
import type { Delivery } from './engine.ts'
import { appended, COLUMNS, heardOf, type JobRow, type JobTableRow, queryJobs, TOUCH, toJob } from './rows.ts'

/** How a run ended. `outcome` null: it gave way, which is no attempt. */
export interface Settlement {
  id: string
  lease: string
  status: 'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'
  place: 'line' | 'backoff' | 'items' | null
  outcome: JobAttempt['outcome'] | null
  failed: 0 | 1
  wait_ms: number | null
  /** Why it waits, when it is not for a failure. */
  waiting_for: 'dependency' | 'provider_throttled' | null
  error: JobError | null
  warnings: string[]
  pages: number | null
  items_failed: number
  /** The part of the payload that is still needed; null: all of it. */
  payload: object | null
  progress: JobProgress | null
  stage: string | null
}

// The ids are also a condition beside the join, so that the planner never scans all jobs of a tenant.
const IS_CANCELLED = `j.cancel_requested_at is not null and e.status = 'queued'`
const ENDS_AS = `case when ${IS_CANCELLED} then 'cancelled' else e.status end`
const ENDS_IN = `case when ${IS_CANCELLED} then null else e.place end`
/** Running time of the attempt that ends now. */
const ELAPSED = '(extract(epoch from clock_timestamp() - j.attempt_started_at) * 1000)::bigint'
const SETTLE = sql(
  `update jobs j set status = ${ENDS_AS}, place = ${ENDS_IN}, ticket = null, lease = null, stage = case when e.place = 'items' then e.stage end,
  progress = coalesce(e.progress, j.progress), failures = j.failures + e.failed, items_failed = j.items_failed + e.items_failed,
  attempt = j.attempt - case when e.outcome is null and ${ENDS_AS} = 'queued' then 1 else 0 end,
  attempts = case when e.outcome is null then j.attempts else ${appended('e.outcome', 'e.error')} end,
  ran_ms = j.ran_ms + ${ELAPSED}, losses = 0,
  run_after = clock_timestamp() + e.wait_ms * interval '1 ms', waiting_for = e.waiting_for,
  finished_at = case when ${ENDS_IN} is null then clock_timestamp() end,
  error = case ${ENDS_AS} when 'cancelled' then coalesce(e.error, $4::jsonb) when 'queued' then null else e.error end,
  warnings = e.warnings, usage = jsonb_build_object('pages', coalesce(e.pages, 0), 'compute_ms', j.ran_ms + ${ELAPSED}),
  payload = case when e.status = 'succeeded' then '{}' else coalesce(e.payload, j.payload) end, ${TOUCH}
  from jsonb_to_recordset($3) as e (id uuid, lease uuid, status text, place text, outcome text, failed bigint, wait_ms bigint, waiting_for text, error jsonb, warnings jsonb,
    pages bigint, items_failed bigint, payload jsonb, progress jsonb, stage text)
  where j.tenant_id = $1 and j.id = any($5) and j.id = e.id and j.lease = e.lease and j.status = 'running'
  returning ${COLUMNS}, ${ELAPSED} as elapsed_ms,
  (select waiting from tenant_slots where tenant_id = $1) as waiting`,
  'job',
)

/** Only what the runs still hold; a zombie's is not among them. The rows must be locked. */
export async function settleJobs(
  tx: Tx,
  settlements: readonly Settlement[],
  cancelled: JobError,
): Promise<{ job: JobRow; elapsed_ms: number; waiting: number }[]> {
  const rows = await tx.rows<JobTableRow & { elapsed_ms: number; waiting: number }>(SETTLE, [
    JSON.stringify(settlements.map((e) => ({ ...e, id: uuid(e.id) }))),
    cancelled,
    settlements.map(({ id }) => uuid(id)),
  ])
  return rows.map(({ elapsed_ms, waiting, ...row }) => ({ job: toJob(tx, row), elapsed_ms, waiting }))
}

const EXTEND = sql(
  `update jobs set timeout_seconds = greatest(timeout_seconds, $4) where tenant_id = $1 and id = $3
  returning timeout_seconds * 1000 - ran_ms as left_ms`,
)

/** Returns how long the job may still run, counted from the beginning of this run. */
export async function extendTimeout(tx: Tx, id: string, seconds: number): Promise<number> {
  return (await tx.one<{ left_ms: number }>(EXTEND, [uuid(id), seconds])).left_ms
}

export interface Claim {
  job: JobRow
  delivery: Delivery
  lease: string
  payload: object
  attempt: number
  failures: number
  max_attempts: number
  losses: number
  is_taken_over: boolean
  left_ms: number
  stage: string | null
  /** Uuids; null: the whole tenant. */
  creator_project_ids: string[] | null
  /** Trace context of the request that created the job, if it was traced. */
  traceparent: string | null
}

// The steps are counted after the rows are locked. As a part of the locking query, the count crashed PostgreSQL 17.11
// (segmentation fault) when another worker claimed the job while its lock was awaited.
const CLAIM = sql(
  `with locked as materialized (
    select id, status from jobs where tenant_id = $1 and id = any($3) and ticket = any($4) and place = 'admitted' order by id for no key update
  ), before as materialized (
    select id, status, (select count(*) from job_steps s where s.tenant_id = $1 and s.job_id = locked.id and locked.status = 'running') as steps from locked
  )
  update jobs j set status = 'running', lease = gen_random_uuid(), attempt = attempt + 1,
  attempts = case when b.status = 'running' then ${appended(`'interrupted'`, 'null')} else attempts end,
  losses = case when b.status <> 'running' then losses when b.steps > steps_seen then 1 else losses + 1 end,
  steps_seen = case when b.status = 'running' then b.steps else steps_seen end,
  ran_ms = ran_ms + ${heardOf()}, started_at = coalesce(started_at, clock_timestamp()), attempt_started_at = clock_timestamp(), run_after = null,
  version = version + 1, updated_at = clock_timestamp(), told_at = clock_timestamp(), last_seq = last_seq + case when b.status = 'running' then 2 else 1 end
  from before b where j.tenant_id = $1 and j.id = any($3) and j.id = b.id
  returning ${COLUMNS}, j.lease, j.payload, j.attempt, j.failures, j.max_attempts, j.losses, j.stage, j.creator_project_ids, j.traceparent, b.status = 'running' as is_taken_over,
  j.timeout_seconds * 1000 - j.ran_ms as left_ms`,
  'job',
)
/** Takes the jobs behind deliveries; also those that another worker held, which the engine has given up. */
export async function claimJobs(tx: Tx, deliveries: readonly Delivery[]): Promise<Claim[]> {
  const rows = await tx.rows<JobTableRow & Omit<Claim, 'job' | 'delivery'>>(CLAIM, [
    deliveries.map(({ job }) => job),
    deliveries.map(({ id }) => id),
  ])
  return rows.map((row) => {
    const { lease, payload, attempt, failures, max_attempts, losses, is_taken_over, left_ms, stage, ...job } = row
    const { creator_project_ids, traceparent, ...rest } = job
    const run = { traceparent, lease, payload, attempt, failures, max_attempts, losses, is_taken_over, left_ms, stage }
    const claimed = toJob(tx, rest)
    return { job: claimed, delivery: required(claimed.delivery, 'delivery of a claim'), creator_project_ids, ...run }
  })
}

const HELD = `select id, cancel_requested_at is not null as is_cancelled from jobs
  where tenant_id = $1 and id = $3 and lease = $4 and status = 'running' for no key update`
const HOLD = sql(HELD, 'job')
type Hold = { is_cancelled: boolean } | null
function stopOf(held: Hold): 'lost' | 'cancelled' | null {
  if (held === null) return 'lost'
  return held.is_cancelled ? 'cancelled' : null
}
/** Why the run may not write any more; null: it may, until the transaction ends, since the row is locked. */
export const findStop = async (tx: Tx, id: string, lease: string): Promise<'lost' | 'cancelled' | null> =>
  stopOf(await tx.find<NonNullable<Hold>>(HOLD, [uuid(id), lease]))

const FORGET_STEPS = sql(`delete from job_steps where tenant_id = $1 and job_id = $3`)
export const forgetSteps = (tx: Tx, id: string): void => tx.queue(FORGET_STEPS, [uuid(id)])
const STEPS = sql('select name, output from job_steps where tenant_id = $1 and job_id = $3')
const FIND_STEP = sql('select name, output from job_steps where tenant_id = $1 and job_id = $3 and name = $4')
const INSERT_STEP = sql('insert into job_steps (tenant_id, job_id, name, output) values ($1, $3, $4, $5)')
interface StepRow {
  name: string
  output: { value: unknown }
}
export const listSteps = (db: Reader, id: string): Promise<StepRow[]> => db.rows<StepRow>(STEPS, [uuid(id)])
export const findStep = (db: Reader, id: string, name: string): Promise<StepRow | null> =>
  db.find<StepRow>(FIND_STEP, [uuid(id), name])
// The lock, the look at the lease and the checkpoint in one round trip. An earlier commit's answer may have been lost.
const KEEP_STEP = sql(`with held as materialized (${HELD}), kept as (
    insert into job_steps (tenant_id, job_id, name, output) select $1, id, $5, $6 from held where not is_cancelled on conflict do nothing
  )
  select is_cancelled from held`)
/** Why the run may not keep it any more; null: it is kept. */
export const keepStep = async (
  db: Reader,
  { job, lease }: Claim,
  name: string,
  value: unknown,
): Promise<'lost' | 'cancelled' | null> =>
  stopOf(await db.find<NonNullable<Hold>>(KEEP_STEP, [uuid(job.id), lease, name, { value }]))
export const insertStep = (tx: Tx, id: string, name: string, value: unknown): void =>
  tx.queue(INSERT_STEP, [uuid(id), name, { value }])

const TELL = sql(
  `update jobs j set progress = $5, stage = $6, ${TOUCH} where tenant_id = $1 and id = $3 and lease = $4 and status = 'running' returning ${COLUMNS}`,
  'job',
)
export const tellProgress = (
  tx: Tx,
  id: string,
  lease: string,
  at: { progress: JobProgress; stage: string | null },
): Promise<JobRow[]> => queryJobs(tx, TELL, [uuid(id), lease, at.progress, at.stage])
