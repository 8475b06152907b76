// Rows of files against the bytes in the store, before and after the sweeper.

import { findUuid } from '../../server/src/lib/ids.ts'
import type { CrashFindings } from './findings.ts'
import type { Ledger } from './ledger.ts'
import type { CrashRows } from './rows.ts'
import type { Bucket } from './store.ts'

/** A purge removes the bytes before the rows, so it leaves nothing for the sweeper. */
export function compareGone({ gone }: CrashRows, { objects }: Bucket, findings: CrashFindings): void {
  for (const key of objects.keys()) if (gone.has(key)) findings.add('left_bytes', `${key}: its row was purged`)
}

export function compareFiles(
  ledger: Ledger,
  rows: CrashRows,
  { objects, begun }: Bucket,
  findings: CrashFindings,
): void {
  const sent = new Map(
    ledger.entries.flatMap(({ kind, id, file }) => (file && kind !== 'begin' ? [[findUuid('doc', id)!, file]] : [])),
  )
  // A completed upload has become a file with its own object.
  const pending = rows.uploads.filter(({ status }) => status === 'pending')
  const named = new Set([...rows.files, ...pending].map(({ key }) => key))
  for (const { id, document_id, kind, key, size_bytes, sha256 } of rows.files) {
    const stored = objects.get(key)
    const given = kind === 'original' ? sent.get(document_id) : undefined
    const name = `${kind} ${id} of ${document_id}`
    if (!stored) findings.add('rows_without_bytes', `${name}: nothing under ${key}`)
    else if (stored.size_bytes !== size_bytes || stored.sha256 !== (sha256 ?? stored.sha256))
      findings.add('rows_without_bytes', `${name}: other bytes than the row says`)
    else if (given && (given.size_bytes !== size_bytes || given.sha256 !== stored.sha256))
      findings.add('rows_without_bytes', `${name}: other bytes than were sent`)
  }
  const originals = new Set(rows.files.filter(({ kind }) => kind === 'original').map(({ document_id }) => document_id))
  const alive = new Set(rows.documents.filter(({ is_deleted }) => !is_deleted).map(({ id }) => id))
  for (const id of sent.keys())
    if (alive.has(id) && !originals.has(id)) findings.add('lost', `file of document ${id}: no row`)
  for (const key of objects.keys()) if (!named.has(key)) findings.add('orphans', `${key}: no row names it`)
  findings.add('orphans', ...begun.map((key) => `${key}: parts of an upload`))
}
