import { paragraphsOf } from '@octavo/base/blocks.ts'
import { itemAt, lastOf, valueOf } from '@octavo/base/required.ts'
import {
  MAX_PAGE_NUMBER,
  MAX_PAGES,
  type NewPage,
  type Page,
  type PagePatch,
  type PageReplacement,
} from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { hasSameFields, mergeMetadata, refuseFixed } from '../../lib/changes.ts'
import { sha256 } from '../../lib/digest.ts'
import { bodyDetail, Failure, invalidValue, notFound } from '../../lib/failure.ts'
import type { Heading } from '../../text/headings.ts'
import { renderMarkdown } from '../../text/markdown.ts'
import { findOpenTable, type OpenTable } from '../../text/open-tables.ts'
import { type CutPage, createChunks, forgetChunks, replaceChunks } from '../chunks/chunks.service.ts'
import * as documents from '../documents/documents.service.ts'
import { cutAgain, languageOf, type PreparedChunks } from './pages.chunks.ts'
import * as store from './pages.store.ts'

type ShownPage = Page & { version: number }

/** Markdown follows from the blocks, and the blocks of plain text from its paragraphs. */
async function shown(page: store.PageRow): Promise<ShownPage> {
  const blocks = page.blocks ?? paragraphsOf(page.text)
  return { ...page, blocks, markdown: await renderMarkdown({ text: page.text, blocks }) }
}

/** `page`: not null where pages of the list are numbered. */
type PageListRequest = PageRequest & { page: object | null }

export async function listPages(
  db: Db,
  document_id: string,
  filters: store.PageFilters,
  page: PageListRequest,
): Promise<ShownPage[]> {
  await documents.readDocument(db, document_id)
  await fitPage(db, document_id, filters, page)
  return Promise.all((await store.listPages(db, document_id, filters, page)).map(shown))
}

/** A hundred of the largest pages would be hundreds of megabytes in one answer. */
const MAX_LIST_BYTES = 16 * 1024 * 1024

/** Returns fewer pages than requested if they are large; the cursor continues after them. */
async function fitPage(db: Db, document_id: string, filters: store.PageFilters, page: PageListRequest): Promise<void> {
  const sizes = (await store.listSizes(db, document_id, filters, page)).slice(0, page.limit)
  let bytes = 0
  const tooMany = sizes.findIndex((one, index) => (bytes += one.bytes) > MAX_LIST_BYTES && index > 0)
  if (tooMany < 0) return
  if (page.page)
    throw new Failure(
      'invalid_parameter',
      `${sizes.length} of these pages are too large for one response. Request at most ${tooMany}, or use a cursor.`,
    )
  page.limit = tooMany
}

export async function readPage(db: Reader, document_id: string, id: string): Promise<ShownPage> {
  const page = await store.findPage(db, document_id, id)
  if (!page) throw notFound()
  return shown(page)
}

export async function createPage(
  tx: Tx,
  document_id: string,
  input: NewPage,
  prepared: PreparedChunks = null,
): Promise<ShownPage> {
  const document = await documents.lockDocument(tx, document_id)
  tx.precondition.check(document)
  refuseProcessing(document)
  if (document.page_count >= MAX_PAGES)
    throw new Failure('conflict', `A document has at most ${MAX_PAGES} pages. Put the rest into another document.`)
  const number = input.number ?? (await store.findLastNumber(tx, document_id)) + 1
  if (number > MAX_PAGE_NUMBER)
    throw new Failure(
      'conflict',
      'The last page already has the highest possible number. Send a number for the new page.',
    )
  const language = await languageOf(input.text, prepared)
  const cut = await cutAgain(tx, document, { number, language, text: input.text }, prepared)
  const page = await store.insertPage(tx, document, number, {
    text: input.text,
    text_source: 'supplied',
    language,
    sha256: sha256(input.text),
    metadata: input.metadata ?? {},
    blocks: null,
    heading_path: cut.path,
  })
  if (!page) throw await numberTaken(tx, document_id, number)
  await createChunks(tx, [{ document_id, page_id: page.id, project_id: document.project_id, cut }])
  documents.countPages(tx, document_id, { all: 1, ready: 1 })
  record(tx, 'page.created', page, document.project_id)
  return shown(page)
}

/** A page as it was read, cut into chunks. */
export interface IngestedPage extends Omit<store.ReadPageRow, 'sha256' | 'heading_path'> {
  cut: CutPage
}

/**
 * Writes the pages of a document as it is ingested. They have no events, because they are part of the document's
 * processing. Returns how many were written and how many of them are readable.
 */
