import type { Readable } from 'node:stream'
import { firstOf, required } from '@octavo/base/required.ts'
import type { NewUpload, Upload } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { discard, objectKey } from '../../files/keys.ts'
import { type SignedLink, signedUrl } from '../../files/signed-links.ts'
import { type UploadedPart, UploadGone } from '../../files/store.ts'
import { operator } from '../../lib/caller.ts'
import { noProject, visibleProject } from '../../lib/changes.ts'
import { bodyDetail, Failure, fileTooLarge, invalidValue, notFound } from '../../lib/failure.ts'
import { newId, newUuid } from '../../lib/ids.ts'
import { exactly } from '../../lib/streams.ts'
import { type PartPlace, partBytesOf, partsOf } from './uploads.rules.ts'
import * as store from './uploads.store.ts'

type StoredUpload = Needs<'files' | 'config'>
export type UploadAnswer = Upload & { version: number }

const unsigned = (upload: store.UploadRow): UploadAnswer => ({ ...upload, put: null, parts: [] })

/** Addresses are signed where one upload is read: a list of hundreds would be of thousands of them. */
export async function listUploads(db: Db, filters: store.UploadFilters, page: PageRequest): Promise<UploadAnswer[]> {
  return (await store.listUploads(db, filters, page)).map(unsigned)
}

export async function readUpload(app: StoredUpload, db: Reader, id: string): Promise<UploadAnswer> {
  const upload = await store.findUpload(db, id)
  if (!upload) throw notFound()
  // A read-only caller must not get URLs for writing.
  if (!db.caller.scopes.has('documents:write')) return unsigned(upload)
  return sign(app, db.caller.tenant, upload, await listReceived(app, db.caller.tenant, upload))
}

/** Those of the ids that do not exist for this caller. */
export async function findMissingUploads(db: Reader, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const visible = new Set(await store.listVisibleUploads(db, ids))
  return ids.filter((id) => !visible.has(id))
}

export interface BegunUpload {
  object_id: string
  parts_upload: string | null
  part_bytes: number | null
}

/** Before the transaction, because it calls the store. */
export async function beginUpload(
  app: StoredUpload,
  db: Db,
  input: NewUpload,
): Promise<{ value: BegunUpload; discard?: () => Promise<void> }> {
  const { max_file_bytes } = app.config
  if (input.size_bytes > max_file_bytes) {
    throw fileTooLarge(max_file_bytes, {
      details: [bodyDetail('size_bytes', 'too_large', `Must be at most ${max_file_bytes}.`)],
    })
  }
  const object_id = newUuid()
  const part_bytes = partBytesOf(input.size_bytes)
  if (part_bytes === null) return { value: { object_id, parts_upload: null, part_bytes: null } }
  const key = objectKey(db.caller.tenant, object_id)
  const parts_upload = await app.files.beginParts(key, input.media_type)
  return {
    value: { object_id, parts_upload, part_bytes },
    discard: () => app.files.abortParts(key, parts_upload).catch(() => {}),
  }
}

export async function createUpload(
  app: StoredUpload,
  tx: Tx,
  input: NewUpload,
  begun: BegunUpload,
): Promise<UploadAnswer> {
  const { file_name, media_type, size_bytes } = input
  const upload = await store.insertUpload(tx, {
    ...begun,
    id: newId('upl'),
    project_id: visibleProject(tx.caller, input.project_id ?? null),
    file_name,
    media_type,
    size_bytes,
    sha256: input.sha256 ?? null,
    metadata: input.metadata ?? {},
  })
  if (upload === 'no_project') throw noProject()
  record(tx, 'upload.created', upload)
  return sign(app, tx.caller.tenant, upload, new Set())
}

export async function removeUpload(app: StoredUpload, tx: Tx, id: string): Promise<null> {
  const upload = await store.lockUpload(tx, id)
  if (!upload) throw notFound()
  tx.precondition.check(upload)
  if (upload.status !== 'pending')
    throw new Failure(
      'invalid_state',
      `The upload was used for document '${upload.document_id}'. Delete the document instead.`,
    )
  store.deleteUpload(tx, id)
  record(tx, 'upload.deleted', upload)
  // If this fails, the sweeper removes the bytes.
  tx.afterCommit(() => void removeUploadedBytes(app, tx.caller.tenant, upload).catch(() => {}))
  return null
}

