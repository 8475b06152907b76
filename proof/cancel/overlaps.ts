import { readNotes } from '../lib/scripts.ts'
import type { CancelScene } from './scene.ts'

/** Jobs that two handlers worked on at once, as the handlers saw it. */
export async function overlapsIn({ world }: Pick<CancelScene, 'world'>, ids: readonly string[]): Promise<string[]> {
  const inside = new Map<string, number>()
  const found: string[] = []
  for (const { job_id, what } of await readNotes(world, ids)) {
    if (what !== 'begin' && what !== 'end') continue
    const now = (inside.get(job_id) ?? 0) + (what === 'begin' ? 1 : -1)
    inside.set(job_id, now)
    if (now > 1) found.push(`${job_id}: two runs at once`)
  }
  return found
}
