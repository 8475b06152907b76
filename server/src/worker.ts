// The job runner: every resource's handlers, one line each, and the worker's periodic tasks.

import type { App } from './app.ts'
import { keepUp } from './db/upkeep.ts'
import { lineUpDue, reconcile } from './jobs/reconciler.ts'
import type { JobHandler } from './jobs/types.ts'
import { JobWorker } from './jobs/worker.ts'
import { type Loop, startLoop } from './lib/loop.ts'
import { expireOutcomes } from './outcomes/outcomes.delete.ts'
import { analysisHandlers } from './resources/analysis/analysis.worker.ts'
import { answerHandlers } from './resources/answers/answers.worker.ts'
import { recordPendingRevocations } from './resources/api-keys/api-keys.revocations.ts'
import { classificationHandlers } from './resources/classifications/classifications.worker.ts'
import { expireDocuments } from './resources/documents/documents.service.ts'
import { documentHandlers } from './resources/documents/documents.worker.ts'
import { embeddingHandlers } from './resources/embeddings/embeddings.worker.ts'
import { sweep } from './resources/files/files.sweep.ts'
import { expireFiles } from './resources/files/files.unused.ts'
import { jobHandlers } from './resources/jobs/jobs.worker.ts'
import { reportHandlers } from './resources/reports/reports.worker.ts'
import { summaryHandlers } from './resources/summaries/summaries.worker.ts'
import { expireUploads } from './resources/uploads/uploads.service.ts'
import { errorFields } from './telemetry/log.ts'
import { startReindexing } from './vector-spaces/vector-spaces.service.ts'
import { spaceHandlers } from './vector-spaces/vector-spaces.worker.ts'

const DUE_MS = 500
const RECONCILE_MS = 5_000
const EXPIRY_MS = 60_000
const REINDEX_MS = 10_000
const NOTE_MS = 5_000

export const handlersOf = (app: App): JobHandler[] => [
  ...documentHandlers(app),
  ...jobHandlers(app),
  ...analysisHandlers(app),
  ...summaryHandlers(app),
  ...classificationHandlers(app),
  ...embeddingHandlers(app),
  ...answerHandlers(app),
  ...reportHandlers(app),
  ...spaceHandlers(app),
]

export async function startWorker(
  app: App,
  handlers: readonly JobHandler[] = handlersOf(app),
): Promise<{ stop(): Promise<void> }> {
  app.jobs.use(handlers)
  const worker = new JobWorker(app)
  await worker.start()
  const loop = (name: string, round: () => Promise<number>): Loop =>
    startLoop(round, (error) => app.log.warn(`${name} loop failed`, errorFields(error)))
  const stopping = new AbortController()
  let isDue = false
  const loops = [
    loop('retry', async () => {
      await lineUpDue(app)
      return DUE_MS
    }),
    loop('reconciler', async () => {
      await reconcile(app)
      return RECONCILE_MS
    }),
    loop('expiry', async () => {
      const expired = [
        await expireDocuments(app),
        await expireUploads(app),
        await expireFiles(app),
        await expireOutcomes(app),
      ]
      return expired.some((count) => count > 0) ? 100 : EXPIRY_MS
    }),
    loop('reindexing', async () => {
      await startReindexing(app)
      return REINDEX_MS
    }),
    loop('revocation', async () => {
      await recordPendingRevocations(app)
      return NOTE_MS
    }),
    loop('upkeep', () => keepUp(app.system)),
    loop('sweeper', async () => {
      const { every_seconds } = app.config.sweep
      // Not at start: processes that are restarted again and again would do nothing else.
      if (isDue)
        await sweep(app, { signal: stopping.signal }).catch((error: unknown) =>
          app.log.warn('sweep failed', errorFields(error)),
        )
      isDue = true
      return every_seconds * 1000
    }),
  ]
  return {
    async stop() {
      stopping.abort()
      await Promise.all([worker.stop(), ...loops.map((one) => one.stop())])
    },
  }
}
