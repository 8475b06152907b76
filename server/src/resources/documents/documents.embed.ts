// Vectors of the pages of a document that is being read. A few chunks are embedded before their pages are committed,
// which saves a transaction. Otherwise pages are committed first, so that keyword search finds them early.

import type { Needs } from '../../app.ts'
import type { Tx } from '../../db/database.ts'
import type { Run } from '../../jobs/types.ts'
import { timeOfUuid, uuid } from '../../lib/ids.ts'
import { recordUsage } from '../../usage/usage.service.ts'
import { fillDocument } from '../../vector-spaces/vector-spaces.fill.ts'
import {
  type ChunkTexts,
  type EmbedRequest,
  embedSoon,
  listWritten,
} from '../../vector-spaces/vector-spaces.service.ts'

/** After that the document is ready without vectors; they are added in the background. */
const MOST_WAITED_MS = 10 * 60_000

interface EmbeddedDocument {
  id: string
  project_id: string | null
}

export class PageEmbedder {
  private readonly app: Needs<'models' | 'db'>
  private readonly run: Run<object>
  private readonly document: EmbeddedDocument
  /** Whether committed pages may lack vectors. */
  private isBehind: boolean

  /** `isResumed`: an earlier run has committed pages. */
  constructor(
    app: Needs<'models' | 'db'>,
    run: Run<object>,
    { document, isResumed }: { document: EmbeddedDocument; isResumed: boolean },
  ) {
    this.app = app
    this.run = run
    this.document = document
    this.isBehind = isResumed
  }

  /** Before pages are committed. Returns a function that records the usage in the transaction of the pages. */
  async embed(pages: readonly { cut: ChunkTexts }[]): Promise<(tx: Tx) => void> {
    const cuts = pages.map(({ cut }) => cut)
    const { subject, id: job_id } = this.run.job
    const { project_id } = this.document
    const requests = await this.embedUnlessBehind(cuts)
    return (tx) => {
      for (const { model, spent, compute_ms } of requests)
        recordUsage(tx, model, { project_id, key_id: null, job_id, subject }, { pages: 0, ...spent, compute_ms })
    }
  }

  /** Once pages lack vectors, the rest of them follow after the last page. */
  private async embedUnlessBehind(cuts: ChunkTexts[]): Promise<EmbedRequest[]> {
    const { app, run, document } = this
    if (this.isBehind) return []
    const requests = await embedSoon(app, run.db, cuts, { project_id: document.project_id, signal: run.signal })
    this.isBehind = requests
      ? cuts.some(({ vectors = [] }) => vectors.some((one) => one.vectors.includes(null)))
      : (await listWritten(app, run.db)).length > 0
    return requests ?? []
  }

  /** After all pages are committed: adds the missing vectors. Waits while a remote model is unavailable. */
  async finish(onProgress: () => void): Promise<void> {
    if (!this.isBehind) return
    const { app, run, document } = this
    const mustEnd = Date.now() - timeOfUuid(uuid(run.job.id)).getTime() > MOST_WAITED_MS
    const usage = { project_id: document.project_id, subject: run.job.subject }
    await fillDocument(app, run, document.id, { usage, onProgress, mustEnd })
  }
}
