import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { type Ingestion, ingestion, purge } from './documents.jobs.ts'
import { followIngestion, ingestPages } from './ingestion.service.ts'
import { purgeDocument } from './purge.service.ts'

const handleIngestion: JobHandler<Ingestion> = { type: ingestion, run: ingestPages, follow: followIngestion }
const handlePurge: JobHandler<Record<string, never>> = { type: purge, run: purgeDocument }

export const documentHandlers = (_app: App): JobHandler[] => [handleIngestion, handlePurge] as JobHandler[]
