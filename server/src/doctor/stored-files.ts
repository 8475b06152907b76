// Whether the storage is the one that this database has worked with: some files that it knows are looked for.

import { objectKey } from '../files/keys.ts'
import type { Installation } from './connections.ts'
import { type Finding, failed, ok } from './finding.ts'
import { lookBeside } from './storage-read.ts'

const LOOKED_FOR = 20

export const lookForFiles = (installation: Installation): Promise<Finding> =>
  lookBeside(installation, async ({ files, system }) => {
    const { rows } = await system.query<{ tenant: string; object: string }>(
      'select tenant_id::text as tenant, object_id::text as object from files where missing_at is null limit $1',
      [LOOKED_FOR],
    )
    if (rows.length === 0) return ok('The database has no files yet.')
    const found = (await Promise.all(rows.map(({ tenant, object }) => files.find(objectKey(tenant, object))))).filter(
      Boolean,
    )
    if (found.length > 0)
      return ok(`A sample of stored files is in the storage (${found.length} of ${rows.length} found).`)
    // Reading from a missing bucket only says that the object is absent; listing fails.
    await files.list('', null)
    return failed(
      `None of a sample of ${rows.length} files is in the storage: it is the wrong storage, or its data was lost.`,
      'Correct OCTAVO_DATA_DIR, FILES_DIR or S3_BUCKET, or restore the files from your backup: docs/backup.md.',
    )
  })
