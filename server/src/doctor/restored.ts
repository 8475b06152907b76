// Whether the database is older than its storage: then it was restored, and the server refuses to start.

import { findRevived } from '../resources/api-keys/api-keys.revocations.ts'
import type { Installation } from './connections.ts'
import { type Check, type Finding, failed, ok } from './finding.ts'
import { adminCommand, isImage } from './operator-commands.ts'
import { lookBeside } from './storage-read.ts'

export function restoredChecks(installation: Installation): Check[] {
  return [
    {
      name: 'revocations',
      run: () => lookBeside(installation, async (beside) => judgeRestored(await findRevived(beside))),
    },
  ]
}

interface RevivedCounts {
  keys: number
  /** Keys of which a replaced secret works. */
  secrets: number
  tenants: number
}

export function judgeRestored({ keys, secrets, tenants }: RevivedCounts, is_image = isImage()): Finding {
  if (keys + secrets + tenants === 0) return ok('No revoked key or suspended tenant works again.')
  const after = `${adminCommand(is_image)} after-restore`
  return failed(
    `The database was restored and is older than its storage, so Octavo refuses to start. These would work again: ${keys} revoked keys, ${secrets} keys with replaced secrets, ${tenants} suspended tenants.`,
    'Stop every API, worker and pooler, revoke them again, then start Octavo. docs/backup.md describes what else a restore brings back.',
    ...(is_image ? ['docker compose stop octavo', after, 'docker compose start octavo'] : [after]),
  )
}
