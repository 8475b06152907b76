// Jobs that do what their payload says, on workers that `startScriptedWorker` of a world has started.

import type { Priority } from '@octavo/contract'
import pg from 'pg'
import { operator } from '../../server/src/lib/caller.ts'
import { findUuid, newId } from '../../server/src/lib/ids.ts'
import type { World } from './world.ts'

export interface Script {
  steps: number
  step_ms: number
  /** How many of the first attempts fail, in their first step. */
  fails?: number
  /** They fail for good: there is no second attempt. */
  is_final?: boolean
  /** Uses the processor instead of waiting. */
  is_busy?: boolean
  /** Writes nothing of what it does: for figures. */
  is_silent?: boolean
}

const TYPE = { name: 'ingestion', version: 1, max_attempts: 3, timeout_seconds: 600 } as const

/** Where scripted handlers write what they do; `what` is begin, end, step n, done n, stop <why>. */
export async function prepareScripts(world: World): Promise<void> {
  const client = new pg.Client({ connectionString: world.database.owner_url })
  await client.connect()
  await client.query(
    `create unlogged table proof_runs (id bigserial, job_id text, attempt int, what text, pid int, at timestamptz default clock_timestamp())`,
  )
  await client.query(
    'grant all on proof_runs to octavo_app, octavo_system; grant all on sequence proof_runs_id_seq to octavo_app, octavo_system',
  )
  await client.end()
}

/** Ids of new jobs, all made in one transaction. */
export async function enqueueScripts(
  world: World,
  tenant: string,
  script: Script,
  more: { count?: number; priority?: Priority; timeout_seconds?: number } = {},
): Promise<string[]> {
  const { count = 1, ...asked } = more
  const caller = operator(findUuid('ten', tenant)!, [])
  return world.app.db.transaction(caller, async (tx) => {
    const ids: string[] = []
    for (let i = 0; i < count; i++) {
      const job = {
        type: TYPE,
        payload: script,
        subject: { object: 'document' as const, id: newId('doc') },
        project_id: null,
        ...asked,
      }
      ids.push((await world.app.jobs.enqueue(tx, job)).id)
    }
    return ids
  })
}

export interface Note {
  job_id: string
  attempt: number
  what: string
  pid: number
  /** Milliseconds, by the database's clock. */
  at: number
}

/** Log lines of the handlers in order, for some jobs or for all. */
export async function readNotes(world: World, job_ids: readonly string[] | null = null): Promise<Note[]> {
  const { rows } = await world.app.system.query<Note>(
    `select job_id, attempt, what, pid, extract(epoch from at)::float8 * 1000 as at from proof_runs
    where $1::text[] is null or job_id = any($1) order by at, id`,
    [job_ids],
  )
  return rows
}
