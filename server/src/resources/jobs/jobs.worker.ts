import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { batch } from './jobs.jobs.ts'
import { createItems } from './jobs.service.ts'

export function jobHandlers(app: App): JobHandler[] {
  return [{ type: batch, run: (run) => createItems(app, run as never) }]
}