export async function writePages(
  tx: Tx,
  parent: { id: string; project_id: string | null },
  pages: readonly IngestedPage[],
): Promise<{ ready: number; failed: number; lost: number }> {
  const rows = pages.map(({ cut, ...page }) => ({ ...page, sha256: sha256(page.text), heading_path: cut.path }))
  const written = await store.insertReadPages(tx, parent, rows)
  const byNumber = new Map(pages.map((page) => [page.number, page]))
  const kept = written.map(({ number }) => valueOf(byNumber, number))
  const { id: document_id, project_id } = parent
  const places = written.map(({ id, number }) => ({
    document_id,
    page_id: id,
    project_id,
    cut: valueOf(byNumber, number).cut,
  }))
  for (const [index, { is_replaced }] of written.entries()) if (is_replaced) forgetChunks(tx, itemAt(places, index))
  await createChunks(tx, places)
  const ready = kept.filter(({ status }) => status === 'succeeded').length
  return { ready, failed: kept.length - ready, lost: pages.length - kept.length }
}

export const countCharacters = (db: Reader, document_id: string): Promise<number> =>
  store.countCharacters(db, document_id)
export const listDone = (db: Reader, document_id: string): Promise<number[]> => store.listDone(db, document_id)
export const listHeadingsBefore = (db: Reader, document_id: string, number: number): Promise<Heading[]> =>
  store.listHeadingsBefore(db, document_id, number)
/** A table that goes on over more pages than this loses its headers if its ingestion is interrupted. */
const MAX_PAGES_OF_A_TABLE = 20

export async function findTableBefore(db: Reader, document_id: string, number: number): Promise<OpenTable | null> {
  const pages = await store.listBlocksBefore(db, document_id, { number, limit: MAX_PAGES_OF_A_TABLE })
  return pages.reduce<OpenTable | null>((open, blocks) => findOpenTable(blocks, open), null)
}

export const findMainLanguage = (db: Reader, document_id: string): Promise<string | null> =>
  store.findMainLanguage(db, document_id)
export const settleQueued = (tx: Tx, document_id: string): Promise<string[]> => store.settleQueued(tx, document_id)

/** For a deleted document; returns how many pages were deleted. */
export const removePages = (tx: Tx, document_id: string, limit: number): Promise<number> =>
  store.deletePages(tx, document_id, limit)

async function numberTaken(tx: Tx, document_id: string, number: number): Promise<Failure> {
  const existing = await store.findNumber(tx, document_id, number)
  const details = [bodyDetail('number', 'taken', 'Another page of the document has this number.', existing?.id)]
  return new Failure(
    'conflict',
    'The document already has a page with this number. Update that page, or omit the number to add a page at the end.',
    { details },
  )
}

interface PageInput {
  fixed: Record<string, unknown>
  prepared?: PreparedChunks
}

export async function replacePage(
  tx: Tx,
  params: PageParams,
  { input, fixed, prepared = null }: PageInput & { input: PageReplacement },
): Promise<ShownPage> {
  const { page, document } = await lockPage(tx, params, fixed)
  return save(tx, page, { document, prepared }, { text: input.text, metadata: input.metadata ?? {} })
}

export async function updatePage(
  app: Needs<'jobs'>,
  tx: Tx,
  params: PageParams,
  { patch, fixed, prepared = null }: PageInput & { patch: PagePatch },
): Promise<ShownPage> {
  if (patch.status !== undefined) return queuePage(app, tx, params, { patch, fixed })
  const { page, document } = await lockPage(tx, params, fixed)
  const metadata = mergeMetadata(page.metadata, patch.metadata)
  return save(tx, page, { document, prepared }, { text: patch.text ?? page.text, metadata })
}

/** Queues the page to be read again from the file. It keeps its text until then. */
async function queuePage(
  app: Needs<'jobs'>,
  tx: Tx,
  params: PageParams,
  { patch, fixed }: { patch: PagePatch; fixed: Record<string, unknown> },
): Promise<ShownPage> {
  if (patch.text !== undefined || patch.metadata !== undefined)
    throw invalidValue(
      'status',
      'inconsistent',
      'Must be the only field, because reading the page again replaces the others.',
    )
  // Jobs are locked before documents, here as everywhere.
  app.jobs.lockSlots(tx)
  const { page, project_id, document } = await lockPage(tx, params, fixed)
  if (document.file_id === null)
    throw new Failure(
      'invalid_state',
      'The document was not created from a file, so the page cannot be read again. Correct its text instead.',
    )
  if (page.text_source === 'supplied')
    throw new Failure(
      'invalid_state',
      'The page did not come from the file, so it cannot be read from it. Correct its text instead.',
    )
  await documents.readAgain(app, tx, document, page.number)
  const queued = await store.queuePage(tx, page)
  documents.countPages(tx, page.document_id, {
    ready: page.status === 'succeeded' ? -1 : 0,
    failed: page.status === 'failed' ? -1 : 0,
  })
  record(tx, 'page.updated', queued, project_id)
  return shown(queued)
}

