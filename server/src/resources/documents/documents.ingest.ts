// How a source becomes pages. Apart from documents.service, since pages.service needs that one and this needs both.

import { required } from '@octavo/base/required.ts'
import type { App, Needs } from '../../app.ts'
import type { Tx } from '../../db/database.ts'
import { record } from '../../events/record.ts'
import type { JobEnd, JobInfo, Run } from '../../jobs/types.ts'
import type { Heading } from '../../text/headings.ts'
import { findLanguage } from '../../text/language.ts'
import { cutPage } from '../chunks/chunks.service.ts'
import { type IngestedPage, listDone, settleQueued } from '../pages/pages.service.ts'
import { commitPages, conclude, countStored, deletedMeanwhile } from './documents.commit.ts'
import { PageEmbedder } from './documents.embed.ts'
import { readFilePages } from './documents.ingest-file.ts'
import type { Ingestion } from './documents.jobs.ts'
import { partsOf, stateAfter } from './documents.rules.ts'
import * as store from './documents.store.ts'

export async function ingest(app: App, run: Run<Ingestion>): Promise<JobEnd> {
  return run.payload.texts ? ingestPages(app, run) : readFilePages(app, run)
}

/** For a source that consists of page texts. */
export async function ingestPages(app: Needs<'models' | 'db' | 'metrics'>, run: Run<Ingestion>): Promise<JobEnd> {
  const { texts = [] } = run.payload
  const document = await store.findDocument(run.db, run.job.subject.id)
  if (!document) throw deletedMeanwhile()
  const done = new Set(await listDone(run.db, document.id))
  const embedder = new PageEmbedder(app, run, { document, isResumed: done.size > 0 })
  for (const { first, last } of partsOf(texts)) {
    // Written by an earlier attempt: a model is not asked, and paid, again. A part is one transaction.
    if (done.has(first)) continue
    const pages = await Promise.all(
      texts.slice(first - 1, last).map((text, i) => suppliedPage(text, first + i, document.title)),
    )
    const recordEmbedding = await embedder.embed(pages)
    await run.write(`pages ${first}-${last}`, async (tx) => {
      const counts = await commitPages(tx, run.job.subject.id, pages)
      tx.afterCommit(() => countStored(app, pages))
      recordEmbedding(tx)
      return counts
    })
    run.progress({ unit: 'pages', completed: last, failed: 0, total: texts.length }, 'chunking')
  }
  await run.write('conclusion', (tx) => conclude(tx, run.job.subject.id, [], null))
  await embedder.finish(() =>
    run.progress({ unit: 'pages', completed: texts.length, failed: 0, total: texts.length }, 'embedding'),
  )
  return { status: 'succeeded', usage: { pages: texts.length } }
}

const NO_HEADINGS: readonly Heading[] = []

async function suppliedPage(text: string, number: number, title: string): Promise<IngestedPage> {
  const language = await findLanguage(text)
  const cut = await cutPage({ text, blocks: null, page_number: number, path: NO_HEADINGS, title, language })
  const none = {
    confidence: null,
    width: null,
    height: null,
    blocks: null,
    reader: null,
    image_file_id: null,
    error: null,
  }
  return { ...none, number, status: 'succeeded', text, text_source: 'supplied', language, cut }
}

/** The document's state follows its job; one that is deleted is left alone. */
export async function followIngestion(tx: Tx, job: JobInfo): Promise<void> {
  let document = await store.lockDocument(tx, job.subject.id)
  if (!document) return
  if (job.status !== 'queued' && job.status !== 'running') {
    store.forgetPassword(tx, document.id)
    // Pages that were to be read again and were not are what they have been before.
    const states = await settleQueued(tx, document.id)
    if (states.length > 0) {
      const ready = states.filter((status) => status === 'succeeded').length
      store.countPages(tx, document.id, { ready, failed: states.length - ready })
      document = required(await store.lockDocument(tx, document.id), 'document')
    }
  }
  const state = stateAfter(job, document)
  if (!state || (state.status === document.status && state.error?.code === document.error?.code)) return
  record(tx, 'document.updated', await store.updateState(tx, document.id, state))
}

export const isReadable = async (tx: Tx, job: JobInfo): Promise<boolean> =>
  (await store.findDocument(tx, job.subject.id)) !== null
