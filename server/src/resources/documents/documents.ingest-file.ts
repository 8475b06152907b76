// Ingests a file: a sandboxed child process parses it, a reader reads page after page, and pages are committed as they
// are read. After a crash, the next attempt resumes at the first missing page.

import type { Readable } from 'node:stream'
import { required } from '@octavo/base/required.ts'
import type { JobProgress } from '@octavo/contract'
import { Unreadable } from '@octavo/extract/types.ts'
import type { App } from '../../app.ts'
import { type JobEnd, JobFailure, type Run } from '../../jobs/types.ts'
import { Failure } from '../../lib/failure.ts'
import { measured } from '../../lib/streams.ts'
import { describeFile, openFile } from '../files/files.service.ts'
import { countCharacters, listDone } from '../pages/pages.service.ts'
import { attachDocuments } from './documents.attachments.ts'
import { conclude, deletedMeanwhile } from './documents.commit.ts'
import { PageEmbedder } from './documents.embed.ts'
import { fetchSource } from './documents.fetch.ts'
import { type Ingestion, secondsFor } from './documents.jobs.ts'
import { type OpenedDocument, openFileForReading } from './documents.open-file.ts'
import { PageWriter } from './documents.page-writer.ts'
import { readPassword } from './documents.password.ts'
import * as store from './documents.store.ts'

export async function readFilePages(app: App, run: Run<Ingestion>): Promise<JobEnd> {
  const id = run.job.subject.id
  if (run.payload.url !== undefined) await fetchSource(app, run, run.payload.url)
  const document = await store.findDocument(run.db, id)
  if (!document?.file_id) throw deletedMeanwhile()
  run.progress(
    { unit: 'pages', completed: document.pages_ready, failed: document.pages_failed, total: null },
    'parsing',
  )
  const opened = await openDocument(app, run, document)
  const { embedder, progress, ...ending } = await readPages(app, run, document, opened)
  await embedder.finish(() => run.progress(progress, 'embedding'))
  return endingOf(run, ending)
}

/** Closes the file. */
async function readPages(
  app: App,
  run: Run<Ingestion>,
  document: store.DocumentRow,
  { reading, reader: required }: OpenedDocument,
): Promise<ReadFile & { embedder: PageEmbedder; progress: JobProgress }> {
  const { id } = document
  try {
    const limit = Math.min(reading.page_count, app.config.parsing.max_pages)
    const done = new Set(await listDone(run.db, id))
    const wanted = run.payload.pages ?? Array.from({ length: limit }, (_, i) => i + 1)
    const left = wanted.filter((number) => number <= limit && !done.has(number))
    const { reader: named = 'built_in', ocr = 'auto' } = document.processing ?? {}
    const reader = required ?? app.readers.find(named, { ocr })
    if (!reader)
      throw new JobFailure(
        'model_unavailable',
        `The reader '${named}' is no longer available. Create the document again with another reader.`,
      )
    // A page that is read again takes the place of what was there.
    const characters = done.size === 0 || run.payload.pages ? 0 : await countCharacters(run.db, id)
    const embedder = new PageEmbedder(app, run, { document, isResumed: done.size > 0 })
    const writer = new PageWriter(app, run, { document, reading, reader, embedder, characters })
    await writer.readAll(left)
    const skipped = await attachDocuments(app, run, { document, reading })
    // A page that is read again changes nothing of the count.
    const page_count = run.payload.pages ? null : reading.page_count
    // Repeated in every attempt, because users may have changed pages in between.
    await run.write(`conclusion of attempt ${run.attempt}`, (tx) =>
      conclude(tx, id, [...skipped, ...writer.warnings], page_count),
    )
    return { page_count: reading.page_count, limit, stopped: writer.stopped, embedder, progress: writer.progress }
  } catch (error) {
    throw error instanceof Unreadable ? jobFailure(error) : error
  } finally {
    await reading.close()
  }
}

async function openDocument(app: App, run: Run<Ingestion>, document: store.DocumentRow): Promise<OpenedDocument> {
  const file = await openFile(app, run.db, required(document.file_id, 'file of the document'))
  let first: ReturnType<typeof measured> | null = null
  const bytes = async (): Promise<Readable> => {
    const stream = await file.open().catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
      const message = 'The bytes of the file are missing from storage. Upload the file again, or contact the operator.'
      throw new JobFailure('source_unavailable', message, { is_final: false, cause: error })
    })
    if (first) return stream
    first = measured(stream)
    return first.bytes
  }
  let opened: OpenedDocument
  try {
    const { media_type, file_name, size_bytes } = file
    const password = await readPassword(app, run.db, document.id)
    const claims = { media_type, file_name, size_bytes, password }
    opened = await openFileForReading(app, run, { ...claims, open: bytes }, document.project_id)
  } catch (error) {
    run.signal.throwIfAborted()
    throw error instanceof Unreadable ? jobFailure(error) : error
  }
  const { reading } = opened
  try {
    const { sha256 } = first!.read()
    if (file.sha256 !== null && file.sha256 !== sha256)
      throw new JobFailure(
        'document_unreadable',
        'The uploaded bytes do not match the sha256 of the upload. Upload the file again.',
      )
    await run.write('description', async (tx) => {
      const { media_type, page_count, warnings } = reading
      await run.allowSeconds(tx, secondsFor(Math.min(page_count, app.config.parsing.max_pages)))
      // A page that is read again changes nothing of this.
      if (run.payload.pages) return null
      describeFile(tx, file.id, { media_type, sha256 })
      store.describeDocument(tx, document.id, {
        file_id: file.id,
        media_type,
        size_bytes: file.size_bytes,
        sha256,
        page_count,
        warnings,
      })
      return null
    })
    return opened
  } catch (error) {
    await reading.close()
    throw error
  }
}

const jobFailure = ({ code, message, page }: Unreadable): JobFailure =>
  new JobFailure(code, message, page === null ? {} : { details: [{ field: `pages[${page}]`, code, message }] })

interface ReadFile {
  page_count: number
  /** The last page that may be read. */
  limit: number
  /** Why the pages after the last one were not read. */
  stopped: Unreadable | null
}

/** Decided by the stored pages, no matter which attempt or user wrote them. */
async function endingOf(run: Run<Ingestion>, { page_count, limit, stopped }: ReadFile): Promise<JobEnd> {
  const document = await store.findDocument(run.db, run.job.subject.id)
  if (!document) throw deletedMeanwhile()
  const { pages_ready, pages_failed } = document
  const usage = { pages: pages_ready }
  if (stopped && pages_ready === 0) throw jobFailure(stopped)
  if (stopped) {
    const message = `${stopped.message} ${pages_ready} of ${page_count} pages were read.`
    return {
      status: 'partially_succeeded',
      usage,
      error: { code: stopped.code, message, details: [] },
      warnings: [message],
    }
  }
  if (pages_ready === 0)
    throw new JobFailure('document_unreadable', 'No page of the document could be read. See the error of each page.')
  if (pages_failed > 0) {
    const message = `${pages_failed} of ${page_count} pages could not be read. See the error of each page, and retry them one by one.`
    return { status: 'partially_succeeded', usage, error: { code: 'items_failed', message, details: [] } }
  }
  if (limit < page_count) {
    const message = `The document has ${page_count} pages; only the first ${limit} were read. Split it to read the others.`
    return {
      status: 'partially_succeeded',
      usage,
      error: { code: 'document_too_large', message, details: [] },
      warnings: [message],
    }
  }
  return { status: 'succeeded', usage }
}
