// Shared by the parts of the proof: workers that die, and jobs that must survive it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Engines } from '../lib/engines.ts'
import type { ProofRun } from '../lib/proof.ts'
import type { Random } from '../lib/random.ts'
import { enqueueScripts, type Note, readNotes } from '../lib/scripts.ts'
import type { ServerProcess, World } from '../lib/world.ts'

export interface ResumeScene {
  run: ProofRun
  engines: Engines
  world: World
  tenant: string
  random: Random
  /** Those that run now. */
  workers: ServerProcess[]
  /** How many steps each job has, by its id. */
  steps: Map<string, number>
  /** How often each job lost its worker. */
  losses: Map<string, number>
}

/** One after another: a small machine would take too long for all of them at once. */
export async function startWorkers(
  { world, workers }: Pick<ResumeScene, 'world' | 'workers'>,
  count: number,
): Promise<void> {
  for (let i = 0; i < count; i++) workers.push(await world.startScriptedWorker())
}

const STEP_MS = 1_500

async function startJob(scene: ResumeScene, steps: number): Promise<string> {
  const [id] = await enqueueScripts(scene.world, scene.tenant, { steps, step_ms: STEP_MS })
  scene.steps.set(id!, steps)
  return id!
}

export interface ResumeHeldJob {
  job_id: string
  /** Its last note. */
  last: Note
}

/** Jobs that each process is running: their last log line is from that process and is not the end. */
function heldBy(notes: readonly Note[]): Map<number, ResumeHeldJob[]> {
  const lasts = [...Map.groupBy(notes, ({ job_id }) => job_id).values()].map((ofJob) => ofJob.at(-1)!)
  const open = lasts.filter(({ what }) => what !== 'end').map((last) => ({ job_id: last.job_id, last }))
  return Map.groupBy(open, ({ last }) => last.pid)
}

/** Starts jobs one by one until each of these workers runs one that `isWanted`; which worker gets which is random. */
export async function occupy(
  scene: ResumeScene,
  workers: readonly ServerProcess[],
  steps: () => number,
  isWanted: (held: ResumeHeldJob) => boolean = () => true,
): Promise<void> {
  for (let tries = 0; tries < 80; tries++) {
    const held = heldBy(await readNotes(scene.world))
    if (workers.every(({ pid }) => held.get(pid)?.some(isWanted))) return
    await startJob(scene, steps())
    await sleep(120)
  }
  throw new Error('the jobs did not come to every worker')
}

/** Waits until one of the jobs that the worker holds, or all, are well inside a step after the first; says what it holds then. */
export async function waitForMiddle(
  scene: ResumeScene,
  { pid }: ServerProcess,
  isAll = false,
): Promise<ResumeHeldJob[]> {
  for (let tries = 0; tries < 250; tries++) {
    const held = heldBy(await readNotes(scene.world)).get(pid) ?? []
    const now = Date.now()
    const isInside = ({ last }: ResumeHeldJob): boolean => {
      const age = now - last.at
      return /^step ([2-9]|1\d)$/.test(last.what) && age > 50 && age < STEP_MS * 0.75
    }
    if (held.length > 0 && (isAll ? held.every(isInside) : held.some(isInside))) return held
    await sleep(80)
  }
  throw new Error('the worker never was in the middle of its steps')
}

export function lose(scene: ResumeScene, held: readonly ResumeHeldJob[]): void {
  for (const { job_id } of held) scene.losses.set(job_id, (scene.losses.get(job_id) ?? 0) + 1)
}
