// Cancel means cancel: at once while the job waits, within a second while it runs, and never two outcomes.

import { faults } from './cancel/faults.ts'
import { keepPages } from './cancel/pages.ts'
import { cancelQueued } from './cancel/queued.ts'
import { raceCancels } from './cancel/races.ts'
import type { CancelScene } from './cancel/scene.ts'
import { freeProcessor, hearCancels } from './cancel/signals.ts'
import { type Part, type Proof, type ProofOutcome, type ProofRun, proveParts } from './lib/proof.ts'
import { announceSeed, newRandom } from './lib/random.ts'
import { prepareScripts } from './lib/scripts.ts'
import { openWorld, type ServerProcess } from './lib/world.ts'

const WORKERS = 2

export const proof: Proof = {
  promise:
    'A canceled job stops: immediately while it waits, soon while it runs. Its finished work is kept, and it has exactly one outcome.',
  goal: 'queued: ended in the response; running: signal within 1 s p99 of ≥ 100, CPU free within 5 s, finished pages kept; racing with finish, retry, timeout and delete: one outcome in ≥ 1,000 interleavings',
  faults,
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const seed = announceSeed(run)
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off', WORKER_SLOTS: '16', JOB_SLOTS: '33' })
  const { tenant, key } = await world.newTenant()
  await prepareScripts(world)
  const scene: CancelScene = {
    run,
    world,
    tenant,
    key,
    api: await world.startApi(),
    workers: [],
    random: newRandom(seed),
  }
  return await proveParts(run, [
    () => cancelQueued(scene),
    async () => {
      scene.workers = await Promise.all(Array.from({ length: WORKERS }, () => world.startScriptedWorker()))
      return hearCancels(scene)
    },
    () => freeProcessor(scene),
    () => raceCancels(scene),
    () => countRepairs(scene.workers),
    async () => {
      await Promise.all(scene.workers.map((worker) => worker.stop()))
      return keepPages(scene)
    },
  ])
}

/** Counts reconciler repairs: a repair would hide a fault in cancellation. */
async function countRepairs(workers: readonly ServerProcess[]): Promise<Part> {
  const pages = await Promise.all(
    workers.map(async ({ management_url }) => (await fetch(`${management_url}/metrics`)).text()),
  )
  const lines = pages.flatMap((text) =>
    text.split('\n').filter((line) => /^octavo_job_repairs_total.* [1-9]/.test(line)),
  )
  return { figure: `${lines.length} kinds of repairs`, findings: lines }
}