async function removeUploadedBytes(app: StoredUpload, tenant: string, upload: store.UploadRow): Promise<void> {
  const key = objectKey(tenant, upload.object_id)
  if (upload.parts_upload !== null) await app.files.abortParts(key, upload.parts_upload)
  await app.files.remove(key)
}

const EXPIRED_AT_ONCE = 100

/** Deletes uploads past their time as their owners would; says how many, since there may be more. */
export async function expireUploads(app: Needs<'db' | 'system' | 'files' | 'config'>): Promise<number> {
  const expired = await store.listExpired(app.system, EXPIRED_AT_ONCE)
  for (const { tenant, id } of expired) {
    await app.db
      .transaction(operator(tenant, []), (tx) => removeUpload(app, tx, id))
      .catch((error: unknown) => {
        // Someone was quicker.
        if (!(error instanceof Failure)) throw error
      })
  }
  return expired.length
}

async function listReceived(app: StoredUpload, tenant: string, upload: store.UploadRow): Promise<Set<number>> {
  const { parts_upload, part_bytes, object_id, status, size_bytes } = upload
  if (parts_upload === null || part_bytes === null || status !== 'pending') return new Set()
  const key = objectKey(tenant, object_id)
  const parts = await listParts(app, key, parts_upload)
  if (parts) return new Set(parts.map(({ number }) => number))
  // They were joined, and no document has been made of them yet.
  const object = await app.files.find(key)
  return new Set(object ? partsOf(size_bytes, part_bytes).map(({ number }) => number) : [])
}

/** null: the parts were joined in the meantime, or discarded by the store. */
async function listParts(app: StoredUpload, key: string, parts_upload: string): Promise<UploadedPart[] | null> {
  return app.files.listParts(key, parts_upload).catch((error: unknown) => {
    if (error instanceof UploadGone) return null
    throw error
  })
}

async function sign(
  app: StoredUpload,
  tenant: string,
  upload: store.UploadRow,
  received: ReadonlySet<number>,
): Promise<UploadAnswer> {
  if (upload.status !== 'pending') return unsigned(upload)
  const key = objectKey(tenant, upload.object_id)
  const expires_at = Date.parse(upload.expires_at)
  const seconds = Math.max(1, Math.floor((expires_at - Date.now()) / 1000))
  const own = (part?: number) => {
    const link: SignedLink = {
      may: 'put_upload',
      tenant,
      id: upload.id,
      expires_at,
      ...(part === undefined ? {} : { part }),
    }
    return { url: signedUrl(app.config, link), headers: { 'content-type': 'application/octet-stream' } }
  }
  const { parts_upload, part_bytes, media_type, size_bytes } = upload
  if (parts_upload === null || part_bytes === null) {
    return { ...upload, put: (await app.files.signPut(key, { media_type, size_bytes, seconds })) ?? own(), parts: [] }
  }
  const parts = partsOf(size_bytes, part_bytes).map(async (place) => ({
    ...place,
    is_received: received.has(place.number),
    put:
      (await app.files.signPart(key, parts_upload, { number: place.number, size_bytes: place.size_bytes, seconds })) ??
      own(place.number),
  }))
  return { ...upload, put: null, parts: await Promise.all(parts) }
}

/** Receives the bytes of an upload when clients cannot send them to the store directly. */
export async function receiveUpload(
  app: StoredUpload,
  db: Db,
  link: SignedLink,
  body: { bytes: Readable; length: number | null },
): Promise<void> {
  const upload = await store.findUpload(db, link.id)
  if (upload?.status !== 'pending') throw notFound()
  const place = partPlace(upload, link.part)
  const refuse = (): Failure =>
    new Failure('invalid_request', `Send exactly ${place.size_bytes} bytes.`, {
      headers: { connection: 'close' },
    })
  if (body.length !== null && body.length !== place.size_bytes) throw refuse()
  const bytes = exactly(body.bytes, place.size_bytes, refuse)
  const key = objectKey(link.tenant, upload.object_id)
  if (upload.parts_upload === null)
    await app.files.put(key, bytes, { media_type: upload.media_type, size_bytes: place.size_bytes })
  else await app.files.putPart(key, upload.parts_upload, { number: place.number, bytes, size_bytes: place.size_bytes })
}

