// A worker that is paused until other workers own its jobs, and then resumes.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Part } from '../lib/proof.ts'
import { readNotes } from '../lib/scripts.ts'
import type { ServerProcess } from '../lib/world.ts'
import { lose, occupy, type ResumeHeldJob, type ResumeScene, waitForMiddle } from './scene.ts'

const FREEZES = { short: 1, normal: 2, long: 6 }
const FREEZE_MS = 25_000
const AFTER_MS = 4_000
/** Steps of a job that is not over by then. */
const LONG = 17

export async function freezeWorker(scene: ResumeScene, sleeper: ServerProcess): Promise<Part> {
  const { run } = scene
  const findings: string[] = []
  let woken = 0
  for (let i = 0; i < FREEZES[run.length]; i++) {
    // It is still under way with its heir when the sleeper wakes; others have ended.
    const isLong = ({ job_id, last }: ResumeHeldJob): boolean =>
      scene.steps.get(job_id) === LONG && /^step [123]$/.test(last.what)
    await occupy(scene, [sleeper], () => LONG, isLong)
    const held = await waitForMiddle(scene, sleeper, true)
    sleeper.process.kill('SIGSTOP')
    await sleep(FREEZE_MS)
    const woke_at = Date.now()
    sleeper.process.kill('SIGCONT')
    lose(scene, held)
    await sleep(AFTER_MS)
    findings.push(...(await deedsAfter(scene, sleeper.pid, held, woke_at)))
    woken += held.length
  }
  return {
    figure: `${FREEZES[run.length]} workers stopped for ${FREEZE_MS / 1000} s woke with ${woken} jobs of others`,
    findings,
  }
}

/** The step that was under way may come to its end; its result is refused, and no other begins. */
async function deedsAfter(
  { world }: ResumeScene,
  pid: number,
  held: readonly ResumeHeldJob[],
  woke_at: number,
): Promise<string[]> {
  const notes = (await readNotes(world)).filter((note) => note.pid === pid && note.at >= woke_at)
  return held.flatMap(({ job_id, last }) =>
    notes
      .filter((note) => note.job_id === job_id && note.attempt === last.attempt && /^(step|begin)/.test(note.what))
      .map(({ what }) => `${job_id}: a worker that had lost it went on with ${what}`),
  )
}
