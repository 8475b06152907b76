import type { DocumentPatch, DocumentReplacement, NewDocument } from '@octavo/contract'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { mergeMetadata, noProject, refuseFixed, visibleProject } from '../../lib/changes.ts'
import { bodyDetail, Failure, notFound } from '../../lib/failure.ts'
import { createPages } from '../pages/new-pages.service.ts'
import { readSource } from './documents.rules.ts'
import * as store from './documents.store.ts'

export function listDocuments(db: Db, filters: store.DocumentFilters, page: PageRequest): Promise<store.DocumentRow[]> {
  return store.listDocuments(db, filters, page)
}

export async function readDocument(db: Reader, id: string): Promise<store.DocumentRow> {
  const document = await store.findDocument(db, id)
  if (!document) throw notFound()
  return document
}

export async function createDocument(tx: Tx, input: NewDocument): Promise<store.DocumentRow> {
  const project_id = visibleProject(tx.caller, input.project_id ?? null)
  const { texts, ...source } = readSource(input.source)
  const row = {
    ...source,
    title: input.title,
    external_id: input.external_id ?? null,
    metadata: input.metadata ?? {},
    project_id,
    page_count: texts.length,
  }
  const document = await store.insertDocument(tx, row)
  if (document === 'no_project') throw noProject()
  if (document === 'taken') throw await externalIdTaken(tx, input.external_id!)
  createPages(tx, document, texts)
  record(tx, 'document.created', document)
  return document
}

export async function replaceDocument(
  tx: Tx,
  id: string,
  input: DocumentReplacement,
  fixed: Record<string, unknown>,
): Promise<store.DocumentRow> {
  const document = await lockDocument(tx, id)
  tx.precondition.check(document)
  refuseFixed(document, fixed)
  return save(tx, document, { title: input.title, external_id: input.external_id ?? null, metadata: input.metadata ?? {} })
}

export async function updateDocument(tx: Tx, id: string, patch: DocumentPatch, fixed: Record<string, unknown>): Promise<store.DocumentRow> {
  const document = await lockDocument(tx, id)
  tx.precondition.check(document)
  refuseFixed(document, fixed)
  if (Object.keys(patch).length === 0) {
    tx.is_unchanged = true
    return document
  }
  return save(tx, document, {
    title: patch.title ?? document.title,
    external_id: patch.external_id === undefined ? document.external_id : patch.external_id,
    metadata: mergeMetadata(document.metadata, patch.metadata),
  })
}

async function save(tx: Tx, document: store.DocumentRow, fields: store.DocumentFields): Promise<store.DocumentRow> {
  const { external_id } = fields
  if (external_id !== null && external_id !== document.external_id && (await store.findExternal(tx, external_id)))
    throw await externalIdTaken(tx, external_id)
  const saved = await store.updateDocument(tx, document.id, fields)
  if (saved === 'taken') throw conflict(null)
  record(tx, 'document.updated', saved)
  return saved
}

export async function removeDocument(tx: Tx, id: string): Promise<null> {
  const document = await lockDocument(tx, id)
  tx.precondition.check(document)
  store.deleteDocument(tx, id)
  record(tx, 'document.deleted', document)
  return null
}

/** For whoever changes something of the document: its row is locked first, so that changes of one document queue up. */
export async function lockDocument(tx: Tx, id: string): Promise<store.DocumentRow> {
  const document = await store.lockDocument(tx, id)
  if (!document) throw notFound()
  return document
}

export const countPages = (tx: Tx, id: string, more: number): void => store.countPages(tx, id, more)

const externalIdTaken = async (tx: Tx, external_id: string): Promise<Failure> =>
  conflict((await store.findExternal(tx, external_id))?.id ?? null)

/** The id is told only to who may see the document. */
function conflict(id: string | null): Failure {
  const detail = bodyDetail('external_id', 'taken', 'Belongs to another document.', id ?? undefined)
  return new Failure('conflict', 'Another document has this external_id. Change that one, or choose another external_id.', {
    details: [detail],
  })
}
