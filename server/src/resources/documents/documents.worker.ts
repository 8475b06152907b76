import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { followIngestion, ingest, isReadable } from './documents.ingest.ts'
import { type Ingestion, ingestion, purge } from './documents.jobs.ts'
import { purgeDocument } from './documents.purge.ts'

export function documentHandlers(app: App): JobHandler[] {
  const handleIngestion: JobHandler<Ingestion> = {
    type: ingestion,
    run: (run) => ingest(app, run),
    follow: followIngestion,
    isRunnable: isReadable,
  }
  const handlePurge: JobHandler<Record<string, never>> = { type: purge, run: (run) => purgeDocument(app, run) }
  return [handleIngestion, handlePurge] as JobHandler[]
}
