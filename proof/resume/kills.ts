// Workers are killed with -9 in the middle of a step, several at once; live ones go on where they were.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Part, quantile, round } from '../lib/proof.ts'
import { type Note, readNotes } from '../lib/scripts.ts'
import type { ServerProcess } from '../lib/world.ts'
import { lose, occupy, type ResumeHeldJob, type ResumeScene, startWorkers, waitForMiddle } from './scene.ts'

const KILLS = { short: 2, normal: 20, long: 60 }
const TOGETHER = 4
const RESUME_MS = 15_000
/** Longer than the goal, so that a late job can be distinguished from one that never resumes. */
const PATIENCE_MS = 22_000

interface Loss {
  at: number
  pid: number
  held: ResumeHeldJob[]
}

/** `spared` workers are left alone. */
export async function killWorkers(scene: ResumeScene, spared: readonly ServerProcess[]): Promise<Part> {
  const { random, run } = scene
  const findings: string[] = []
  const waits: number[] = []
  let kills = 0
  while (kills < KILLS[run.length] && findings.length === 0) {
    const most = Math.min(TOGETHER, KILLS[run.length] - kills)
    const victims = random.shuffle(scene.workers.filter((worker) => !spared.includes(worker))).slice(0, most)
    await occupy(scene, victims, () => random.whole(8, 12))
    const lost = await Promise.all(victims.map((victim) => killOne(scene, victim)))
    kills += lost.length
    const found = await waitForHeirs(scene, lost)
    for (const { job_id, wait } of found) {
      waits.push(wait)
      if (wait > RESUME_MS)
        findings.push(
          `${job_id}: ${wait === Number.POSITIVE_INFINITY ? 'never resumed' : `resumed after ${round(wait / 1000)} s`}`,
        )
    }
    if (kills < KILLS[run.length]) await startWorkers(scene, victims.length)
  }
  const figure = `${kills} kills in mid-step, ${waits.length} jobs resumed: p50 ${round(quantile(waits, 0.5) / 1000, 1)} s, max ${round(Math.max(...waits) / 1000, 1)} s`
  return { figure, findings }
}

async function killOne(scene: ResumeScene, victim: ServerProcess): Promise<Loss> {
  await sleep(scene.random.between(0, 2_000))
  const held = await waitForMiddle(scene, victim)
  const at = Date.now()
  await victim.kill()
  scene.workers = scene.workers.filter((worker) => worker !== victim)
  lose(scene, held)
  return { at, pid: victim.pid, held }
}

async function waitForHeirs(
  { world }: ResumeScene,
  losses: readonly Loss[],
): Promise<{ job_id: string; wait: number }[]> {
  const ids = losses.flatMap(({ held }) => held.map(({ job_id }) => job_id))
  for (const until = Math.max(...losses.map(({ at }) => at)) + PATIENCE_MS; ; await sleep(300)) {
    const notes = await readNotes(world, ids)
    const found = losses.flatMap((loss) =>
      loss.held.map(({ job_id }) => ({ job_id, wait: waitOf(notes, loss, job_id) })),
    )
    if (Date.now() > until || found.every(({ wait }) => wait < Number.POSITIVE_INFINITY)) return found
  }
}

function waitOf(notes: readonly Note[], { at, pid }: Loss, job_id: string): number {
  const begin = notes.find(
    (note) => note.job_id === job_id && note.what === 'begin' && note.pid !== pid && note.at > at,
  )
  return begin ? begin.at - at : Number.POSITIVE_INFINITY
}
