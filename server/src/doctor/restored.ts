// Whether the database is older than its storage: then it was restored, and the server refuses to start.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findMissingMigrations } from '../db/guard.ts'
import { listObjects } from '../files/disk-list.ts'
import { openFiles } from '../files/open.ts'
import { type FileStore, StorageUnavailable } from '../files/store.ts'
import { adminCommand, isImage } from '../lib/commands.ts'
import { findRevived } from '../resources/api-keys/endings.service.ts'
import type { Patient } from './doors.ts'
import { type Check, codeOf, type Finding, failed, ok, skipped } from './finding.ts'
import { lacking } from './settings.ts'

const STORAGE = ['FILES_DIR', 'FILES_DRIVER', 'OCTAVO_DATA_DIR', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_ENDPOINT']

/** Of the directory of files: what is wrong there, storage tells. */
const UNREADABLE = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'EIO', 'ESTALE'])

/** As PostgreSQL says it. */
const NOT_ALLOWED = '42501'

export function restoredChecks(patient: Patient): Check[] {
  return [{ name: 'revocations', run: () => look(patient) }]
}

async function look(patient: Patient): Promise<Finding> {
  const lack = lacking(patient, ...STORAGE)
  if (lack) return lack
  const [door, system_door] = await Promise.all([patient.doors.open('DATABASE_URL'), patient.doors.open('DATABASE_SYSTEM_URL')])
  if (!door || !system_door || 'trouble' in door || 'trouble' in system_door)
    return skipped('Not looked at: not every role comes into the database.')
  const files = openToRead(patient.config.files)
  try {
    if ((await findMissingMigrations(door.pool)).length > 0) return skipped('Not looked at: the tables are not up to date, see schema.')
    return judgeRestored(await findRevived({ files, system: system_door.pool }))
  } catch (error) {
    if (codeOf(error) === NOT_ALLOWED) return skipped('Not looked at: a role may not read what it should, see role.')
    if (error instanceof StorageUnavailable || UNREADABLE.has(codeOf(error)))
      return skipped('Not looked at: the storage cannot be read, see storage.')
    throw error
  } finally {
    await files.close()
  }
}

/** A store of the disk makes its folders when it is first asked; here nothing is left behind, least of all by another user. */
function openToRead({ dir, s3 }: Patient['config']['files']): FileStore {
  const files = openFiles({ dir, s3 })
  if (s3 !== null) return files
  const objects = join(dir, 'objects')
  return { ...files, list: async (prefix, after) => (existsSync(objects) ? listObjects(objects, prefix, after) : []) }
}

interface Revived {
  keys: number
  /** Keys of which a replaced secret works. */
  secrets: number
  tenants: number
}

export function judgeRestored({ keys, secrets, tenants }: Revived, is_image = isImage()): Finding {
  if (keys + secrets + tenants === 0) return ok('No key that was revoked and no tenant that was suspended has come back.')
  const after = `${adminCommand(is_image)} after-restore`
  return failed(
    `The database was restored and is older than its storage, and Octavo refuses to start on it: revoked keys that would work again: ${keys}, keys with replaced secrets that would: ${secrets}, suspended tenants that would: ${tenants}.`,
    'Stop every API, worker and pooler, end them again, then start Octavo. docs/backup.md tells what else a restore brings back.',
    ...(is_image ? ['docker compose stop octavo', after, 'docker compose start octavo'] : [after]),
  )
}
