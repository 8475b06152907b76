// Workers whose slots one tenant may hold all, and when a job's handler began.

import { asAdmin } from '../lib/admin.ts'
import type { ProofRun } from '../lib/proof.ts'
import { prepareScripts } from '../lib/scripts.ts'
import { openWorld, type World } from '../lib/world.ts'

const WORKERS = 2
const WORKER_SLOTS = 4
/** Both the workers' total and each tenant's limit: no slot is reserved for other tenants, which is the harder case. */
export const SLOTS = WORKERS * WORKER_SLOTS

export async function openStage(run: ProofRun): Promise<World> {
  const world = await openWorld(run.plants, {
    RATE_LIMITS: 'off',
    WORKER_SLOTS: String(WORKER_SLOTS),
    TIER_FREE: `running_jobs:${SLOTS},queued_jobs:2000000`,
  })
  await prepareScripts(world)
  return world
}

export async function startWorkers(world: World): Promise<void> {
  await Promise.all(Array.from({ length: WORKERS }, () => world.startScriptedWorker()))
}

/** When each job's handler began, in Date.now() time; jobs that have not begun are missing. */
export const readStarts = (world: World, jobs: readonly string[]): Promise<Map<string, number>> =>
  asAdmin(world.database.name, async (client) => {
    const { rows } = await client.query<{ job_id: string; at: number }>(
      `select job_id, min(extract(epoch from at))::float8 * 1000 as at from proof_runs where what = 'begin' and job_id = any($1) group by 1`,
      [jobs],
    )
    return new Map(rows.map(({ job_id, at }) => [job_id, at]))
  })

/** How many jobs of the tenant run, and how many wait. */
export const readLoad = (world: World, tenant: string): Promise<{ running: number; waiting: number }> =>
  asAdmin(world.database.name, async (client) => {
    const { rows } = await client.query<{ running: number; waiting: number }>(
      `select (select count(*)::int from jobs where tenant_id = $1 and place = 'admitted' and status = 'running') as running, waiting::int
      from tenant_slots where tenant_id = $1`,
      [tenant],
    )
    return rows[0]!
  })
