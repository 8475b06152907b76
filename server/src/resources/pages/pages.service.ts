import { MAX_INTEGER, MAX_PAGES, type NewPage, type PagePatch, type PageReplacement } from '@octavo/contract'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { mergeMetadata, refuseFixed } from '../../lib/changes.ts'
import { sha256 } from '../../lib/digest.ts'
import { bodyDetail, Failure, notFound } from '../../lib/failure.ts'
import { createChunks, replaceChunks } from '../chunks/chunks.service.ts'
import * as documents from '../documents/documents.service.ts'
import * as store from './pages.store.ts'

export async function listPages(db: Db, document_id: string, filters: store.PageFilters, page: PageRequest): Promise<store.PageRow[]> {
  await documents.readDocument(db, document_id)
  return store.listPages(db, document_id, filters, page)
}

export async function readPage(db: Reader, document_id: string, id: string): Promise<store.PageRow> {
  const page = await store.findPage(db, document_id, id)
  if (!page) throw notFound()
  return page
}

export async function createPage(tx: Tx, document_id: string, input: NewPage): Promise<store.PageRow> {
  const document = await documents.lockDocument(tx, document_id)
  tx.precondition.check(document)
  refuseProcessing(document)
  if (document.page_count >= MAX_PAGES)
    throw new Failure('conflict', `A document has at most ${MAX_PAGES} pages. Put the rest into another document.`)
  const number = input.number ?? (await store.findLastNumber(tx, document_id)) + 1
  if (number > MAX_INTEGER) throw new Failure('conflict', 'The last page has the highest number there is. Give the new one a number.')
  const page = await store.insertPage(tx, document, number, {
    text: input.text,
    text_source: 'supplied',
    sha256: sha256(input.text),
    metadata: input.metadata ?? {},
  })
  if (!page) throw await numberTaken(tx, document_id, number)
  await createChunks(tx, [{ document_id, page_id: page.id, project_id: document.project_id, text: page.text }])
  documents.countPages(tx, document_id, 1)
  record(tx, 'page.created', page, document.project_id)
  return page
}

/**
 * Pages that a document is read into, numbered from `first`: part of its processing, so they write no events of their
 * own. A number that somebody has given to a page meanwhile stays theirs. Says how many were written.
 */
export async function createPages(
  tx: Tx,
  parent: { id: string; project_id: string | null },
  first: number,
  texts: readonly string[],
): Promise<number> {
  const rows = texts.map((text) => ({ text, sha256: sha256(text) }))
  const pages = await store.insertPages(tx, parent, first, rows)
  const { id: document_id, project_id } = parent
  await createChunks(
    tx,
    pages.map(({ id, number }) => ({ document_id, page_id: id, project_id, text: texts[number - first]! })),
  )
  return pages.length
}

/** Of a document that is gone for everybody; says how many there were. */
export const removePages = (tx: Tx, document_id: string, limit: number): Promise<number> => store.deletePages(tx, document_id, limit)

async function numberTaken(tx: Tx, document_id: string, number: number): Promise<Failure> {
  const existing = await store.findNumber(tx, document_id, number)
  const details = [bodyDetail('number', 'taken', 'Belongs to another page of the document.', existing?.id)]
  return new Failure(
    'conflict',
    'The document has a page with this number. Change that one, or leave the number out to add a page at the end.',
    { details },
  )
}

export async function replacePage(
  tx: Tx,
  params: PageParams,
  input: PageReplacement,
  fixed: Record<string, unknown>,
): Promise<store.PageRow> {
  const { page, project_id } = await lockPage(tx, params, fixed)
  return save(tx, page, project_id, { text: input.text, metadata: input.metadata ?? {} })
}

export async function updatePage(tx: Tx, params: PageParams, patch: PagePatch, fixed: Record<string, unknown>): Promise<store.PageRow> {
  const { page, project_id } = await lockPage(tx, params, fixed)
  if (Object.keys(patch).length === 0) {
    tx.is_unchanged = true
    return page
  }
  return save(tx, page, project_id, { text: patch.text ?? page.text, metadata: mergeMetadata(page.metadata, patch.metadata) })
}

export async function removePage(tx: Tx, params: PageParams): Promise<null> {
  const { page, project_id } = await lockPage(tx, params, {})
  store.deletePage(tx, page)
  documents.countPages(tx, page.document_id, -1)
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
): Promise<{ page: store.PageRow; project_id: string | null }> {
  const document = await documents.lockDocument(tx, params.document_id)
  const page = await store.lockPage(tx, params.document_id, params.page_id)
  if (!page) throw notFound()
  tx.precondition.check(page)
  refuseProcessing(document)
  refuseFixed(page, fixed)
  return { page, project_id: document.project_id }
}

/** The job still writes pages of its own: two authors of one document would not agree on its numbers and counts. */
function refuseProcessing(document: { id: string; status: string; latest_job_id: string | null }): void {
  if (document.status !== 'processing') return
  throw new Failure(
    'invalid_state',
    `Document '${document.id}' is still being read. Wait for job '${document.latest_job_id}', or cancel it, and try again.`,
  )
}

async function save(
  tx: Tx,
  page: store.PageRow,
  project_id: string | null,
  fields: Pick<store.PageFields, 'text' | 'metadata'>,
): Promise<store.PageRow> {
  const text_source = fields.text === page.text ? page.text_source : 'corrected'
  const saved = await store.updatePage(tx, page, { ...fields, text_source, sha256: sha256(fields.text) })
  if (fields.text !== page.text) await replaceChunks(tx, { document_id: page.document_id, page_id: page.id, project_id, text: fields.text })
  documents.countPages(tx, page.document_id, 0)
  record(tx, 'page.updated', saved, project_id)
  return saved
}