export async function removePage(tx: Tx, params: PageParams): Promise<null> {
  const { page, project_id } = await lockPage(tx, params, {})
  store.deletePage(tx, page)
  const isFailed = page.status === 'failed'
  documents.countPages(tx, page.document_id, { all: -1, ready: isFailed ? 0 : -1, failed: isFailed ? -1 : 0 })
  record(tx, 'page.deleted', page, project_id)
  return null
}

interface PageParams {
  document_id: string
  page_id: string
}

/** The document first, then the page: the same order everywhere, so that two writers cannot block each other. */
async function lockPage(
  tx: Tx,
  params: PageParams,
  fixed: Record<string, unknown>,
): Promise<{ page: store.PageRow; project_id: string | null; document: documents.DocumentRow }> {
  const document = await documents.lockDocument(tx, params.document_id)
  const page = await store.lockPage(tx, params.document_id, params.page_id)
  if (!page) throw notFound()
  tx.precondition.check(page)
  refuseProcessing(document)
  refuseFixed(page, fixed)
  return { page, project_id: document.project_id, document }
}

/** Refuses while a job still writes pages: two writers would conflict over page numbers and counts. */
function refuseProcessing(document: { id: string; status: string; latest_job_id: string | null }): void {
  if (document.status !== 'processing') return
  throw new Failure(
    'invalid_state',
    `Document '${document.id}' is still being processed. Wait for job '${document.latest_job_id}' or cancel it, then try again.`,
  )
}

async function save(
  tx: Tx,
  page: store.PageRow,
  { document, prepared }: { document: documents.DocumentRow; prepared: PreparedChunks },
  fields: Pick<store.PageFields, 'text' | 'metadata'>,
): Promise<ShownPage> {
  if (hasSameFields(page, fields)) {
    tx.is_unchanged = true
    return shown(page)
  }
  const { document_id, number } = page
  const { project_id } = document
  const isSame = fields.text === page.text
  const language = isSame ? page.language : await languageOf(fields.text, prepared)
  // A corrected page has lost the structure that belonged to its old text.
  const cut = isSame ? null : await cutAgain(tx, document, { number, language, text: fields.text }, prepared)
  const isMended = !isSame && page.status === 'failed'
  const saved = await store.updatePage(tx, page, {
    ...fields,
    status: isMended ? 'succeeded' : page.status,
    error: isMended ? null : page.error,
    text_source: isSame ? page.text_source : 'corrected',
    language,
    confidence: isSame ? page.confidence : null,
    sha256: sha256(fields.text),
    blocks: isSame ? page.blocks : null,
    heading_path: cut?.path ?? page.heading_path,
  })
  if (cut) await replaceChunks(tx, { document_id, page_id: page.id, project_id, cut })
  documents.countPages(tx, document_id, isMended ? { ready: 1, failed: -1 } : {})
  record(tx, 'page.updated', saved, project_id)
  return shown(saved)
}

export type PageText = store.PageText
export const ALL_PAGES = { first: 1, last: MAX_PAGE_NUMBER } as const
export const listHashes = (db: Reader, document_id: string, range: store.NumberRange): Promise<string[]> =>
  store.listHashes(db, document_id, range)

/** Locks pages, so that their text does not change until the transaction ends. Returns their hashes by id. */
export const lockHashes = (
  tx: Tx,
  pages: readonly (readonly [page_id: string, document_id: string])[],
): Promise<Map<string, string>> => store.lockHashes(tx, pages)

const TEXTS_AT_ONCE = 50
/** The pages that were read, in their order; a document may be larger than what should be in memory at once. */
export async function* readTexts(db: Reader, document_id: string, range: store.NumberRange): AsyncGenerator<PageText> {
  let { first } = range
  for (;;) {
    const some = await store.listTexts(db, document_id, { first, last: range.last }, TEXTS_AT_ONCE)
    yield* some
    if (some.length < TEXTS_AT_ONCE) return
    first = lastOf(some).number + 1
  }
}

/** The pages of passages, by their id. */
export async function readPagesOf(
  db: Reader,
  passages: readonly { document_id: string; page_id: string }[],
): Promise<Map<string, PageText>> {
  const pages = passages.length === 0 ? [] : await store.listPagesById(db, passages)
  return new Map(pages.map((page) => [page.id, page]))
}
