import { required } from '@octavo/base/required.ts'
import type { DocumentPatch, DocumentReplacement, NewDocument } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { discard } from '../../files/keys.ts'
import type { JobRow } from '../../jobs/rows.ts'
import type { NewJobRow } from '../../jobs/types.ts'
import { operator } from '../../lib/caller.ts'
import { hasSameFields, mergeMetadata, noProject, refuseFixed, visibleProject } from '../../lib/changes.ts'
import { bodyDetail, Failure, fileTooLarge, invalidValue, notFound } from '../../lib/failure.ts'
import type { StoredFile } from '../../lib/file-name.ts'
import { newId } from '../../lib/ids.ts'
import { instantOf } from '../../lib/time.ts'
import { forgetOutcomes } from '../../outcomes/outcomes.delete.ts'
import { renewVectors } from '../../vector-spaces/vector-spaces.vectors.ts'
import { createFile } from '../files/files.service.ts'
import { checkReceived, type ReceivedFile, storeBytes } from '../files/files.stored.ts'
import { readUnused, useFile } from '../files/files.unused.ts'
import { checkProcessing } from '../models/models.service.ts'
import { listLocalOnly } from '../projects/projects.service.ts'
import { finishUpload, forgetUpload, useUpload } from '../uploads/uploads.service.ts'
import { type Ingestion, ingestion, purge, secondsFor } from './documents.jobs.ts'
import { sealPassword } from './documents.password.ts'
import { checkDuplicates, checkUrl, readSource } from './documents.rules.ts'
import * as store from './documents.store.ts'

export function listDocuments(db: Db, filters: store.DocumentFilters, page: PageRequest): Promise<store.DocumentRow[]> {
  return store.listDocuments(db, filters, page)
}

export async function readDocument(db: Reader, id: string): Promise<store.DocumentRow> {
  const document = await store.findDocument(db, id)
  if (!document) throw notFound()
  return document
}

/** Those of the ids that exist for this caller. */
export const listDocumentsById = (db: Reader, ids: readonly string[]): Promise<store.KnownDocument[]> =>
  store.listDocumentsById(db, ids)

/** `file`: what was stored of it; `asked`: what a batch says of its items' jobs. */
interface DocumentJobOptions extends Pick<NewJobRow<object>, 'parent_job_id' | 'priority' | 'ignoresQueueLimit'> {
  file?: StoredFile | null
  /** The email that it is attached to. */
  parent_document_id?: store.DocumentRow['parent_document_id']
}

export async function createDocument(
  app: Needs<'jobs' | 'readers' | 'files' | 'config'>,
  tx: Tx,
  input: NewDocument,
  { file = null, parent_document_id = null, ...asked }: DocumentJobOptions = {},
): Promise<store.DocumentRow> {
  const { payload, ...source } = readSource(input.source, file)
  const isPrivate = async (): Promise<boolean> => (await listLocalOnly(tx, [input.project_id ?? null])).length > 0
  await checkProcessing(app, tx, input.processing, { field: 'processing', isPrivate })
  checkDuplicates(input, { ...source, payload })
  checkExpiry(fieldsOf(input))
  const existing = await findDuplicate(tx, input, source.sha256)
  if (existing) return existing
  const row: store.NewDocumentRow = {
    ...source,
    // The hash that the client gave for an upload is trusted only after its bytes were read.
    sha256: input.source?.type === 'upload' ? null : source.sha256,
    ...fieldsOf(input),
    id: newId('doc'),
    project_id: visibleProject(tx.caller, input.project_id ?? null),
    parent_document_id,
    processing: payload === null ? null : (input.processing ?? {}),
    status: payload === null ? 'ready' : 'processing',
    file_id: newFileId(input, file),
    latest_job_id: payload === null ? null : newId('job'),
  }
  record(tx, 'document.created', { ...row, object: 'document' })
  // Before the document: a request that waits for another one to take the same external id must not block its job.
  if (row.latest_job_id !== null && payload !== null)
    await enqueueIngestion(app, tx, row, { ...asked, id: row.latest_job_id, payload })
  const document = await store.insertDocument(tx, row)
  if (document === 'no_project') throw noProject()
  if (document === 'taken') throw await externalIdTaken(tx, required(row.external_id, 'external id'))
  if (input.password !== undefined && payload !== null)
    store.keepPassword(tx, document.id, sealPassword(app.config.keyring, document.id, input.password))
  // Before its bytes become a file: if two requests use the upload at once, one of them fails here.
  if (input.source?.type === 'upload') await useUpload(app, tx, input.source.upload_id, document.id)
  if (input.source?.type === 'file') await useFile(tx, input.source.file_id, document)
  else if (file && row.file_id !== null) createFile(tx, document, { ...file, id: row.file_id, kind: 'original' })
  return document
}

function newFileId({ source }: NewDocument, file: StoredFile | null): store.NewDocumentRow['file_id'] {
  if (source?.type === 'file') return source.file_id
  return file ? newId('file') : null
}

