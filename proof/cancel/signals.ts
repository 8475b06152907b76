// A running job's handler hears of the cancel, and its processor is free soon after.

import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf } from '../lib/processes.ts'
import { type Part, quantile, round } from '../lib/proof.ts'
import { enqueueScripts, type Note, readNotes } from '../lib/scripts.ts'
import { ask, type CancelScene } from './scene.ts'

const TRIES = { short: 40, normal: 120, long: 1_000 }
const BURNS = { short: 1, normal: 5, long: 20 }
const WAVE = 24
const SIGNAL_MS = 1_000
const FREE_MS = 5_000
/** Far beyond the goal: one that hears nothing until then hears nothing. */
const PATIENCE_MS = 6_000
const LONG_STEP = { steps: 1, step_ms: 60_000 }

/** Until every job has such a note; those that are there after the time. */
async function waitForNotes(
  scene: Pick<CancelScene, 'world'>,
  ids: readonly string[],
  what: string,
  most_ms: number,
): Promise<Note[]> {
  for (const until = Date.now() + most_ms; ; await sleep(25)) {
    const notes = (await readNotes(scene.world, ids)).filter((note) => note.what === what)
    if (new Set(notes.map(({ job_id }) => job_id)).size === ids.length || Date.now() > until) return notes
  }
}

export async function hearCancels(scene: CancelScene): Promise<Part> {
  const delays: number[] = []
  const findings: string[] = []
  while (delays.length < TRIES[scene.run.length] && findings.length === 0) {
    for (const [id, delay] of await cancelWave(scene, findings)) {
      delays.push(delay)
      if (delay === Number.POSITIVE_INFINITY) findings.push(`${id}: its handler heard nothing within ${PATIENCE_MS} ms`)
    }
  }
  const p99 = quantile(delays, 0.99)
  if (p99 > SIGNAL_MS) findings.push(`the signal came after ${round(p99, 0)} ms, p99`)
  const figure = `${delays.length} running: signal p50 ${round(quantile(delays, 0.5), 0)} ms, p99 ${round(p99, 0)} ms, max ${round(Math.max(...delays), 0)} ms`
  return { figure, findings }
}

async function cancelWave(scene: CancelScene, findings: string[]): Promise<Map<string, number>> {
  const { world, tenant, random } = scene
  const ids = await enqueueScripts(world, tenant, LONG_STEP, { count: WAVE })
  const begun = await waitForNotes(scene, ids, 'step 1', 20_000)
  if (begun.length < WAVE) throw new Error(`only ${begun.length} of ${WAVE} jobs have begun`)
  const answered = new Map<string, number>()
  await Promise.all(
    ids.map(async (id) => {
      await sleep(random.between(0, 1_500))
      const answer = await ask(scene, 'cancel', id)
      if (answer.status !== 200) findings.push(`${id}: the cancel was answered with ${answer.status}`)
      answered.set(id, Date.now())
    }),
  )
  const stops = new Map(
    (await waitForNotes(scene, ids, 'stop cancelled', PATIENCE_MS)).map((note) => [note.job_id, note.at]),
  )
  return new Map(ids.map((id) => [id, Math.max(0, (stops.get(id) ?? Number.POSITIVE_INFINITY) - answered.get(id)!)]))
}

/** Work that needs the processor: it is free when the worker's time stops growing. */
export async function freeProcessor(scene: CancelScene): Promise<Part> {
  const { world, tenant, workers, run } = scene
  const spans: number[] = []
  for (let i = 0; i < BURNS[run.length]; i++) {
    const ids = await enqueueScripts(world, tenant, { ...LONG_STEP, is_busy: true }, { count: 4 })
    await waitForNotes(scene, ids, 'step 1', 20_000)
    const busy = await waitUntilBusy(workers)
    await Promise.all(ids.map((id) => ask(scene, 'cancel', id)))
    const answered = performance.now()
    let span = Number.POSITIVE_INFINITY
    while (performance.now() - answered < PATIENCE_MS * 2) {
      if ((await usage(workers, 300)) > Math.min(0.2, busy / 3)) continue
      span = performance.now() - answered
      break
    }
    spans.push(span)
    if (span === Number.POSITIVE_INFINITY) break
  }
  const max = Math.max(...spans)
  return {
    figure: `processor free after at most ${round(max / 1000)} s (${spans.length} times 4 busy jobs)`,
    findings: max > FREE_MS ? [`the processor was busy for ${round(max / 1000)} s after the cancels`] : [],
  }
}

/** On a machine that is busy with other things too, it takes a while until they get their share. */
async function waitUntilBusy(workers: CancelScene['workers']): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    const used = await usage(workers, 500)
    if (used > 0.15) return used
  }
  throw new Error('the jobs are not busy')
}

/** Processors that the workers use together. */
async function usage(workers: CancelScene['workers'], milliseconds: number): Promise<number> {
  const total = (): number => workers.reduce((sum, { pid }) => sum + cpuOf(pid), 0)
  const [before, began] = [total(), performance.now()]
  await sleep(milliseconds)
  return (total() - before) / (performance.now() - began)
}
