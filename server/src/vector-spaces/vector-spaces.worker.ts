import type { App } from '../app.ts'
import type { JobHandler } from '../jobs/types.ts'
import { type Reindex, reindex } from './vector-spaces.jobs.ts'
import { runReindex } from './vector-spaces.reindex.ts'

export function spaceHandlers(app: App): JobHandler[] {
  const handleReindex: JobHandler<Reindex> = { type: reindex, run: (run) => runReindex(app, run) }
  return [handleReindex] as JobHandler[]
}