/** A form may leave the title to the file's name. */
export const titled = (input: NewDocument, file: StoredFile | null): NewDocument =>
  input.title === undefined ? { ...input, title: [...(file?.file_name ?? 'document')].slice(0, 300).join('') } : input

/** null: another one may be made. */
async function findDuplicate(tx: Tx, input: NewDocument, sha256: string | null): Promise<store.DocumentRow | null> {
  const { on_duplicate = 'allow' } = input
  if (on_duplicate === 'allow' || sha256 === null) return null
  const existing = await store.findDuplicate(tx, sha256)
  if (existing && on_duplicate === 'reject') {
    const details = [bodyDetail('source', 'taken', 'Another document has the same bytes.', existing.id)]
    throw new Failure('conflict', 'A document with the same bytes exists. Use it, or allow duplicates.', {
      details,
    })
  }
  if (existing) tx.is_unchanged = true
  return existing
}

/**
 * Bytes in the request or in an upload are stored before the transaction begins, so that no transaction waits for the
 * storage. Bytes that the transaction does not use are discarded.
 */
export async function prepareDocument(
  app: Needs<'files' | 'config'>,
  db: Db,
  input: Pick<NewDocument, 'source'>,
  received: ReceivedFile | null,
): Promise<{ value: StoredFile | null; discard?: () => Promise<void> }> {
  const { tenant } = db.caller
  if (received) return checkReceived(app, tenant, received)
  const { source } = input
  if (source?.type === 'url') checkUrl(source.url, app.config.egress.allows_http)
  if (source?.type === 'upload') {
    const { upload, ...rest } = await finishUpload(app, db, source.upload_id)
    const { object_id, file_name, media_type, size_bytes, sha256 } = upload
    return { value: { object_id, file_name, media_type, size_bytes, sha256 }, ...rest }
  }
  // The bytes stay those of the file if the transaction does not use them.
  if (source?.type === 'file') return { value: await readUnused(db, source.file_id) }
  if (source?.type !== 'base64') return { value: null }
  const file = await storeBase64(app, db, source)
  return { value: file, discard: () => discard(app.files, tenant, file.object_id) }
}

/** Whether `prepareDocument` stores bytes, or uses those of an upload or a file. */
export const hasBytes = ({ source }: Pick<NewDocument, 'source'>, received: ReceivedFile | null): boolean =>
  received !== null || source?.type === 'base64' || source?.type === 'upload' || source?.type === 'file'

async function storeBase64(
  app: Needs<'files' | 'config'>,
  db: Db,
  source: { media_type: string; data: string; file_name?: string | undefined },
): Promise<StoredFile> {
  const bytes = Buffer.from(source.data, 'base64')
  if (bytes.length === 0) throw invalidValue('source.data', 'too_short', 'Must contain at least one byte.')
  const { max_file_bytes } = app.config
  if (bytes.length > max_file_bytes) throw fileTooLarge(max_file_bytes)
  return storeBytes(app, db.caller.tenant, bytes, {
    file_name: source.file_name ?? null,
    media_type: source.media_type,
  })
}

function enqueueIngestion(
  app: Needs<'jobs'>,
  tx: Tx,
  document: Pick<store.NewDocumentRow, 'id' | 'project_id' | 'page_count'>,
  job: Pick<NewJobRow<Ingestion>, 'id' | 'payload' | 'parent_job_id' | 'priority' | 'ignoresQueueLimit'>,
): Promise<{ id: string }> {
  return app.jobs.enqueue(tx, {
    ...job,
    type: ingestion,
    subject: { object: 'document', id: document.id },
    project_id: document.project_id,
    document_id: document.id,
    timeout_seconds: secondsFor(document.page_count),
  })
}

/** One page of its file; the document is locked, and so are the tenant's slots. */
export async function readAgain(app: Needs<'jobs'>, tx: Tx, document: store.DocumentRow, page: number): Promise<void> {
  const { id } = await enqueueIngestion(app, tx, { ...document, page_count: 1 }, { payload: { pages: [page] } })
  record(tx, 'document.updated', await store.beginDocument(tx, document.id, id))
}

export const fieldsOf = (input: DocumentReplacement): store.DocumentFields => ({
  title: input.title,
  external_id: input.external_id ?? null,
  expires_at: findInstant(input.expires_at),
  metadata: input.metadata ?? {},
})

/** `current`: what is stored may be sent back, also after it has passed. */
function checkExpiry({ expires_at }: store.DocumentFields, current: string | null = null): void {
  if (expires_at === null || expires_at.getTime() > Date.now()) return
  if (expires_at.getTime() !== findInstant(current)?.getTime())
    throw invalidValue('expires_at', 'too_small', 'Must be in the future.')
}

const findInstant = (text: string | null | undefined): Date | null => (text ? instantOf(text) : null)

export async function replaceDocument(
  tx: Tx,
  id: string,
  input: DocumentReplacement,
  fixed: Record<string, unknown>,
): Promise<store.DocumentRow> {
  const document = await lockDocument(tx, id)
  tx.precondition.check(document)
  refuseFixed(document, fixed)
  return save(tx, document, fieldsOf(input))
}

