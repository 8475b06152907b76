// Gives committed events their positions. Ids commit out of order, so a reader that follows ids would miss some; a
// number that is given after the commit cannot be overtaken.

import { recordOf } from '@octavo/base/unknown.ts'
import type pg from 'pg'
import type { Needs } from '../app.ts'
import { type Loop, startLoop } from '../lib/loop.ts'
import { errorFields } from '../telemetry/log.ts'
import { JOB_EVENTS } from './changes.ts'

const JOBS_A_MESSAGE = 200
const IDLE_MS = 100
const BATCH = 2_000
const LOCK = 0x73657100 // 'seq'
// While an old transaction is open, PostgreSQL keeps the index entries of all events that were numbered since, and every
// look would read them again. So most looks read recent events only. A full one also finds those whose commit was late.
const FULL_MS = 5_000
const ALL = 'position is null'
const RECENT = `${ALL} and recorded_at > now() - interval '15 s'`

// Committed rows without a position, in the order of their writing; the tenants' counters move in the same statement.
const sequenceText = (pending: string): string => `with batch as (
    select tenant_id, id, created_at, row_number() over (partition by tenant_id order by recorded_at, id) as place
    from (select tenant_id, id, created_at, recorded_at from events where ${pending} order by recorded_at limit ${BATCH}) as oldest
  ), counts as (
    select tenant_id, count(*) as count from batch group by tenant_id
  ), moved as (
    insert into tenant_positions as p (tenant_id, position) select tenant_id, count from counts
    on conflict (tenant_id) do update set position = p.position + excluded.position returning tenant_id, position
  )
  update events e set position = m.position - c.count + b.place
  from batch b join counts c using (tenant_id) join moved m using (tenant_id)
  where e.tenant_id = b.tenant_id and e.id = b.id and e.created_at = b.created_at
  returning case when e.seq is not null then e.subject_id end as job_id`

// One message and one round trip, since every process looks ten times per second. PostgreSQL runs it as one transaction,
// so `set local` ends with it. The setting avoids the plan that is described below.
const lookText = (pending: string): string =>
  `set local enable_bitmapscan = off; select from events where ${pending} order by recorded_at limit 1`

/** Every process runs one; the lock lets one of them work at a time. */
export function startSequencer(app: Needs<'system' | 'log' | 'metrics'>): Loop {
  let full_at_ms = 0
  const round = async (): Promise<number> => {
    const isFull = Date.now() >= full_at_ms
    const pending = isFull ? ALL : RECENT
    const count = (await hasPending(app.system, pending)) ? await sequence(app, pending) : 0
    // Another process may have the lock because of a backlog: newer events must not be numbered before it.
    if (isFull && count !== null && count < BATCH) full_at_ms = Date.now() + FULL_MS
    return count !== null && count >= BATCH ? 0 : IDLE_MS
  }
  return startLoop(round, (error) => app.log.warn('sequencer loop failed', errorFields(error)))
}

async function hasPending(system: pg.Pool, pending: string): Promise<boolean> {
  const answers: unknown = await system.query(lookText(pending))
  return Array.isArray(answers) && recordOf(answers.at(-1)).rowCount === 1
}

/** Null if another process has the lock. */
async function sequence(app: Needs<'system' | 'metrics'>, pending: string): Promise<number | null> {
  const client = await app.system.connect()
  try {
    // Bounded, since a process that hangs here would hold up every tenant's events. A bitmap scan would read the index
    // entries of all that was numbered since the last vacuum, each time; a plain one marks them as dead.
    await client.query(`begin; set local idle_in_transaction_session_timeout = '5s'; set local enable_bitmapscan = off`)
    const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_xact_lock($1) as is_mine', [LOCK])
    const isMine = rows[0]?.is_mine === true
    const { rows: numbered } = isMine
      ? await client.query<{ job_id: string | null }>(sequenceText(pending))
      : { rows: [] }
    await tell(client, numbered)
    await client.query('commit')
    client.release()
    app.metrics.sequenced.inc(numbered.length)
    return isMine ? numbered.length : null
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Notifies requests that wait for a job, once its events are numbered. */
async function tell(client: pg.PoolClient, numbered: readonly { job_id: string | null }[]): Promise<void> {
  const jobs = [...new Set(numbered.flatMap(({ job_id }) => job_id ?? []))]
  for (let i = 0; i < jobs.length; i += JOBS_A_MESSAGE)
    await client.query('select pg_notify($1, $2)', [JOB_EVENTS, jobs.slice(i, i + JOBS_A_MESSAGE).join(' ')])
}
