import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { type Ingestion, ingestion, purge } from './documents.jobs.ts'
import { followIngestion, ingestPages, isReadable } from './ingestion.service.ts'
import { purgeDocument } from './purge.service.ts'

const handleIngestion: JobHandler<Ingestion> = {
  type: ingestion,
  run: ingestPages,
  follow: followIngestion,
  isRunnable: isReadable,
}

export function documentHandlers(app: App): JobHandler[] {
  const handlePurge: JobHandler<Record<string, never>> = { type: purge, run: (run) => purgeDocument(app, run) }
  return [handleIngestion, handlePurge] as JobHandler[]
}
