import type { DocumentPatch, DocumentReplacement, NewDocument } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import type { NewJobRow } from '../../jobs/types.ts'
import { operator } from '../../lib/caller.ts'
import { mergeMetadata, noProject, refuseFixed, visibleProject } from '../../lib/changes.ts'
import { bodyDetail, Failure, notFound } from '../../lib/failure.ts'
import { newId } from '../../lib/ids.ts'
import { instantOf } from '../../lib/time.ts'
import { INGESTION_SECONDS_PER_PAGE, type Ingestion, ingestion, purge } from './documents.jobs.ts'
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

/** `asked`: what a batch says of its items' jobs. */
export async function createDocument(
  app: Needs<'jobs'>,
  tx: Tx,
  input: NewDocument,
  asked: Pick<NewJobRow<object>, 'parent_job_id' | 'priority'> = {},
): Promise<store.DocumentRow> {
  const { texts, ...source } = readSource(input.source)
  const row: store.NewDocumentRow = {
    ...source,
    ...fieldsOf(input),
    id: newId('doc'),
    project_id: visibleProject(tx.caller, input.project_id ?? null),
    status: input.source ? 'processing' : 'ready',
    latest_job_id: input.source ? newId('job') : null,
    page_count: texts.length,
  }
  record(tx, 'document.created', { ...row, object: 'document' })
  // Before the document: who waits for an external id that somebody else is about to take must not hold up their job.
  if (row.latest_job_id !== null) await enqueueIngestion(app, tx, row, { ...asked, id: row.latest_job_id, payload: { texts } })
  const document = await store.insertDocument(tx, row)
  if (document === 'no_project') throw noProject()
  if (document === 'taken') throw await externalIdTaken(tx, row.external_id!)
  return document
}

function enqueueIngestion(
  app: Needs<'jobs'>,
  tx: Tx,
  document: Pick<store.NewDocumentRow, 'id' | 'project_id' | 'page_count'>,
  job: Pick<NewJobRow<Ingestion>, 'id' | 'payload' | 'parent_job_id' | 'priority'>,
): Promise<{ id: string }> {
  return app.jobs.enqueue(tx, {
    ...job,
    type: ingestion,
    subject: { object: 'document', id: document.id },
    project_id: document.project_id,
    document_id: document.id,
    timeout_seconds: ingestion.timeout_seconds + INGESTION_SECONDS_PER_PAGE * document.page_count,
  })
}

const fieldsOf = (input: DocumentReplacement): store.DocumentFields => ({
  title: input.title,
  external_id: input.external_id ?? null,
  expires_at: findInstant(input.expires_at),
  metadata: input.metadata ?? {},
})

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
    expires_at: findInstant(patch.expires_at === undefined ? document.expires_at : patch.expires_at),
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

export async function removeDocument(app: Needs<'jobs'>, tx: Tx, id: string): Promise<null> {
  // An early look, so that the tenant's slots are not locked for nothing; what counts is seen under the lock.
  await readDocument(tx, id)
  // Jobs are locked before documents, here as everywhere.
  const live = await app.jobs.lockOf(tx, id)
  const document = await lockDocument(tx, id)
  tx.precondition.check(document)
  store.deleteDocument(tx, id)
  record(tx, 'document.deleted', document)
  await app.jobs.cancel(tx, live)
  await app.jobs.enqueue(tx, {
    type: purge,
    is_always_taken: true,
    payload: {},
    subject: { object: 'document', id },
    project_id: document.project_id,
    document_id: id,
  })
  return null
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
      // Somebody else has deleted it.
      if (!(error instanceof Failure && error.code === 'not_found')) problems.push(error)
    }
  }
  // One that cannot be deleted now does not hold up the others.
  if (count === 0 && problems.length > 0) throw problems[0]
  return count
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
