// Files that were sent with POST /files, until a document uses them or they expire.

import type { NewFile } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import { record } from '../../events/record.ts'
import { discard } from '../../files/keys.ts'
import { operator } from '../../lib/caller.ts'
import { noProject, visibleProject } from '../../lib/changes.ts'
import { Failure, invalidValue } from '../../lib/failure.ts'
import type { StoredFile } from '../../lib/file-name.ts'
import { newId } from '../../lib/ids.ts'
import { findMissingProjects } from '../projects/projects.service.ts'
import * as store from './files.store.ts'
import { checkReceived, emptyFile, type ReceivedFile } from './files.stored.ts'

/** A form without a file is refused like one with an empty file. */
export async function checkSent(app: Needs<'files'>, db: Db, received: ReceivedFile | null) {
  if (received === null) throw emptyFile()
  return checkReceived(app, db.caller.tenant, received)
}

export async function createUnused(tx: Tx, input: NewFile, stored: StoredFile): Promise<store.FileRow> {
  const project_id = visibleProject(tx.caller, input.project_id ?? null)
  if (project_id !== null && (await findMissingProjects(tx, [project_id])).length > 0) throw noProject()
  const file = await store.insertUnused(tx, project_id, { ...stored, id: newId('file'), kind: 'original' })
  record(tx, 'file.created', file)
  return file
}

/** Reads a file that a new document can use. */
export async function readUnused(db: Reader, id: string): Promise<StoredFile> {
  const file = await store.findFile(db, id)
  if (!file || file.report_id !== null) throw noSuchFile('source.file_id')
  if (file.document_id !== null) throw used(file)
  const { object_id, file_name, media_type, size_bytes, sha256 } = file
  return { object_id, file_name, media_type, size_bytes, sha256 }
}

/** In the transaction of the document. */
export async function useFile(tx: Tx, id: string, document: { id: string; project_id: string | null }): Promise<void> {
  if (await store.useFile(tx, id, document)) return
  const file = await store.findFile(tx, id)
  throw file ? used(file) : noSuchFile('source.file_id')
}

/** Those of the ids that do not exist for this caller. */
export async function findMissingFiles(db: Reader, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const visible = new Set(await store.listVisibleFiles(db, ids))
  return ids.filter((id) => !visible.has(id))
}

export const noSuchFile = (field: string): Failure =>
  invalidValue(
    field,
    'reference_not_found',
    'No file with this id exists, or your credentials do not give access to it.',
  )

const used = ({ id, document_id }: Pick<store.FileRow, 'id' | 'document_id'>): Failure =>
  new Failure(
    'invalid_state',
    `File '${id}' belongs to document '${document_id}'. Send the bytes again with POST /files.`,
  )

const EXPIRED_AT_ONCE = 100

/** Deletes files that no document used within 24 hours. Returns how many, because there may be more. */
export async function expireFiles(app: Needs<'db' | 'system' | 'files'>): Promise<number> {
  const expired = await store.listExpired(app.system, EXPIRED_AT_ONCE)
  for (const { tenant, id } of expired)
    await app.db.transaction(operator(tenant, []), async (tx) => {
      const file = await store.deleteExpired(tx, id)
      if (!file) return
      record(tx, 'file.deleted', file)
      // If this fails, the sweeper removes the bytes.
      tx.afterCommit(() => void discard(app.files, tenant, file.object_id))
    })
  return expired.length
}
