// The statements of the job system. Lock order everywhere: the tenant's slots, then jobs by id, then what they work on.

import { itemAt } from '@octavo/base/required.ts'
import {
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
import type { Delivery } from './engine.ts'
import type { JobInfo } from './types.ts'

export interface JobTableRow {
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

export const COLUMNS = `j.id, j.type, j.payload_version, j.status, j.place, j.ticket, j.subject_object, j.subject_id, j.project_id, j.document_id,
  j.parent_job_id, j.priority, ${JOB_PROGRESS}, j.error, j.cancel_requested_at, j.last_seq, j.version`

export function toJob(tx: Reader, row: JobTableRow): JobRow {
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

export async function queryJobs(
  tx: Tx,
  statement: ReturnType<typeof sql>,
  values: Parameters<Tx['rows']>[1],
): Promise<JobRow[]> {
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

const LOCK_JOBS = sql(
  `select ${COLUMNS} from jobs j where tenant_id = $1 and id = any($3) order by id for no key update`,
  'job',
)
export const lockJobs = (tx: Tx, ids: readonly string[]): Promise<JobRow[]> => queryJobs(tx, LOCK_JOBS, [ids])
/** Sent with the next statement, which then sees them as they are. */
export const lockJobsFirst = (tx: Tx, ids: readonly string[]): void => tx.queue(LOCK_JOBS, [ids])
const FIND_PARENT = sql(`select parent_job_id from jobs where tenant_id = $1 and id = $3`)
export async function findParent(db: Reader, id: string): Promise<string | null> {
  return (await db.find<{ parent_job_id: string | null }>(FIND_PARENT, [uuid(id)]))?.parent_job_id ?? null
}
const LIST_OF_DOCUMENT = sql(
  `select id from jobs where tenant_id = $1 and document_id = $3 and place is not null
  union select parent_job_id from jobs where tenant_id = $1 and document_id = $3 and place is not null and parent_job_id is not null`,
)
/**
 * The live jobs of a document. Their batches are locked as well. The ids are listed first, because a subquery in a query
 * that locks jobs crashed PostgreSQL 17.11 (run-rows.ts).
 */
export async function lockJobsOf(tx: Tx, document_id: string): Promise<JobRow[]> {
  const ids = (await tx.rows<{ id: string }>(LIST_OF_DOCUMENT, [uuid(document_id)])).map(({ id }) => id)
  const locked = ids.length > 0 ? await lockJobs(tx, ids) : []
  return locked.filter((job) => job.document_id === document_id && job.place !== null)
}
const LOCK_ITEMS = sql(
  `select ${COLUMNS} from jobs j where tenant_id = $1 and parent_job_id = $3 and status = any($4) order by id for no key update`,
  'job',
)
export const lockItems = (tx: Tx, parent_id: string, statuses: readonly string[]): Promise<JobRow[]> =>
  queryJobs(tx, LOCK_ITEMS, [uuid(parent_id), statuses])

export const TOUCH =
  'version = version + 1, updated_at = clock_timestamp(), told_at = clock_timestamp(), last_seq = last_seq + 1'

const END = sql(
  `update jobs j set status = $4, place = null, ticket = null, lease = null, stage = null, finished_at = clock_timestamp(), error = $5,
  payload = case when $4 in ('succeeded', 'partially_succeeded') then '{}' else j.payload end, ${TOUCH}
  where tenant_id = $1 and id = any($3) returning ${COLUMNS}`,
  'job',
)
/** Ends jobs that no run holds. */
export const endJobs = (tx: Tx, ids: readonly string[], status: string, error: JobError | null): Promise<JobRow[]> =>
  queryJobs(tx, END, [ids, status, error])

const REQUEST_CANCEL = sql(
  `update jobs j set cancel_requested_at = clock_timestamp(), ${TOUCH} where tenant_id = $1 and id = any($3) and cancel_requested_at is null returning ${COLUMNS}`,
  'job',
)
export const requestCancel = (tx: Tx, ids: readonly string[]): Promise<JobRow[]> => queryJobs(tx, REQUEST_CANCEL, [ids])

const REQUEUE = sql(
  `update jobs j set status = 'queued', place = 'line', failures = 0, losses = 0, ran_ms = 0, run_after = null, items_failed = 0,
  -- What it made stays made: only items that have not succeeded are still to be waited for.
  items_done = case when items_total is null then 0 else (select count(*) from job_steps s where s.tenant_id = $1 and s.job_id = j.id and s.name like 'input %')
    - (select count(*) from jobs i where i.tenant_id = $1 and i.parent_job_id = j.id and i.status not in ('succeeded', 'partially_succeeded')) end, queued_at = clock_timestamp(),
  finished_at = null, cancel_requested_at = null, error = null, ${TOUCH} where tenant_id = $1 and id = any($3) returning ${COLUMNS}`,
  'job',
)
export const requeueJobs = (tx: Tx, ids: readonly string[]): Promise<JobRow[]> => queryJobs(tx, REQUEUE, [ids])

const LOST = sql(
  `update jobs j set status = 'queued', place = 'line', ticket = null, lease = null, ran_ms = ran_ms + ${heardOf()},
  attempts = case when status = 'running' then ${appended(`'interrupted'`, 'null')} else attempts end, ${TOUCH}
  where tenant_id = $1 and id = $3 and ticket = $4 and place = 'admitted' returning ${COLUMNS}`,
  'job',
)
/** Queues the job again: no worker holds this delivery any more. */
export const returnToLine = (tx: Tx, id: string, delivery: string): Promise<JobRow[]> =>
  queryJobs(tx, LOST, [uuid(id), delivery])

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
export function heardOf(): string {
  return `case when j.status = 'running' then (extract(epoch from greatest(j.updated_at, j.attempt_started_at) - j.attempt_started_at) * 1000)::bigint else 0 end`
}

function iso(time: string): string {
  return `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** The list of attempts with the one that ends now; only the last hundred are kept. */
export function appended(outcome: string, error: string): string {
  const times = `'started_at', ${iso('j.attempt_started_at')}, 'ended_at', ${iso('clock_timestamp()')}`
  return `(case when jsonb_array_length(j.attempts) > 99 then j.attempts - 0 else j.attempts end)
    || jsonb_build_object('number', j.attempt, ${times}, 'outcome', ${outcome}, 'error', ${error})`
}
