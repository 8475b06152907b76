// The statements of the job system. Lock order everywhere: the tenant's slots, then jobs by id, then what they work on.

import {
  type JobAttempt,
  type JobError,
  type JobProgress,
  type JobTypeName,
  type ObjectName,
  objectPrefixes,
  priorities,
} from '@octavo/contract'
import type { Reader, Tx } from '../db/database.ts'
import { JOB_PROGRESS } from '../db/job-columns.ts'
import { sql } from '../db/statement.ts'
import { expression, insertInto, type NewRow } from '../db/tables.ts'
import { toId, uuid } from '../lib/ids.ts'
import { itemAt, required } from '../lib/required.ts'
import type { Delivery } from './engine.ts'
import type { JobInfo } from './types.ts'

interface JobTableRow {
  id: string
  type: JobTypeName
  payload_version: number
  status: JobInfo['status']
  place: 'line' | 'admitted' | 'backoff' | 'items' | null
  ticket: string | null
  subject_object: string
  subject_id: string
  project_id: string | null
  document_id: string | null
  parent_job_id: string | null
  priority: number
  progress: JobProgress | null
  error: JobError | null
  cancel_requested_at: string | null
  last_seq: number
  version: number
}

export interface JobRow extends JobInfo {
  object: 'job'
  place: JobTableRow['place']
  delivery: Delivery | null
  is_cancel_requested: boolean
  seq: number
  version: number
}

const COLUMNS = `j.id, j.type, j.payload_version, j.status, j.place, j.ticket, j.subject_object, j.subject_id, j.project_id, j.document_id,
  j.parent_job_id, j.priority, ${JOB_PROGRESS}, j.error, j.cancel_requested_at, j.last_seq, j.version`

function toJob(tx: Reader, row: JobTableRow): JobRow {
  const { subject_object, subject_id, payload_version, cancel_requested_at, ticket: delivery, ...rest } = row
  return {
    ...rest,
    object: 'job',
    subject: { object: subject_object, id: toId(objectPrefixes[subject_object as ObjectName], subject_id) },
    priority: itemAt(priorities, row.priority),
    is_cancel_requested: cancel_requested_at !== null,
    seq: row.last_seq,
    delivery:
      delivery === null
        ? null
        : { id: delivery, tenant: tx.caller.tenant, job: uuid(row.id), type: row.type, version: payload_version },
  }
}

async function jobs(tx: Tx, statement: ReturnType<typeof sql>, values: Parameters<Tx['rows']>[1]): Promise<JobRow[]> {
  return (await tx.rows<JobTableRow>(statement, values)).map((row) => toJob(tx, row))
}

/** `ticket`: it has a slot already. */
export function insertJob(tx: Tx, row: Omit<NewRow<'jobs'>, 'status' | 'queued_at' | 'updated_at'>): void {
  const { ticket = null, created_at } = row
  const admission =
    ticket === null ? { place: 'line' } : { place: 'admitted', admitted_at: expression('clock_timestamp()') }
  const times = { queued_at: created_at, updated_at: created_at }
  tx.queue(...insertInto('jobs', { ...row, ...times, ...admission, status: 'queued', last_seq: 1 }))
}

// Every change of slots or of the queue updates this row, which serializes the changes of one tenant.
const COUNT = sql(`update tenant_slots set used = used + $3, waiting = waiting + $4,
  mean_ms = case when $5::float8 is null then mean_ms else coalesce(mean_ms * 0.9 + $5::float8 * 0.1, $5::float8) end where tenant_id = $1`)
// A new job takes a free slot at once if no other job waits.
const TAKE = sql(`update tenant_slots s set used = used + case when waiting = 0 and used < most then 1 else 0 end,
  waiting = waiting + case when waiting = 0 and used < most then 0 else 1 end
  from (select coalesce(($3::jsonb ->> tier)::bigint, 0) as most from tenants where id = $1) t where tenant_id = $1
  returning waiting, waiting = 0 as is_admitted, used >= most as is_full`)
