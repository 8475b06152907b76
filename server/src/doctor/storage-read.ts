// The storage beside the database, for who only looks.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '../config/config.ts'
import { findMissingMigrations } from '../db/guard.ts'
import { listObjects } from '../files/disk-list.ts'
import { openFiles } from '../files/open.ts'
import { type FileStore, StorageUnavailable } from '../files/store.ts'
import type { Installation } from './connections.ts'
import { codeOf, type Finding, skipped } from './finding.ts'
import { lacking } from './settings.ts'

const STORAGE = [
  'FILES_DIR',
  'FILES_DRIVER',
  'OCTAVO_DATA_DIR',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_ENDPOINT',
]

/** As PostgreSQL says it. */
const NOT_ALLOWED = '42501'

/** Errors of the files directory that the storage check reports. */
const UNREADABLE = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'EIO', 'ESTALE'])

/** A store of the disk makes its folders when it is first asked; here nothing is left behind, least of all by another user. */
function openToRead({ dir, s3 }: Config['files']): FileStore {
  const files = openFiles({ dir, s3 })
  if (s3 !== null) return files
  const objects = join(dir, 'objects')
  return {
    ...files,
    find: async (key) => (existsSync(objects) ? files.find(key) : null),
    list: async (prefix, after) => (existsSync(objects) ? listObjects(objects, prefix, after) : []),
  }
}

/** Skips the check if other checks already report why it cannot run. */
export async function lookBeside(
  installation: Installation,
  look: (beside: { files: FileStore; system: pg.Pool }) => Promise<Finding>,
): Promise<Finding> {
  const lack = lacking(installation, ...STORAGE)
  if (lack) return lack
  const connections = await Promise.all([
    installation.connections.open('DATABASE_SYSTEM_URL'),
    installation.connections.open('DATABASE_URL'),
  ])
  const [system, app] = connections.map((connection) => (connection && 'pool' in connection ? connection.pool : null))
  if (!system || !app) return skipped('Skipped: not all roles can log in to the database.')
  const files = openToRead(installation.config.files)
  try {
    if ((await findMissingMigrations(system)).length > 0) return skipped('Skipped: migrations are missing; see schema.')
    return await look({ files, system })
  } catch (error) {
    if (codeOf(error) === NOT_ALLOWED) return skipped('Skipped: a role lacks read access; see role.')
    if (error instanceof StorageUnavailable || UNREADABLE.has(codeOf(error)))
      return skipped('Skipped: the storage cannot be read; see storage.')
    throw error
  } finally {
    await files.close()
  }
}
