// The extension, the tables, and whether what the database announces arrives.

import { setTimeout as sleep } from 'node:timers/promises'
import { firstOf } from '@octavo/base/required.ts'
import { messageOf } from '@octavo/base/unknown.ts'
import pg from 'pg'
import { listApplied } from '../db/guard.ts'
import { readMigrations } from '../db/migrate.ts'
import { addressOf } from './address.ts'
import { psql, startAgain } from './commands.ts'
import { type Installation, urlOf } from './connections.ts'
import { type Check, type Finding, failed, ok, skipped } from './finding.ts'
import { migrateCommand } from './operator-commands.ts'

const CLOSED = 'Skipped: no role can log in to the database.'
const CHANNEL = 'octavo_doctor'
const HEARING_MS = 2_000

export function schemaChecks(installation: Installation): Check[] {
  return [
    { name: 'extension', run: () => lookAtExtension(installation) },
    { name: 'schema', run: () => lookAtSchema(installation) },
    { name: 'notifications', run: () => listenOnce(installation) },
  ]
}

async function readExtension(pool: pg.Pool): Promise<{ installed: string | null; available: string | null }> {
  const { rows } = await pool.query<{ installed: string | null; available: string | null }>(
    `select (select extversion from pg_extension where extname = 'vector') as installed,
    (select default_version from pg_available_extensions where name = 'vector') as available`,
  )
  return firstOf(rows)
}

async function lookAtExtension(installation: Installation): Promise<Finding> {
  const pool = await installation.connections.any()
  if (!pool) return skipped(CLOSED)
  const { installed, available } = await readExtension(pool)
  if (installed !== null) return ok(`pgvector ${installed} is installed.`)
  if (installation.is_single && available !== null)
    return skipped(`pgvector ${available} is available; the next start adds it to the database.`)
  const address = addressOf(urlOf(installation, 'DATABASE_URL'))
  if (available === null)
    return failed(
      'The PostgreSQL server does not have pgvector, which search needs.',
      'Install it on the server (the command is for Debian), or use an image that includes it, such as pgvector/pgvector:pg17:',
      'apt-get install postgresql-17-pgvector',
    )
  return failed(
    `The extension pgvector is not in the database '${address.database}', and its tables need it. The server has version ${available}.`,
    'Add it as a superuser or as the database owner, then run the migrations:',
    psql(address, 'postgres', 'create extension vector'),
    migrateCommand(),
  )
}

async function lookAtSchema(installation: Installation): Promise<Finding> {
  const pool = await installation.connections.any()
  if (!pool) return skipped(CLOSED)
  if (installation.is_single && (await listApplied(pool)).length === 0)
    return skipped('The database has no tables yet; the next start creates them.')
  if ((await readExtension(pool)).installed === null) return skipped('Skipped: the extension is missing.')
  const known = readMigrations().map(({ name }) => name)
  const applied = await listApplied(pool)
  const missing = known.filter((name) => !applied.includes(name))
  const foreign = applied.filter((name) => !known.includes(name))
  if (foreign.length > 0)
    return failed(
      `The database is newer than this program: it has the unknown migrations ${namesOf(foreign)}.`,
      'Run the newer version of Octavo, or restore the backup from before the upgrade. Migrations cannot be undone.',
    )
  if (missing.length === 0) return ok(`All ${known.length} migrations are applied.`)
  const says =
    applied.length === 0
      ? 'The database has no tables yet.'
      : `The database is older than this program: it lacks ${namesOf(missing)}.`
  if (installation.is_single)
    return failed(says, 'Restart Octavo: it migrates the database at every start.', startAgain())
  return failed(says, 'Run the migrations, then restart the processes:', migrateCommand())
}

/** The first and the last say enough. */
const namesOf = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.length} migrations (${names[0]} to ${names.at(-1)})`

async function listenOnce(installation: Installation): Promise<Finding> {
  const connection = await installation.connections.open('DATABASE_URL')
  if (!connection || 'trouble' in connection) return skipped('Skipped: cannot log in with DATABASE_URL.')
  const client = new pg.Client({
    connectionString: installation.config.database_direct_url,
    connectionTimeoutMillis: HEARING_MS,
  })
  client.on('error', () => {})
  const word = String(process.pid)
  const heard = new Promise<boolean>((tell) =>
    client.on('notification', ({ payload }) => payload === word && tell(true)),
  )
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    await connection.pool.query('select pg_notify($1, $2)', [CHANNEL, word])
    if (await Promise.race([heard, sleep(HEARING_MS, false, { ref: false })]))
      return ok('Database notifications arrive.')
  } catch (error) {
    return failed(
      `Cannot connect with DATABASE_DIRECT_URL: ${messageOf(error)}.`,
      'Correct DATABASE_DIRECT_URL. It needs the same role and database as DATABASE_URL, without a pooler.',
    )
  } finally {
    await client.end().catch(() => {})
  }
  return failed(
    'Database notifications do not arrive: the connection goes through a pooler, or DATABASE_DIRECT_URL names another database.',
    'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, with the role of DATABASE_URL. Until then jobs start late and streams stall.',
  )
}
