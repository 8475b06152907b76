import type { Readable } from 'node:stream'
import type { FileLink } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Reader, Tx } from '../../db/database.ts'
import { discard, objectKey } from '../../files/keys.ts'
import { type SignedLink, signedUrl } from '../../files/signed-links.ts'
import { needScopes } from '../../lib/changes.ts'
import { Failure, notFound } from '../../lib/failure.ts'
import * as store from './files.store.ts'

export type NewFileRow = store.NewFileRow

const LINK_MS = 5 * 60_000

export async function readFile(db: Reader, id: string): Promise<store.FileRow> {
  const file = await readStored(db, id)
  needReports(db, file)
  return file
}

async function readStored(db: Reader, id: string): Promise<store.FileRow> {
  const file = await store.findFile(db, id)
  if (!file) throw notFound()
  return file
}

/** Not required with a signed link: the caller who created it had the scope. */
function needReports({ caller }: Reader, { kind }: Pick<store.FileRow, 'kind'>): void {
  if (kind === 'report') needScopes(caller, ['reports:read'])
}

export interface FileBytes extends store.FileRow {
  open(range?: { first: number; last: number }): Promise<Readable>
}

export async function openFile(app: Needs<'files'>, db: Reader, id: string): Promise<FileBytes> {
  const file = await readStored(db, id)
  const open = async (range?: { first: number; last: number }): Promise<Readable> => {
    const bytes = await app.files.get(objectKey(db.caller.tenant, file.object_id), range)
    // The sweeper will report it to the operator; the caller can only retry later.
    if (!bytes)
      throw new Failure(
        'service_unavailable',
        'The bytes of this file cannot be read at the moment. Repeat the request in a minute.',
        {
          headers: { 'retry-after': '60' },
        },
      )
    return bytes
  }
  return { ...file, open }
}

/** The bytes of a file for `/contents`. */
export async function openContents(app: Needs<'files'>, db: Reader, id: string): Promise<FileBytes> {
  const file = await openFile(app, db, id)
  needReports(db, file)
  return file
}

/** A link to the bytes of a file. It has no version, since every link is new. */
export const readLink = (app: Needs<'config'>, db: Reader, id: string): Promise<FileLink> =>
  linkUntil(app, db, id, Date.now() + LINK_MS)

/** The same link for all requests within five minutes, so that `If-None-Match` works. */
export const readSharedLink = (app: Needs<'config'>, db: Reader, id: string): Promise<FileLink> =>
  linkUntil(app, db, id, (Math.floor(Date.now() / LINK_MS) + 2) * LINK_MS)

async function linkUntil(app: Needs<'config'>, db: Reader, id: string, expires_at: number): Promise<FileLink> {
  const file = await readStored(db, id)
  needReports(db, file)
  const link: SignedLink = { may: 'read_file', tenant: db.caller.tenant, id, expires_at }
  return {
    id: file.id,
    object: 'file_link',
    url: signedUrl(app.config, link),
    expires_at: new Date(expires_at).toISOString(),
  }
}

interface Owner {
  id: string
  project_id: string | null
}
export const createFile = (tx: Tx, { id, project_id }: Owner, row: store.NewFileRow): void =>
  store.insertFile(tx, { project_id, document_id: id, report_id: null }, row)
export const createReportFile = (tx: Tx, { id, project_id }: Owner, row: store.NewFileRow): void =>
  store.insertFile(tx, { project_id, document_id: null, report_id: id }, row)
/** Sets the properties that are known once the bytes have been read. */
export const describeFile = (tx: Tx, id: string, found: { media_type: string; sha256: string }): void =>
  store.updateFile(tx, id, found)

const FILES_OF_A_STEP = 100

/**
 * Removes up to a hundred files' bytes of a deleted document and returns the file ids; none: all are removed. The rows
 * are deleted after the bytes, by `removeFiles`, so that an interrupted run finds the rows again.
 */
export async function removeBytes(app: Needs<'files'>, db: Reader, document_id: string): Promise<string[]> {
  const files = await store.listObjects(db, document_id, FILES_OF_A_STEP)
  for (const { object_id } of files) await app.files.remove(objectKey(db.caller.tenant, object_id))
  return files.map(({ id }) => id)
}
export const removeFiles = (tx: Tx, document_id: string, ids: readonly string[]): void =>
  store.deleteFiles(tx, document_id, ids)

/** Deletes the row in the report's transaction and the bytes after it. If that fails, the sweeper removes the bytes. */
export async function removeReportFile(app: Needs<'files'>, tx: Tx, report_id: string): Promise<void> {
  for (const { object_id } of await store.deleteOfReport(tx, report_id))
    tx.afterCommit(() => void discard(app.files, tx.caller.tenant, object_id))
}

/** Removes bytes that a job stored for files that it did not create. If this fails, the sweeper removes them. */
export async function removeLoose(app: Needs<'files'>, db: Reader, object_ids: readonly string[]): Promise<void> {
  if (object_ids.length === 0) return
  const named = new Set((await store.listNamed(db, object_ids)).map(({ object_id }) => object_id))
  for (const object_id of object_ids)
    if (!named.has(object_id)) await app.files.remove(objectKey(db.caller.tenant, object_id))
}
