// Uses the operator's view of each job: a job that has not ended is stuck, and one with interrupted attempts lost its
// worker.

import { toId } from '../../server/src/lib/ids.ts'
import { explainJob } from '../../server/src/resources/jobs/jobs.explain.ts'
import { asAdmin } from '../lib/admin.ts'
import type { World } from '../lib/world.ts'

const ENDED = /^Job \S+ \([^)]*\) (?:succeeded|failed|was canceled)/

/** One line for each job that is not as it should be. */
export async function listStuck(world: World): Promise<{ jobs: number; stuck: string[] }> {
  const ids = await asAdmin(world.database.name, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from jobs')
    return rows.map(({ id }) => toId('job', id))
  })
  const stuck: string[] = []
  for (const id of ids) {
    const lines = await explainJob(world.app, id)
    const is_well = ENDED.test(lines[0] ?? '') && !lines.some((line) => line.includes('was interrupted'))
    if (!is_well) stuck.push(`it is reported as: ${lines.join(' ')}`)
  }
  return { jobs: ids.length, stuck }
}