export async function updateDocument(
  tx: Tx,
  id: string,
  patch: DocumentPatch,
  fixed: Record<string, unknown>,
): Promise<store.DocumentRow> {
  const document = await lockDocument(tx, id)
  tx.precondition.check(document)
  refuseFixed(document, fixed)
  return save(tx, document, {
    title: patch.title ?? document.title,
    external_id: patch.external_id === undefined ? document.external_id : patch.external_id,
    expires_at: findInstant(patch.expires_at === undefined ? document.expires_at : patch.expires_at),
    metadata: mergeMetadata(document.metadata, patch.metadata),
  })
}

async function save(tx: Tx, document: store.DocumentRow, fields: store.DocumentFields): Promise<store.DocumentRow> {
  const { external_id } = fields
  checkExpiry(fields, document.expires_at)
  if (hasSameFields(document, fields)) {
    tx.is_unchanged = true
    return document
  }
  if (external_id !== null && external_id !== document.external_id && (await store.findExternal(tx, external_id)))
    throw await externalIdTaken(tx, external_id)
  const saved = await store.updateDocument(tx, document.id, fields)
  if (saved === 'taken') throw conflict(null)
  // Its chunks are found by its title too.
  if (saved.title !== document.title && saved.page_count > 0) await renewVectors(tx, document.id)
  record(tx, 'document.updated', saved)
  return saved
}

export async function removeDocument(app: Needs<'jobs'>, tx: Tx, id: string): Promise<null> {
  // An early look, so that the tenant's slots are not locked for nothing; what counts is seen under the lock.
  await readDocument(tx, id)
  // Jobs are locked before documents, here as everywhere.
  const tree = await lockTree(app, tx, id)
  const document = await lockDocument(tx, id)
  tx.precondition.check(document)
  await deleteLocked(app, tx, document)
  for (const attached of tree.attached) {
    const child = await store.lockDocument(tx, attached)
    if (child) await deleteLocked(app, tx, child)
  }
  await app.jobs.cancel(tx, tree.live)
  return null
}

/** The live jobs of a document and of those attached to it, locked: none of them can attach another one. */
async function lockTree(app: Needs<'jobs'>, tx: Tx, id: string): Promise<{ live: JobRow[]; attached: string[] }> {
  const live: JobRow[] = []
  const attached: string[] = []
  for (let level = [id]; level.length > 0; ) {
    for (const one of level) live.push(...(await app.jobs.lockOf(tx, one)))
    level = await store.listAttached(tx, level)
    attached.push(...level)
  }
  return { live, attached }
}

async function deleteLocked(app: Needs<'jobs'>, tx: Tx, document: store.DocumentRow): Promise<void> {
  const { id } = document
  store.deleteDocument(tx, id)
  forgetUpload(tx, id)
  forgetOutcomes(tx, id)
  record(tx, 'document.deleted', document)
  await app.jobs.enqueue(tx, {
    type: purge,
    ignoresQueueLimit: true,
    payload: {},
    subject: { object: 'document', id },
    project_id: document.project_id,
    document_id: id,
  })
}

const EXPIRED_AT_ONCE = 100

/** Deletes documents past their time as their owners would; says how many, since there may be more. */
export async function expireDocuments(app: Needs<'db' | 'system' | 'jobs'>): Promise<number> {
  const problems: unknown[] = []
  let count = 0
  for (const { tenant, id } of await store.listExpired(app.system, EXPIRED_AT_ONCE)) {
    try {
      await app.db.transaction(operator(tenant, []), (tx) => removeDocument(app, tx, id))
      count++
    } catch (error) {
      // Someone else has deleted it.
      if (!(error instanceof Failure && error.code === 'not_found')) problems.push(error)
    }
  }
  // One that cannot be deleted now does not hold up the others.
  if (count === 0 && problems.length > 0) throw problems[0]
  return count
}

/** Every change of a document locks its row first, so that changes of one document are serialized. */
export async function lockDocument(tx: Tx, id: string): Promise<store.DocumentRow> {
  const document = await store.lockDocument(tx, id)
  if (!document) throw notFound()
  return document
}

/** Locks the documents that still exist, so that a later deletion also deletes outcomes made of them. Returns their ids. */
export const lockExisting = (tx: Tx, ids: readonly string[]): Promise<Set<string>> => store.lockExisting(tx, ids)
export const lockAll = (tx: Tx, ids: readonly string[]): void => store.lockAll(tx, ids)

export const countPages = (tx: Tx, id: string, more: store.PageCounts): void => store.countPages(tx, id, more)
export type DocumentRow = store.DocumentRow

const externalIdTaken = async (tx: Tx, external_id: string): Promise<Failure> =>
  conflict((await store.findExternal(tx, external_id))?.id ?? null)

/** Contains the id only if the caller may see the document. */
function conflict(id: string | null): Failure {
  const detail = bodyDetail('external_id', 'taken', 'Another document has this value.', id ?? undefined)
  return new Failure(
    'conflict',
    'Another document has this external_id. Update that document, or choose another external_id.',
    {
      details: [detail],
    },
  )
}
