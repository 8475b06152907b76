// Shared by the parts of the proof: a worker that is killed in the middle of an outcome, and another one that
// continues.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'
import { findUuid } from '../../server/src/lib/ids.ts'
import { asAdmin } from '../lib/admin.ts'
import { change } from '../lib/change.ts'
import { type Notes, noting } from '../lib/notes.ts'
import type { Plant } from '../lib/proof.ts'
import type { ServerProcess, World } from '../lib/world.ts'

/** Reads few words at once. */
export const READER = 'reader'

export interface OutcomeResumeScene {
  world: World
  client: Octavo
  /** The current worker. */
  worker: ServerProcess
  /** The model's answers, oldest first. */
  answers: OutcomeResumeAnswer[]
  notes: Notes
}

interface OutcomeResumeAnswer {
  /** Identifies the call: the job and its step. */
  step: string
  input_tokens: number
  output_tokens: number
}

const FOUND = 'findInGroup(work.app, group, { features, entity_types, signal })'
/** Not a fault: each group of pages that is looked at leaves a line, which a kill cannot take back. */
export const NOTING: Plant = change('findFeatures', FOUND, `(${noting('name')}, ${FOUND})`)
export const startWorker = ({ world, notes }: Pick<OutcomeResumeScene, 'world' | 'notes'>): Promise<ServerProcess> =>
  world.startWorker(notes.env)

/** Without any progress: a busy machine is slow, but not silent. */
const PATIENCE_MS = 120_000

/** With -9, as soon as `done` has reached each of the numbers. `onDeath` is called before another worker is there. */
export async function killAt(
  scene: OutcomeResumeScene,
  at: readonly number[],
  done: () => number,
  onDeath: () => Promise<void>,
): Promise<void> {
  for (const number of at) {
    let [seen, heard_at] = [done(), Date.now()]
    while (done() < number) {
      if (done() > seen) [seen, heard_at] = [done(), Date.now()]
      if (Date.now() > heard_at + PATIENCE_MS) throw new Error(`stands still at ${seen}, before ${number}`)
      await sleep(2)
    }
    await scene.worker.kill()
    await onDeath()
    scene.worker = await startWorker(scene)
  }
}

/** Names of the steps that are committed. */
export async function listSteps({ world }: OutcomeResumeScene, job_id: string): Promise<Set<string>> {
  const { rows } = await asAdmin(world.database.name, (client) =>
    client.query<{ name: string }>('select name from job_steps where job_id = $1', [findUuid('job', job_id)]),
  )
  return new Set(rows.map(({ name }) => name))
}

interface OutcomeResumeBill {
  records: number
  input_tokens: number
  output_tokens: number
  pages: number
}
const BILL = `select count(*) filter (where input_tokens + output_tokens > 0)::int as records, coalesce(sum(input_tokens), 0)::int as input_tokens,
  coalesce(sum(output_tokens), 0)::int as output_tokens, coalesce(sum(pages), 0)::int as pages from usage_records where job_id = $1`

/** The job's usage records. */
export const readBill = ({ world }: OutcomeResumeScene, job_id: string): Promise<OutcomeResumeBill> =>
  asAdmin(
    world.database.name,
    async (client) => (await client.query<OutcomeResumeBill>(BILL, [findUuid('job', job_id)])).rows[0]!,
  )
