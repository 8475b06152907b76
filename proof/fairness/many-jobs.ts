// One tenant has a bulk upload in line and holds every slot; others ask for one job each.

import { setTimeout as sleep } from 'node:timers/promises'
import { operator } from '../../server/src/lib/caller.ts'
import { findUuid } from '../../server/src/lib/ids.ts'
import { median, type ProofOutcome, type ProofRun, quantile, round } from '../lib/proof.ts'
import { owned } from '../lib/scope.ts'
import type { World } from '../lib/world.ts'
import { lineUp } from './backlog.ts'
import { openStage, readLoad, readStarts, SLOTS, startWorkers } from './stage.ts'

export const GOAL_BEHIND_MANY_MS = 2_000
const TENANTS = { short: 20, normal: 200, long: 200 }
const BACKLOG = { short: 5_000, normal: 50_000, long: 50_000 }
const TRIES = { short: 40, normal: 200, long: 1_000 }
const JOB = { steps: 1, step_ms: 400 }
const APART_MS = 150
const PATIENCE_MS = 10_000

export async function startBehindManyJobs(run: ProofRun): Promise<ProofOutcome> {
  await using world = owned(await openStage(run))
  await world.startApi()
  const big = findUuid('ten', (await world.newTenant('free')).tenant)!
  const clients = []
  for (let i = 1; i < TENANTS[run.length]; i++) clients.push((await world.newTenant('free')).key.client())
  await lineUp(world, big, JOB, { first: 1, last: BACKLOG[run.length] })
  await startWorkers(world)
  await world.app.db.transaction(operator(big, []), (tx) => world.app.jobs.refill(tx))
  await waitForBusy(world, big)

  const asked = new Map<string, number>()
  const running: number[] = []
  for (let i = 0; i < TRIES[run.length]; i++) {
    const asked_at = Date.now()
    const { latest_job_id } = await clients[i % clients.length]!.documents.create({
      title: 'Page',
      source: { type: 'text', text: 'A page.' },
    })
    asked.set(latest_job_id!, asked_at)
    if (i % 5 === 0) running.push((await readLoad(world, big)).running)
    await sleep(APART_MS * (0.5 + Math.random()))
  }
  const waits = await waitForStarts(world, asked)
  const { waiting } = await readLoad(world, big)
  const p99 = quantile(waits, 0.99)
  const missing = waits.filter((wait) => wait === Number.POSITIVE_INFINITY).length
  const figure =
    `${TENANTS[run.length]} tenants, ${BACKLOG[run.length]} jobs of one (${median(running)} of ${SLOTS} slots in the median, ${waiting} left): ` +
    `another's starts after ${round(median(waits), 0)} ms p50, ${round(p99, 0)} ms p99 of ${waits.length}, worst ${round(Math.max(...waits), 0)} ms` +
    (missing > 0 ? `, ${missing} not within ${PATIENCE_MS / 1000} s` : '')
  return { figure, is_met: p99 < GOAL_BEHIND_MANY_MS && waiting > 0 && median(running) >= SLOTS - 2 }
}

async function waitForBusy(world: World, tenant: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; (await readLoad(world, tenant)).running < SLOTS; await sleep(100))
    if (Date.now() > deadline) throw new Error('the workers did not take the backlog')
}

/** From before the request to the first line of the handler. */
async function waitForStarts(world: World, asked: ReadonlyMap<string, number>): Promise<number[]> {
  const jobs = [...asked.keys()]
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    const starts = await readStarts(world, jobs)
    if (starts.size === jobs.length || Date.now() > deadline)
      return jobs.map((job) => (starts.get(job) ?? Number.POSITIVE_INFINITY) - asked.get(job)!)
  }
}
