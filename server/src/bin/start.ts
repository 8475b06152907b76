// What every process checks before it serves.

import type { Needs } from '../app.ts'
import { openPool } from '../db/database.ts'
import { isPassing } from '../db/errors.ts'
import { findMissingMigrations, refuseDangers } from '../db/guard.ts'

export async function checkDatabase(app: Needs<'config' | 'system'>): Promise<void> {
  const pool = openPool(app.config.database_url, 1)
  try {
    const missing = await findMissingMigrations(pool)
    if (missing.length > 0) throw new Error(`The database lacks migrations (${missing.join(', ')}). Run: npm run migrate`)
    await refuseDangers(pool)
    await refuseDangers(app.system)
  } catch (error) {
    refuseStart(error)
  } finally {
    await pool.end()
  }
}

export function refuseStart(error: unknown): never {
  const { message, code } = error as Error & { code?: string }
  process.stderr.write(isPassing(error) ? `The database cannot be reached: ${message || code}\n` : `${message}\n`)
  return process.exit(1)
}

export function refusePort(setting: string, port: number, error: unknown): never {
  const { message, code } = error as NodeJS.ErrnoException
  const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${message})`
  process.stderr.write(`The port ${port} ${reason}. Set ${setting} to a free port.\n`)
  return process.exit(1)
}
