// A job's history from its events, and whether that history is consistent.

import { toId } from '../../server/src/lib/ids.ts'
import { asAdmin } from './admin.ts'

interface JobEvent {
  seq: number
  /** `queued` for `job.queued`. */
  word: string
  at: number
}

export interface History {
  id: string
  events: JobEvent[]
  /** null: the row is gone. */
  row: {
    status: string
    place: string | null
    failures: number
    steps: number
    outcomes: string[]
  } | null
}

const ENDS = new Set(['succeeded', 'partially_succeeded', 'failed', 'cancelled'])
export const isEnd = (word: string): boolean => ENDS.has(word)

const EVENTS = `select subject_id as id, seq::int, substr(type, 5) as word, extract(epoch from recorded_at)::float8 * 1000 as at
  from events where subject_object = 'job' order by subject_id, seq, recorded_at`
const ROWS = `select j.id, status, place, failures::int, (select count(*)::int from job_steps s where s.tenant_id = j.tenant_id and s.job_id = j.id) as steps,
  array(select one ->> 'outcome' from jsonb_array_elements(attempts) one) as outcomes from jobs j`

/** Histories of all jobs in a database, by job id. */
export function readHistories(database: string): Promise<Map<string, History>> {
  return asAdmin(database, async (client) => {
    const { rows: events } = await client.query<JobEvent & { id: string }>(EVENTS)
    const { rows } = await client.query<NonNullable<History['row']> & { id: string }>(ROWS)
    const byId = new Map(rows.map((row) => [row.id, row]))
    const ids = new Set([...byId.keys(), ...events.map(({ id }) => id)])
    const ofJob = Map.groupBy(events, ({ id }) => id)
    return new Map(
      [...ids].map((uuid) => {
        const id = toId('job', uuid)
        return [id, { id, events: ofJob.get(uuid) ?? [], row: byId.get(uuid) ?? null }]
      }),
    )
  })
}

/** Whether a job in this state can have such an event next. */
const mayFollow = (state: string | null, word: string): boolean => {
  if (word === 'queued') return state !== 'queued' && state !== 'deleted'
  if (word === 'running') return state === 'queued'
  if (word === 'updated') return state === 'queued' || state === 'running'
  if (word === 'deleted') return state !== null && isEnd(state)
  return state === 'queued' || state === 'running'
}

/** Contradictions: two ends of one run, a gap in the numbers, a row that disagrees with its events. */
export function contradictionsOf({ id, events, row }: History): string[] {
  const found: string[] = []
  let state: string | null = null
  for (const [index, { seq, word }] of events.entries()) {
    if (seq !== index + 1) found.push(`${id}: event ${seq} at place ${index + 1}`)
    if (!mayFollow(state, word)) found.push(`${id}: ${word} after ${state}`)
    if (word !== 'updated') state = word
  }
  const shown = row?.status ?? 'deleted'
  if (shown !== state) found.push(`${id}: the row says ${shown}, the events ${state}`)
  return found
}

export interface Rest {
  used: number
  waiting: number
  live: number
  tickets: number
}

const REST = `select (select sum(used)::int from tenant_slots) as used, (select sum(waiting)::int from tenant_slots) as waiting,
  (select count(*)::int from jobs where place is not null) as live, (select count(*)::int from pgboss.job) as tickets`

/** Held slots and waiting jobs; all zero when every job has ended. */
export const readRest = (database: string): Promise<Rest> =>
  asAdmin(database, async (client) => (await client.query<Rest>(REST)).rows[0]!)
