// Cancel means cancel: at once while the job waits, within a second while it runs, and never two outcomes.

import { faults } from './cancel/faults.ts'
import { keepPages } from './cancel/pages.ts'
import { cancelQueued } from './cancel/queued.ts'
import { raceCancels } from './cancel/races.ts'
import type { CancelPart, CancelScene } from './cancel/scene.ts'
import { freeProcessor, hearCancels } from './cancel/signals.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
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
  const world = await openWorld(run.plants, { RATE_LIMITS: 'off', WORKER_SLOTS: '16', JOB_SLOTS: '33' })
  try {
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
    const parts: CancelPart[] = []
    const isGoingOn = (): boolean => run.fault === null || parts.every(({ findings }) => findings.length === 0)
    const add = async (part: (scene: CancelScene) => Promise<CancelPart>): Promise<void> => {
      // A fault is caught by its first finding.
      if (!isGoingOn()) return
      const result = await part(scene)
      parts.push(result)
      run.say(result.figure)
      for (const finding of result.findings.slice(0, 10)) run.say(`  ${finding}`)
    }
    await add(cancelQueued)
    if (isGoingOn())
      scene.workers = await Promise.all(Array.from({ length: WORKERS }, () => world.startScriptedWorker()))
    for (const part of [hearCancels, freeProcessor, raceCancels]) await add(part)
    if (isGoingOn()) await add(async () => countRepairs(scene.workers))
    await Promise.all(scene.workers.map((worker) => worker.stop()))
    await add(keepPages)
    const found = parts.flatMap(({ findings }) => findings)
    const figure = run.fault === null ? parts.map((part) => part.figure).join('; ') : (found[0] ?? 'nothing was found')
    return { figure, is_met: found.length === 0 }
  } finally {
    await world.close()
  }
}

/** Counts reconciler repairs: a repair would hide a fault in cancellation. */
async function countRepairs(workers: readonly ServerProcess[]): Promise<CancelPart> {
  const pages = await Promise.all(
    workers.map(async ({ management_url }) => (await fetch(`${management_url}/metrics`)).text()),
  )
  const lines = pages.flatMap((text) =>
    text.split('\n').filter((line) => /^octavo_job_repairs_total.* [1-9]/.test(line)),
  )
  return { figure: `${lines.length} kinds of repairs`, findings: lines }
}
