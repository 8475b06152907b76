import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { runReindex } from './reindex.service.ts'
import { type Reindex, reindex } from './spaces.jobs.ts'

export function spaceHandlers(app: App): JobHandler[] {
  const handleReindex: JobHandler<Reindex> = { type: reindex, run: (run) => runReindex(app, run) }
  return [handleReindex] as JobHandler[]
}
