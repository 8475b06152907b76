// Whether the database is older than its storage: then it was restored, and the server refuses to start.

import { findMissingMigrations } from '../db/guard.ts'
import { StorageUnavailable } from '../files/store.ts'
import { adminCommand, isImage } from '../lib/commands.ts'
import { findRevived } from '../resources/api-keys/endings.service.ts'
import type { Patient } from './doors.ts'
import { type Check, codeOf, type Finding, failed, ok, skipped } from './finding.ts'
import { lacking } from './settings.ts'
import { openToRead, STORAGE, UNREADABLE } from './storage-read.ts'

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
