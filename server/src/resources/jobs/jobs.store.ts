import { type Job, type ObjectName, objectPrefixes, priorities } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { JOB_PROGRESS } from '../../db/job-columns.ts'
import { type Condition, createdBetween, idIn, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { toId, uuidOf } from '../../lib/ids.ts'

export type ApiJobRow = Job & { version: number; last_seq: number; place: string | null; run_after: string | null }
type StoredJob = Omit<ApiJobRow, 'subject' | 'priority' | 'queue'> & {
  subject_object: ObjectName
  subject_id: string
  priority: number
}

const COLUMNS = `id, 'job' as object, type, status, place is null as is_terminal, stage,
  case place when 'line' then 'tenant_concurrency' when 'backoff' then coalesce(waiting_for, 'retry_backoff') when 'items' then 'dependency'
    when 'admitted' then case when status = 'queued' then 'queue' end end as waiting_reason,
  subject_object, subject_id::text, project_id, document_id, parent_job_id, priority, ${JOB_PROGRESS},
  attempt, max_attempts, attempts, timeout_seconds, queued_at, started_at, finished_at, cancel_requested_at, usage, error, warnings,
  last_seq, place, run_after, metadata, version, created_at, updated_at`
const OWN = 'tenant_id = $1 and id = $3 and ($2::uuid[] is null or project_id = any($2))'

const FIND = sql(`select ${COLUMNS} from jobs j where ${OWN}`, 'job')
const UPDATE = sql(
  `update jobs set priority = $4, metadata = $5, version = version + 1, last_seq = last_seq + 1, told_at = clock_timestamp(), updated_at = clock_timestamp() where ${OWN} returning last_seq`,
)
const DELETE = sql(`delete from jobs where ${OWN}`)
const MAX_AHEAD = 10_000
const QUEUE = sql(
  `with line as (
    select id, row_number() over (order by priority desc, id) - 1 as ahead
    from (select id, priority from jobs where tenant_id = $1 and place = 'line' order by priority desc, id limit ${MAX_AHEAD}) first
  )
  select j.id, coalesce(line.ahead, ${MAX_AHEAD}) as ahead, s.mean_ms
  from tenant_slots s, jobs j left join line on line.id = j.id where s.tenant_id = $1 and j.tenant_id = $1 and j.id = any($3) and j.place = 'line'`,
  'job',
)

function toJob({ subject_object, subject_id, priority, ...row }: StoredJob): ApiJobRow {
  return {
    ...row,
    subject: { object: subject_object, id: toId(objectPrefixes[subject_object], subject_id) },
    priority: priorities[priority]!,
    queue: null,
  }
}

export async function findJob(db: Reader, id: string): Promise<ApiJobRow | null> {
  const row = await db.find<StoredJob>(FIND, [uuidOf('job', id)])
  return row && toJob(row)
}

export async function updateJob(tx: Tx, id: string, fields: Pick<Job, 'priority' | 'metadata'>): Promise<number> {
  const row = await tx.find<{ last_seq: number }>(UPDATE, [
    uuidOf('job', id),
    priorities.indexOf(fields.priority),
    fields.metadata,
  ])
  return row!.last_seq
}

export const deleteJob = (tx: Tx, id: string): void => tx.queue(DELETE, [uuidOf('job', id)])

export interface QueuePlace {
  id: string
  ahead: number
  mean_ms: number | null
}
/** Only for jobs that wait for a slot. */
export const listQueuePlaces = (db: Reader, ids: readonly string[]): Promise<QueuePlace[]> =>
  db.rows<QueuePlace>(QUEUE, [ids.map((id) => uuidOf('job', id))])

export interface JobFilters extends TimeFilters {
  status?: string
  type?: string
  project_id?: string
  document_id?: string
  parent_job_id?: string
}

const LIVE: readonly string[] = ['queued', 'running']
const UNSUCCESSFUL: readonly string[] = ['failed', 'cancelled']
/** The second condition follows from the first. It lets PostgreSQL use an index that holds only such jobs. */
function statusIn(statuses: string[]): Condition[] {
  const conditions: Condition[] = [['status = any($)', statuses]]
  if (statuses.every((status) => LIVE.includes(status))) conditions.push(['place is not null'])
  if (statuses.every((status) => UNSUCCESSFUL.includes(status))) conditions.push(['error is not null'])
  return conditions
}

export async function listJobs(db: Reader, filters: JobFilters, page: PageRequest): Promise<ApiJobRow[]> {
  const conditions: Condition[] = [
    ...createdBetween(filters),
    ...idIn('project_id', 'proj', filters.project_id),
    ...idIn('document_id', 'doc', filters.document_id),
    ...idIn('parent_job_id', 'job', filters.parent_job_id),
  ]
  if (filters.status !== undefined) conditions.push(...statusIn([filters.status].flat()))
  if (filters.type !== undefined) conditions.push(['type = any($)', filters.type])
  const source = { table: 'jobs j', columns: COLUMNS, prefix: 'job', key: 'id', project: 'project_id' } as const
  return (await listRows<StoredJob>(db, source, conditions, page)).map(toJob)
}

const COUNT_STEPS = sql('select count(*) as count from job_steps where tenant_id = $1 and job_id = $3')
export const countSteps = async (db: Reader, id: string): Promise<number> =>
  (await db.one<{ count: number }>(COUNT_STEPS, [uuidOf('job', id)])).count