/** Counts one new job and returns whether it has a slot; if not, how many jobs wait and whether all slots are taken. */
export const takeSlot = async (
  tx: Tx,
  most: Record<string, number>,
): Promise<{ waiting: number; is_admitted: boolean; is_full: boolean }> =>
  tx.one<{ waiting: number; is_admitted: boolean; is_full: boolean }>(TAKE, [most])

const LOCK = sql('select from tenant_slots where tenant_id = $1 for no key update')
/** Sent with the next statement. */
export const lockSlots = (tx: Tx): void => tx.queue(LOCK)
export const countSlots = (tx: Tx, change: { used: number; waiting: number; mean_ms?: number | null }): void =>
  tx.queue(COUNT, [change.used, change.waiting, change.mean_ms ?? null])

// A separate statement after the lock: its snapshot then includes everything that the previous lock holder committed.
const ADMIT = sql(`with slot as materialized (
    select s.used, s.waiting, coalesce(($3::jsonb ->> t.tier)::bigint, 0) as most from tenant_slots s join tenants t on t.id = s.tenant_id where s.tenant_id = $1
  ), picked as (
    select id from jobs where tenant_id = $1 and place = 'line' order by priority desc, id
    limit (select greatest(0, most - used) from slot) for no key update
  ), admitted as (
    update jobs j set place = 'admitted', ticket = gen_random_uuid(), admitted_at = clock_timestamp()
    from picked where j.tenant_id = $1 and j.id = picked.id returning j.id as job, j.type, j.payload_version as version, j.ticket as id
  ), counted as (
    update tenant_slots set used = used + a.count, waiting = waiting - a.count
    from (select count(*) as count from admitted) a where tenant_id = $1 and a.count > 0
  )
  select s.waiting, a.* from slot s left join admitted a on true`)

/** Fills free slots from the line; also says how many waited before. */
export async function admit(
  tx: Tx,
  most: Record<string, number>,
): Promise<{ deliveries: Delivery[]; waiting: number }> {
  const rows = await tx.rows<Delivery & { waiting: number }>(ADMIT, [most])
  const { tenant } = tx.caller
  const deliveries = rows
    .filter(({ id }) => id !== null)
    .map(({ id, job, type, version }) => ({ id, job, type, version, tenant }))
  return { deliveries, waiting: rows[0]?.waiting ?? 0 }
}

const LOCK_JOBS = sql(
  `select ${COLUMNS} from jobs j where tenant_id = $1 and id = any($3) order by id for no key update`,
  'job',
)
export const lockJobs = (tx: Tx, ids: readonly string[]): Promise<JobRow[]> => jobs(tx, LOCK_JOBS, [ids])
/** Sent with the next statement, which then sees them as they are. */
export const lockJobsFirst = (tx: Tx, ids: readonly string[]): void => tx.queue(LOCK_JOBS, [ids])
const FORGET_STEPS = sql(`delete from job_steps where tenant_id = $1 and job_id = $3`)
export const forgetSteps = (tx: Tx, id: string): void => tx.queue(FORGET_STEPS, [uuid(id)])
const FIND_PARENT = sql(`select parent_job_id from jobs where tenant_id = $1 and id = $3`)
export async function findParent(db: Reader, id: string): Promise<string | null> {
  return (await db.find<{ parent_job_id: string | null }>(FIND_PARENT, [uuid(id)]))?.parent_job_id ?? null
}
const LOCK_OF_DOCUMENT = sql(
  `select ${COLUMNS} from jobs j where tenant_id = $1 and (document_id = $3 and place is not null or id in (
    select parent_job_id from jobs i where i.tenant_id = $1 and i.document_id = $3 and i.place is not null)) order by id for no key update`,
  'job',
)
/** The live jobs of a document. Their batches are locked as well. */
export async function lockJobsOf(tx: Tx, document_id: string): Promise<JobRow[]> {
  return (await jobs(tx, LOCK_OF_DOCUMENT, [uuid(document_id)])).filter((job) => job.document_id === document_id)
}
const LOCK_ITEMS = sql(
  `select ${COLUMNS} from jobs j where tenant_id = $1 and parent_job_id = $3 and status = any($4) order by id for no key update`,
  'job',
)
export const lockItems = (tx: Tx, parent_id: string, statuses: readonly string[]): Promise<JobRow[]> =>
  jobs(tx, LOCK_ITEMS, [uuid(parent_id), statuses])

