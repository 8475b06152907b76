import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { createItems } from './jobs.batches.ts'
import { batches } from './jobs.jobs.ts'

export function jobHandlers(app: App): JobHandler[] {
  return Object.values(batches).map((type) => ({ type, is_batch: true, run: (run) => createItems(app, run as never) }))
}
