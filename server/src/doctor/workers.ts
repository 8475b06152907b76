// Whether someone does the work, and whether work waits.

import { firstOf } from '@octavo/base/required.ts'
import { findMissingMigrations } from '../db/guard.ts'
import { nameOfListener } from '../db/listen.ts'
import { CHANNEL } from '../jobs/hints.ts'
import { startAgain, startWorker } from './commands.ts'
import type { Installation } from './connections.ts'
import { type Check, type Finding, failed, ok, skipped, warning } from './finding.ts'
import { adminCommand } from './operator-commands.ts'

/** Longer than any job waits while a worker has a free slot. */
const LONG_SECONDS = 60

export function workerChecks(installation: Installation): Check[] {
  return [{ name: 'workers', run: () => look(installation) }]
}

interface WaitingJobs {
  waiting: number
  oldest_seconds: number
}

async function look({ connections, is_single }: Installation): Promise<Finding> {
  const [app, system] = await Promise.all([connections.open('DATABASE_URL'), connections.open('DATABASE_SYSTEM_URL')])
  if (!app || 'trouble' in app || !system || 'trouble' in system)
    return skipped('Skipped: not all roles can log in to the database.')
  // No process starts on an older schema.
  if ((await findMissingMigrations(system.pool)).length > 0) return skipped('Skipped: migrations are missing.')
  const { rows: seen } = await app.pool.query<{ count: string }>(
    'select count(*) from pg_stat_activity where datname = current_database() and application_name = $1',
    [nameOfListener(CHANNEL)],
  )
  const { rows } = await system.pool.query<WaitingJobs>(
    `select count(*)::int as waiting, coalesce(extract(epoch from max(clock_timestamp() - admitted_at)), 0)::float8 as oldest_seconds
    from jobs where place = 'admitted' and status = 'queued'`,
  )
  return judge({ workers: Number(firstOf(seen).count), is_single, ...firstOf(rows) })
}

export function judge({
  workers,
  waiting,
  oldest_seconds,
  is_single,
}: WaitingJobs & { workers: number; is_single: boolean }): Finding {
  const start = is_single ? startAgain() : startWorker()
  const jobs = `${waiting} ${waiting === 1 ? 'job is' : 'jobs are'} waiting for one, the oldest for ${Math.round(oldest_seconds)} s`
  if (workers === 0 && waiting > 0)
    return failed(
      `No worker is connected to the database, and ${jobs}.`,
      'Start a worker, or read the log of the one that should be running:',
      start,
    )
  if (workers === 0)
    return warning(
      'No worker is connected to the database: documents would be accepted but not processed.',
      'Start one:',
      start,
    )
  const are = workers === 1 ? '1 worker is connected' : `${workers} workers are connected`
  if (oldest_seconds > LONG_SECONDS)
    return warning(
      `${are}, and ${jobs}.`,
      'Start more workers or raise WORKER_SLOTS and JOB_SLOTS, unless the load is temporary. To explain one job:',
      `${adminCommand()} explain-job <job_id>`,
    )
  return ok(`${are}; no job has waited longer than ${LONG_SECONDS} s for one.`)
}
