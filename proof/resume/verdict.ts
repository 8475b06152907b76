// Final checks on every job, whichever workers were lost.

import { contradictionsOf, isEnd, readHistories } from '../lib/histories.ts'
import type { Part } from '../lib/proof.ts'
import { type Note, readNotes } from '../lib/scripts.ts'
import type { ResumeScene } from './scene.ts'

export async function judge({ world, steps, losses }: ResumeScene): Promise<Part> {
  const histories = await readHistories(world.database.name)
  const notes = Map.groupBy(await readNotes(world), ({ job_id }) => job_id)
  const findings: string[] = []
  for (const [id, count] of steps) {
    const history = histories.get(id)!
    const { row, events } = history
    findings.push(...contradictionsOf(history), ...repeatedIn(notes.get(id) ?? []))
    const ends = events.filter(({ word }) => isEnd(word)).length
    if (ends !== 1) findings.push(`${id}: ${ends} ends`)
    if (row?.status !== 'succeeded') findings.push(`${id}: ${row?.status}`)
    if (row?.steps !== count) findings.push(`${id}: ${row?.steps} of ${count} steps are kept`)
    if (row?.failures !== 0) findings.push(`${id}: ${row?.failures} failures though only workers were lost`)
    const lost = losses.get(id)
    const interrupted = (row?.outcomes ?? []).filter((outcome) => outcome === 'interrupted').length
    if (lost !== undefined && interrupted !== lost)
      findings.push(`${id}: ${interrupted} attempts interrupted, ${lost} workers lost`)
  }
  return { figure: `${steps.size} jobs: ${findings.length} wrong`, findings }
}

/** A step whose result its handler had got, since it went on, and which began again all the same. */
function repeatedIn(notes: readonly Note[]): string[] {
  const found: string[] = []
  const finished = new Set<number>()
  const latest = new Map<string, number>()
  for (const { job_id, what, attempt, pid } of notes) {
    const step = Number(/^step (\d+)$/.exec(what)?.[1])
    if (Number.isNaN(step)) continue
    if (finished.has(step)) found.push(`${job_id}: step ${step} ran again`)
    const run = `${attempt} ${pid}`
    const before = latest.get(run)
    if (before !== undefined) finished.add(before)
    latest.set(run, step)
  }
  return found
}
