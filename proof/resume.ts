// A job goes on where it was, whatever is lost: its worker, the database, or a worker's sense of time.

import { asAdmin } from './lib/admin.ts'
import { type Engines, onOwnEngines } from './lib/engines.ts'
import { type Proof, type ProofOutcome, type ProofRun, proveParts } from './lib/proof.ts'
import { announceSeed, newRandom } from './lib/random.ts'
import { prepareScripts } from './lib/scripts.ts'
import type { World } from './lib/world.ts'
import { faults } from './resume/faults.ts'
import { freezeWorker } from './resume/freezes.ts'
import { killWorkers } from './resume/kills.ts'
import { killDatabase, waitUntilQuiet } from './resume/outage.ts'
import { type ResumeScene, startWorkers } from './resume/scene.ts'
import { judge } from './resume/verdict.ts'

const WORKERS = { short: 4, normal: 7, long: 7 }

export const proof: Proof = {
  promise: 'If a worker dies, another one continues its jobs; no finished step runs again.',
  goal: 'worker killed with -9 in mid-step, 20 times: resumed in ≤ 15 s, no committed step again, no attempt used up; a worker that resumes after 25 s changes nothing; PostgreSQL killed in mid-load: all jobs end within 15 s of its return',
  faults,
  run: prove,
}

function prove(run: ProofRun): Promise<ProofOutcome> {
  const seed = announceSeed(run)
  return onOwnEngines(run.plants, { RATE_LIMITS: 'off', WORKER_SLOTS: '20', JOB_SLOTS: '200' }, (engines, world) =>
    proveOn(run, engines, world, seed),
  )
}

async function proveOn(run: ProofRun, engines: Engines, world: World, seed: number): Promise<ProofOutcome> {
  const { tenant } = await world.newTenant()
  await prepareScripts(world)
  // Crash recovery truncates unlogged tables.
  await asAdmin(world.database.name, (client) => client.query('alter table proof_runs set logged'))
  const scene: ResumeScene = {
    run,
    engines,
    world,
    tenant,
    random: newRandom(seed),
    workers: [],
    steps: new Map(),
    losses: new Map(),
  }
  await startWorkers(scene, WORKERS[run.length])
  const sleeper = scene.workers[0]!
  return proveParts(run, [
    // One after the other: an heir that is stopped would make its jobs wait for a second silence.
    () => killWorkers(scene, [sleeper]),
    () => freezeWorker(scene, sleeper),
    async () => {
      if ((await waitUntilQuiet(scene, Date.now())) < Number.POSITIVE_INFINITY) return judge(scene)
      return { figure: 'jobs are left', findings: ['jobs are left'] }
    },
    async () => {
      // Two are left for the outage.
      await Promise.all(scene.workers.splice(2).map((worker) => worker.stop()))
      scene.steps.clear()
      return killDatabase(scene)
    },
    () => judge(scene),
  ])
}