function partPlace({ size_bytes, part_bytes }: store.UploadRow, number: number | undefined): PartPlace {
  const whole: PartPlace = { number: 1, offset: 0, size_bytes }
  const place = part_bytes === null ? whole : partsOf(size_bytes, part_bytes).find((part) => part.number === number)
  if (!place) throw notFound()
  return place
}

/**
 * Checks that all bytes have arrived, joins the parts, and copies the bytes of a single PUT to a new object, because
 * the client could use the signed URL again. Call `discard` if the transaction does not use the bytes.
 */
export async function finishUpload(
  app: StoredUpload,
  db: Db,
  id: string,
): Promise<{ upload: store.UploadRow; discard?: () => Promise<void> }> {
  const upload = await store.findUpload(db, id)
  if (!upload) throw noSuchUpload('source.upload_id')
  if (upload.status !== 'pending') throw used(upload)
  const key = objectKey(db.caller.tenant, upload.object_id)
  let object = await app.files.find(key)
  if (!object && upload.parts_upload !== null && upload.part_bytes !== null) {
    const parts = await listParts(app, key, upload.parts_upload)
    if (parts) await joinParts(app, key, { ...upload, parts_upload: upload.parts_upload }, parts)
    object = await app.files.find(key)
  }
  if (object?.size_bytes !== upload.size_bytes)
    throw incomplete(
      object ? `It has ${object.size_bytes} bytes instead of ${upload.size_bytes}.` : 'Its bytes have not arrived.',
    )
  // Parts cannot be sent any more once they are joined.
  if (upload.parts_upload !== null) return { upload }
  const object_id = newUuid()
  const undo = (): Promise<void> => discard(app.files, db.caller.tenant, object_id)
  const copied = await app.files.copy(key, objectKey(db.caller.tenant, object_id))
  if (copied === upload.size_bytes) return { upload: { ...upload, object_id }, discard: undo }
  await undo()
  throw incomplete('Its bytes have changed since.')
}

async function joinParts(
  app: StoredUpload,
  key: string,
  { size_bytes, part_bytes, parts_upload }: store.UploadRow & { parts_upload: string },
  parts: readonly UploadedPart[],
): Promise<void> {
  const received = new Map(parts.map((part) => [part.number, part.size_bytes]))
  const missing = partsOf(size_bytes, required(part_bytes, 'part size')).filter(
    (part) => received.get(part.number) !== part.size_bytes,
  )
  if (missing.length > 0)
    throw incomplete(`${missing.length} of its parts are missing, starting with part ${firstOf(missing).number}.`)
  await app.files.endParts(key, parts_upload)
}

const incomplete = (message: string): Failure =>
  new Failure('invalid_state', `The upload is not complete: ${message} Send the missing bytes, or create a new upload.`)
const used = ({ id, document_id }: { id: string; document_id: string | null }): Failure =>
  new Failure('invalid_state', `Upload '${id}' was used for document '${document_id}'. Create a new upload.`)

export const noSuchUpload = (field: string): Failure =>
  invalidValue(
    field,
    'reference_not_found',
    'No upload with this id exists, or your credentials do not give access to it.',
  )

/** In the transaction of the document. */
export async function useUpload(app: Needs<'files'>, tx: Tx, id: string, document_id: string): Promise<void> {
  const upload = await store.completeUpload(tx, id, document_id)
  if (!upload) throw used({ id, document_id: (await store.findUpload(tx, id))?.document_id ?? null })
  record(tx, 'upload.completed', upload)
  // Its bytes were copied.
  if (upload.parts_upload === null) tx.afterCommit(() => void discard(app.files, tx.caller.tenant, upload.object_id))
}

/** With its document, an upload is gone as well. */
export const forgetUpload = (tx: Tx, document_id: string): void => store.deleteOfDocument(tx, document_id)
