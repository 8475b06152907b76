// How a source becomes pages. Apart from documents.service, since pages.service needs that one and this needs both.

import type { Tx } from '../../db/database.ts'
import { record } from '../../events/record.ts'
import { type Ending, JobFailure, type JobInfo, type Run } from '../../jobs/types.ts'
import { createPages } from '../pages/pages.service.ts'
import type { Ingestion } from './documents.jobs.ts'
import { partsOf, stateAfter } from './documents.rules.ts'
import * as store from './documents.store.ts'

export async function ingestPages(run: Run<Ingestion>): Promise<Ending> {
  const { texts } = run.payload
  for (const { first, last } of partsOf(texts)) {
    await run.write(`pages ${first}-${last}`, (tx) => writePages(tx, run.job.subject.id, first, texts.slice(first - 1, last)))
    run.progress({ unit: 'pages', completed: last, failed: 0, total: texts.length }, 'chunking')
  }
  return { status: 'succeeded', usage: { pages: texts.length } }
}

async function writePages(tx: Tx, document_id: string, first: number, texts: readonly string[]): Promise<number> {
  const document = await store.lockDocument(tx, document_id)
  if (!document) throw new JobFailure('cancelled', 'The document was deleted.')
  const written = await createPages(tx, document, first, texts)
  store.addReadyPages(tx, document_id, { ready: written, lost: texts.length - written })
  return written
}

/** The document's state follows its job; one that is deleted is left alone. */
export async function followIngestion(tx: Tx, job: JobInfo): Promise<void> {
  const document = await store.lockDocument(tx, job.subject.id)
  const state = document && stateAfter(job, document)
  if (!state || (state.status === document.status && state.error?.code === document.error?.code)) return
  record(tx, 'document.updated', await store.updateState(tx, document.id, state))
}

export const isReadable = async (tx: Tx, job: JobInfo): Promise<boolean> => (await store.findDocument(tx, job.subject.id)) !== null
