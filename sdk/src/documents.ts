import type { CallOptions, Send } from './call.ts'
import { DocumentsResource } from './generated/resources.ts'
import type { Document, Event, JobProgress, NewDocument } from './generated/types.ts'
import type { Jobs } from './jobs.ts'
import { waitUntil } from './waiting.ts'

export interface CreateAndWaitOptions extends CallOptions {
  /** Called with how far it is, whenever the server tells. Needs `jobs:read`. */
  onProgress?: ((progress: JobProgress) => void) | undefined
}

function progressOf({ data }: Event): JobProgress | null {
  const { progress } = data
  return progress !== null && typeof progress === 'object' ? (progress as JobProgress) : null
}

export class Documents extends DocumentsResource {
  readonly #jobs: Jobs

  constructor(send: Send, jobs: Jobs) {
    super(send)
    this.#jobs = jobs
  }

  /**
   * Creates a document and waits until its pages are there, or until it is known why they are not: look at its `status`.
   * The options are those of the creation; `signal` ends the wait as well. Needs `documents:write` and `documents:read`.
   */
  async createAndWait(body: NewDocument, options: CreateAndWaitOptions = {}): Promise<Document> {
    const { onProgress, ...ofCreation } = options
    const { signal, max_retries } = options
    const created = await this.create(body, ofCreation)
    if (created.status !== 'processing') return created
    if (onProgress && created.latest_job_id !== null) {
      for await (const event of this.#jobs.follow(created.latest_job_id, { signal, max_retries })) {
        const progress = progressOf(event)
        if (progress) onProgress(progress)
      }
    }
    return waitUntil(
      (asked) => this.get(created.id, {}, asked).withResponse(),
      ({ status }) => status !== 'processing',
      { signal, max_retries },
    )
  }
}
