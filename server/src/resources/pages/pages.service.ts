import { MAX_INTEGER, MAX_PAGES, type NewPage, type PagePatch, type PageReplacement } from '@octavo/contract'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { mergeMetadata, refuseFixed } from '../../lib/changes.ts'
import { sha256 } from '../../lib/digest.ts'
import { bodyDetail, Failure, notFound } from '../../lib/failure.ts'
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
  documents.countPages(tx, document_id, 1)
  record(tx, 'page.created', page, document.project_id)
  return page
}

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
  const { project_id } = await documents.lockDocument(tx, params.document_id)
  const page = await store.lockPage(tx, params.document_id, params.page_id)
  if (!page) throw notFound()
  tx.precondition.check(page)
  refuseFixed(page, fixed)
  return { page, project_id }
}

async function save(
  tx: Tx,
  page: store.PageRow,
  project_id: string | null,
  fields: Pick<store.PageFields, 'text' | 'metadata'>,
): Promise<store.PageRow> {
  const text_source = fields.text === page.text ? page.text_source : 'corrected'
  const saved = await store.updatePage(tx, page, { ...fields, text_source, sha256: sha256(fields.text) })
  documents.countPages(tx, page.document_id, 0)
  record(tx, 'page.updated', saved, project_id)
  return saved
}
