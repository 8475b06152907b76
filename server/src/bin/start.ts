// Checks before a process serves requests.

import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, messageOf } from '@octavo/base/unknown.ts'
import { findActiveLevel } from '@octavo/extract/sandbox/active.ts'
import { findWeakness } from '@octavo/extract/sandbox/levels.ts'
import type { Needs } from '../app.ts'
import { openPool } from '../db/database.ts'
import { isPassing } from '../db/errors.ts'
import { findMissingMigrations, refuseDangers } from '../db/guard.ts'
import { adminCommand, doctorCommand, migrateCommand } from '../doctor/operator-commands.ts'
import { StorageUnavailable } from '../files/store.ts'
import { findRevived } from '../resources/api-keys/api-keys.revocations.ts'

const COMPARE_AGAIN_MS = 5_000

export async function checkDatabase(app: Needs<'config' | 'system' | 'files' | 'log'>): Promise<void> {
  const pool = openPool(app.config.database_url, 1)
  try {
    const missing = await findMissingMigrations(pool)
    if (missing.length > 0) throw new Error(`Migrations are missing (${missing.join(', ')}). Run: ${migrateCommand()}`)
    await refuseDangers(pool)
    await refuseDangers(app.system)
    await refuseRestored(app).catch((error: unknown) => {
      // Without its storage a process serves what it can.
      if (!(error instanceof StorageUnavailable)) throw error
      app.log.warn('comparing revocations failed', { reason: 'storage_unavailable' })
      void refuseRestoredLater(app)
    })
  } catch (error) {
    refuseStart(error)
  } finally {
    await pool.end()
  }
}

/** An active key with a tombstone shows that the database was restored and `after-restore` did not run. */
async function refuseRestored(app: Needs<'system' | 'files'>): Promise<void> {
  const { keys, secrets, tenants } = await findRevived(app)
  if (keys + secrets + tenants === 0) return
  throw new Error(
    `Refusing to start: this database is older than its storage. ${keys} revoked keys, ${secrets} keys with replaced secrets and ${tenants} suspended tenants would work again. After a restore, run: ${adminCommand()} after-restore`,
  )
}

/** Checks again until the storage is back, so that a revoked key does not stay active after that. */
async function refuseRestoredLater(app: Needs<'system' | 'files' | 'log'>): Promise<void> {
  for (;;) {
    await sleep(COMPARE_AGAIN_MS, undefined, { ref: false })
    try {
      await refuseRestored(app)
      return app.log.info('revocations compared')
    } catch (error) {
      if (!(error instanceof StorageUnavailable) && !isPassing(error)) refuseStart(error)
    }
  }
}

/** How long to wait for an extract process that starts at the same time. */
const EXTRACT_MS = 60_000

/** Files are not parsed in a weaker sandbox than the operator requires. */
export async function refuseWeakSandbox({ config, log }: Needs<'config' | 'log'>): Promise<void> {
  const detected = await findActiveLevel(config.sandbox_socket, EXTRACT_MS).catch((error: unknown) =>
    refuseStart(
      new Error(`No extract process responds at SANDBOX_SOCKET '${config.sandbox_socket}': ${messageOf(error)}`),
    ),
  )
  log.info('sandbox', { kind: detected.level })
  const weakness = findWeakness(detected, config.sandbox_minimum)
  if (weakness) refuseStart(new Error(`${weakness} Run: ${doctorCommand()}`))
}

export function refuseStart(error: unknown): never {
  const message = messageOf(error)
  process.stderr.write(
    isPassing(error) ? `The database cannot be reached: ${message || codeOf(error)}\n` : `${message}\n`,
  )
  return process.exit(1)
}

export function refusePort(setting: string, port: number, error: unknown): never {
  const reason = codeOf(error) === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${messageOf(error)})`
  process.stderr.write(`The port ${port} ${reason}. Set ${setting} to a free port.\n`)
  return process.exit(1)
}
