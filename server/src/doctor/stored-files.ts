// Whether the storage is the one that this database has worked with: some files that it knows are looked for.

import { findMissingMigrations } from '../db/guard.ts'
import { keyOf } from '../files/keys.ts'
import { StorageUnavailable } from '../files/store.ts'
import type { Patient } from './doors.ts'
import { codeOf, type Finding, failed, ok, skipped } from './finding.ts'
import { lacking } from './settings.ts'
import { openToRead, STORAGE, UNREADABLE } from './storage-read.ts'

const LOOKED_FOR = 20

export async function lookForFiles(patient: Patient): Promise<Finding> {
  const lack = lacking(patient, ...STORAGE)
  if (lack) return lack
  const door = await patient.doors.open('DATABASE_SYSTEM_URL')
  if (!door || 'trouble' in door) return skipped('Not looked for: the database cannot be asked.')
  const files = openToRead(patient.config.files)
  try {
    if ((await findMissingMigrations(door.pool)).length > 0) return skipped('Not looked for: the tables are not up to date, see schema.')
    const { rows } = await door.pool.query<{ tenant: string; object: string }>(
      'select tenant_id::text as tenant, object_id::text as object from files where missing_at is null limit $1',
      [LOOKED_FOR],
    )
    if (rows.length === 0) return ok('The database knows no files yet.')
    const found = (await Promise.all(rows.map(({ tenant, object }) => files.find(keyOf(tenant, object))))).filter(Boolean)
    // Of a bucket that is not there each object is simply absent; a list tells.
    if (found.length === 0) await files.list('', null)
    if (found.length > 0) return ok(`Files that the database knows are in the storage (${found.length} of ${rows.length} looked for).`)
    return failed(
      `None of ${rows.length} files that the database knows is in the storage: this is another storage than the one that they were sent to, or it was lost.`,
      'Correct OCTAVO_DATA_DIR, FILES_DIR or S3_BUCKET, or bring the files back from your backup: docs/backup.md.',
    )
  } catch (error) {
    if (error instanceof StorageUnavailable || UNREADABLE.has(codeOf(error)))
      return skipped('Not looked for: the storage cannot be read, see storage.')
    throw error
  } finally {
    await files.close()
  }
}