const TOUCH =
  'version = version + 1, updated_at = clock_timestamp(), told_at = clock_timestamp(), last_seq = last_seq + 1'

const END = sql(
  `update jobs j set status = $4, place = null, ticket = null, lease = null, stage = null, finished_at = clock_timestamp(), error = $5,
  payload = case when $4 in ('succeeded', 'partially_succeeded') then '{}' else j.payload end, ${TOUCH}
  where tenant_id = $1 and id = any($3) returning ${COLUMNS}`,
  'job',
)
/** Ends jobs that no run holds. */
export const endJobs = (tx: Tx, ids: readonly string[], status: string, error: JobError | null): Promise<JobRow[]> =>
  jobs(tx, END, [ids, status, error])

const REQUEST_CANCEL = sql(
  `update jobs j set cancel_requested_at = clock_timestamp(), ${TOUCH} where tenant_id = $1 and id = any($3) and cancel_requested_at is null returning ${COLUMNS}`,
  'job',
)
export const requestCancel = (tx: Tx, ids: readonly string[]): Promise<JobRow[]> => jobs(tx, REQUEST_CANCEL, [ids])

const REQUEUE = sql(
  `update jobs j set status = 'queued', place = 'line', failures = 0, losses = 0, ran_ms = 0, run_after = null, items_failed = 0,
  -- What it made stays made: only items that have not succeeded are still to be waited for.
  items_done = case when items_total is null then 0 else (select count(*) from job_steps s where s.tenant_id = $1 and s.job_id = j.id and s.name like 'input %')
    - (select count(*) from jobs i where i.tenant_id = $1 and i.parent_job_id = j.id and i.status not in ('succeeded', 'partially_succeeded')) end, queued_at = clock_timestamp(),
  finished_at = null, cancel_requested_at = null, error = null, ${TOUCH} where tenant_id = $1 and id = any($3) returning ${COLUMNS}`,
  'job',
)
export const requeueJobs = (tx: Tx, ids: readonly string[]): Promise<JobRow[]> => jobs(tx, REQUEUE, [ids])

const LOST = sql(
  `update jobs j set status = 'queued', place = 'line', ticket = null, lease = null, ran_ms = ran_ms + ${heardOf()},
  attempts = case when status = 'running' then ${appended(`'interrupted'`, 'null')} else attempts end, ${TOUCH}
  where tenant_id = $1 and id = $3 and ticket = $4 and place = 'admitted' returning ${COLUMNS}`,
  'job',
)
/** Queues the job again: no worker holds this delivery any more. */
export const returnToLine = (tx: Tx, id: string, delivery: string): Promise<JobRow[]> =>
  jobs(tx, LOST, [uuid(id), delivery])

const FORGET = sql(`update jobs set payload = '{}' where tenant_id = $1 and document_id = $3 and payload <> '{}'`)
/** Clears the payloads of a deleted document's jobs, which may contain its text. */
export const forgetPayloads = (tx: Tx, document_id: string): void => tx.queue(FORGET, [uuid(document_id)])

const TAKE_FROM_PAYLOAD = sql(
  `with was as (select payload -> $4 as value from jobs where tenant_id = $1 and id = $3 and payload ? $4 for no key update)
  update jobs set payload = payload - $4 from was where tenant_id = $1 and id = $3 returning was.value`,
)
/** A member of what the job was given, which is not there any more then. */
export const takeFromPayload = async <T>(tx: Tx, id: string, key: string): Promise<T | null> =>
  (await tx.find<{ value: T }>(TAKE_FROM_PAYLOAD, [uuid(id), key]))?.value ?? null

