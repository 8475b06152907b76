// One tenant's ten-minute jobs hold every slot; others ask for a short one, alone or a few at once.

import { setTimeout as sleep } from 'node:timers/promises'
import { findUuid } from '../../server/src/lib/ids.ts'
import { median, type ProofOutcome, type ProofRun, round } from '../lib/proof.ts'
import { owned } from '../lib/scope.ts'
import { enqueueScripts } from '../lib/scripts.ts'
import type { World } from '../lib/world.ts'
import { openStage, readLoad, readStarts, SLOTS, startWorkers } from './stage.ts'

export const GOAL_BEHIND_LONG_MS = 5_000
const ROUNDS = { short: 2, normal: 12, long: 60 }
const LONG = { steps: 600, step_ms: 1_000 }
const SHORT = { steps: 1, step_ms: 100 }
/** In turn. */
const AT_ONCE = [1, 3]
const PATIENCE_MS = 12_000

export async function startBehindLongJobs(run: ProofRun): Promise<ProofOutcome> {
  await using world = owned(await openStage(run))
  const { tenant: big } = await world.newTenant('free')
  const others: string[] = []
  for (let i = 0; i < Math.max(...AT_ONCE); i++) others.push((await world.newTenant('free')).tenant)
  await enqueueScripts(world, big, LONG, { count: SLOTS * 2 })
  await startWorkers(world)
  const waits: number[] = []
  for (let i = 0; i < ROUNDS[run.length]; i++) {
    await waitForAllSlots(world, big)
    // So that tries meet the steps and the workers' rounds at any moment.
    await sleep(Math.random() * 1_500)
    waits.push(...(await tryAtOnce(world, others.slice(0, AT_ONCE[i % AT_ONCE.length]))))
    if (run.fault !== null && Math.max(...waits) >= PATIENCE_MS) break
  }
  const worst = Math.max(...waits)
  const figure =
    `behind ten-minute jobs on all ${SLOTS} slots: after ${round(median(waits), 0)} ms p50, ` +
    `${worst >= PATIENCE_MS ? `not within ${PATIENCE_MS / 1000} s` : `worst ${round(worst, 0)} ms`} of ${waits.length}`
  return { figure, is_met: worst < GOAL_BEHIND_LONG_MS }
}

async function waitForAllSlots(world: World, tenant: string): Promise<void> {
  for (
    const deadline = Date.now() + 30_000;
    (await readLoad(world, findUuid('ten', tenant)!)).running < SLOTS;
    await sleep(100)
  )
    if (Date.now() > deadline) throw new Error('the long jobs did not come back to their slots')
}

async function tryAtOnce(world: World, tenants: readonly string[]): Promise<number[]> {
  const asked_at = Date.now()
  const jobs = (await Promise.all(tenants.map((tenant) => enqueueScripts(world, tenant, SHORT)))).flat()
  for (;;) {
    const starts = await readStarts(world, jobs)
    if (starts.size === jobs.length || Date.now() > asked_at + PATIENCE_MS)
      return jobs.map((job) => (starts.get(job) ?? Number.POSITIVE_INFINITY) - asked_at)
    await sleep(50)
  }
}
