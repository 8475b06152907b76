// PostgreSQL is killed with all its sessions while two workers are busy.

import { setTimeout as sleep } from 'node:timers/promises'
import { readRest } from '../lib/histories.ts'
import { type Part, round } from '../lib/proof.ts'
import { enqueueScripts, readNotes } from '../lib/scripts.ts'
import type { ResumeScene } from './scene.ts'

const OUTAGES = { short: 1, normal: 3, long: 10 }
const JOBS = 120
const SCRIPT = { steps: 3, step_ms: 300 }
const SETTLE_MS = 15_000
const PATIENCE_MS = 40_000

export async function killDatabase(scene: ResumeScene): Promise<Part> {
  const { engines, world, random, run, tenant } = scene
  const findings: string[] = []
  const spans: number[] = []
  for (let i = 0; i < OUTAGES[run.length]; i++) {
    const ids = await enqueueScripts(world, tenant, SCRIPT, { count: JOBS })
    for (const id of ids) scene.steps.set(id, SCRIPT.steps)
    await sleep(random.between(1_200, 2_000))
    await engines.kill('postgres')
    await sleep(random.between(500, 2_000))
    await engines.start('postgres')
    const back_at = Date.now()
    const { live } = await readRest(world.database.name)
    if (live === 0) throw new Error('the load had ended before PostgreSQL was killed')
    const span = await waitUntilQuiet(scene, back_at)
    spans.push(span)
    if (span > SETTLE_MS)
      findings.push(
        `${live} jobs were left when PostgreSQL came back; not all had ended after ${round(span / 1000, 1)} s`,
      )
    findings.push(...(await doneTwice(scene, ids)))
    if (findings.length > 0) break
  }
  const figure = `PostgreSQL killed ${spans.length} times under ${JOBS} jobs: all ended at most ${round(Math.max(...spans) / 1000, 1)} s after its return`
  return { figure, findings }
}

export async function waitUntilQuiet({ world }: ResumeScene, since: number): Promise<number> {
  for (;;) {
    const { live, used, waiting, tickets } = await readRest(world.database.name)
    const span = Date.now() - since
    if (live + used + waiting + tickets === 0) return span
    if (span > PATIENCE_MS) return Number.POSITIVE_INFINITY
    await sleep(100)
  }
}

/** No worker was lost: what a step had done was still known when the database was back. */
async function doneTwice({ world }: ResumeScene, ids: readonly string[]): Promise<string[]> {
  const done = (await readNotes(world, ids)).filter(({ what }) => what.startsWith('done'))
  const groups = Map.groupBy(done, ({ job_id, what }) => `${job_id}: ${what}`)
  return [...groups].flatMap(([what, notes]) =>
    notes.length > 1 ? [`${what} ${notes.length} times though its worker lived`] : [],
  )
}