const DUE = sql(`update jobs set place = 'line' where tenant_id = $1 and place = 'backoff' and run_after <= now()`)
export const lineUpDue = (tx: Tx): void => tx.queue(DUE)

// `is_due` is computed once: two reads of the clock could disagree, and an event number would be skipped.
const COUNT_ITEM = sql(
  `with was as (
    select place is not null and told_at < clock_timestamp() - interval '1 s' as is_due from jobs
    where tenant_id = $1 and id = $3 and (place is not null or items_done + items_failed < items_total) for no key update
  )
  update jobs j set items_done = items_done + $4, items_failed = items_failed + $5, version = version + 1, updated_at = clock_timestamp(),
  last_seq = last_seq + case when was.is_due then 1 else 0 end, told_at = case when was.is_due then clock_timestamp() else told_at end
  from was where tenant_id = $1 and id = $3 returning ${COLUMNS}, coalesce(was.is_due, false) as is_told`,
  'job',
)
/** Also of a batch that was cancelled before all its items had ended. null: the batch has ended and all are counted. */
export async function countItem(
  tx: Tx,
  parent_id: string,
  change: { done: number; failed: number },
): Promise<{ parent: JobRow; is_told: boolean } | null> {
  const row = await tx.find<JobTableRow & { is_told: boolean }>(COUNT_ITEM, [
    uuid(parent_id),
    change.done,
    change.failed,
  ])
  return row && { parent: toJob(tx, row), is_told: row.is_told }
}

/** Running time of an attempt whose worker was lost, up to its last sign of life. */
function heardOf(): string {
  return `case when j.status = 'running' then (extract(epoch from greatest(j.updated_at, j.attempt_started_at) - j.attempt_started_at) * 1000)::bigint else 0 end`
}

function iso(time: string): string {
  return `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** The list of attempts with the one that ends now; only the last hundred are kept. */
function appended(outcome: string, error: string): string {
  const times = `'started_at', ${iso('j.attempt_started_at')}, 'ended_at', ${iso('clock_timestamp()')}`
  return `(case when jsonb_array_length(j.attempts) > 99 then j.attempts - 0 else j.attempts end)
    || jsonb_build_object('number', j.attempt, ${times}, 'outcome', ${outcome}, 'error', ${error})`
}

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
}

const CLAIM = sql(
  `with before as (
    select id, status, (select count(*) from job_steps s where s.tenant_id = $1 and s.job_id = jobs.id and jobs.status = 'running') as steps
    from jobs where tenant_id = $1 and id = any($3) and ticket = any($4) and place = 'admitted' order by id for no key update
  )
  update jobs j set status = 'running', lease = gen_random_uuid(), attempt = attempt + 1,
  attempts = case when b.status = 'running' then ${appended(`'interrupted'`, 'null')} else attempts end,
  losses = case when b.status <> 'running' then losses when b.steps > steps_seen then 1 else losses + 1 end,
  steps_seen = case when b.status = 'running' then b.steps else steps_seen end,
  ran_ms = ran_ms + ${heardOf()}, started_at = coalesce(started_at, clock_timestamp()), attempt_started_at = clock_timestamp(), run_after = null,
  version = version + 1, updated_at = clock_timestamp(), told_at = clock_timestamp(), last_seq = last_seq + case when b.status = 'running' then 2 else 1 end
  from before b where j.tenant_id = $1 and j.id = any($3) and j.id = b.id
  returning ${COLUMNS}, j.lease, j.payload, j.attempt, j.failures, j.max_attempts, j.losses, j.stage, j.creator_project_ids, b.status = 'running' as is_taken_over,
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
    const { creator_project_ids, ...rest } = job
    const run = { lease, payload, attempt, failures, max_attempts, losses, is_taken_over, left_ms, stage }
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
): Promise<JobRow[]> => jobs(tx, TELL, [uuid(id), lease, at.progress, at.stage])
