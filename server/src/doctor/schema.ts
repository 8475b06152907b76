// The extension, the tables, and whether what the database announces arrives.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { listApplied } from '../db/guard.ts'
import { readMigrations } from '../db/migrate.ts'
import { migrateCommand } from '../lib/commands.ts'
import { addressOf } from './address.ts'
import { psql, startAgain } from './commands.ts'
import { type Installation, urlOf } from './connections.ts'
import { type Check, type Finding, failed, ok, skipped } from './finding.ts'

const CLOSED = 'Not looked at: no role comes into the database.'
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
  return rows[0]!
}

async function lookAtExtension(installation: Installation): Promise<Finding> {
  const pool = await installation.connections.any()
  if (!pool) return skipped(CLOSED)
  const { installed, available } = await readExtension(pool)
  if (installed !== null) return ok(`pgvector ${installed} is there.`)
  if (installation.is_single && available !== null)
    return skipped(`pgvector ${available} is at hand: the next start adds it to the database.`)
  const address = addressOf(urlOf(installation, 'DATABASE_URL'))
  if (available === null)
    return failed(
      'The PostgreSQL server has no pgvector, and search needs it.',
      'Install it beside the server, as on Debian, or run an image that has it, such as pgvector/pgvector:pg17:',
      'apt-get install postgresql-17-pgvector',
    )
  return failed(
    `The extension pgvector is not in the database '${address.database}', and its tables cannot be made without it. The server has version ${available}.`,
    'Add it as a superuser or as the owner of the database, then bring the tables up to date:',
    psql(address, 'postgres', 'create extension vector'),
    migrateCommand(),
  )
}

async function lookAtSchema(installation: Installation): Promise<Finding> {
  const pool = await installation.connections.any()
  if (!pool) return skipped(CLOSED)
  if (installation.is_single && (await listApplied(pool)).length === 0)
    return skipped('The database has no tables of Octavo yet: the next start makes them.')
  if ((await readExtension(pool)).installed === null)
    return skipped('Not looked at: the extension must be there first.')
  const known = readMigrations().map(({ name }) => name)
  const applied = await listApplied(pool)
  const missing = known.filter((name) => !applied.includes(name))
  const foreign = applied.filter((name) => !known.includes(name))
  if (foreign.length > 0)
    return failed(
      `The database is newer than this program: it has ${namesOf(foreign)}, which this version does not know.`,
      'Run the newer version of Octavo again, or restore the backup from before the upgrade. Migrations are never undone.',
    )
  if (missing.length === 0) return ok(`All ${known.length} migrations are applied.`)
  const says =
    applied.length === 0
      ? 'The database has no tables of Octavo yet.'
      : `The database is older than this program: it lacks ${namesOf(missing)}.`
  if (installation.is_single)
    return failed(says, 'Start Octavo again: it brings the database up to date at every start.', startAgain())
  return failed(says, 'Bring it up to date, then start the processes again:', migrateCommand())
}

/** The first and the last say enough. */
const namesOf = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.length} migrations (${names[0]} to ${names.at(-1)})`

async function listenOnce(installation: Installation): Promise<Finding> {
  const connection = await installation.connections.open('DATABASE_URL')
  if (!connection || 'trouble' in connection) return skipped('Not looked at: nobody comes in by DATABASE_URL.')
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
      return ok('What the database announces arrives.')
  } catch (error) {
    return failed(
      `DATABASE_DIRECT_URL does not lead to the database: ${(error as Error).message}.`,
      'Correct DATABASE_DIRECT_URL. It is for the same role and database as DATABASE_URL, past any pooler.',
    )
  } finally {
    await client.end().catch(() => {})
  }
  return failed(
    'What the database announces does not arrive: a pooler stands between, or DATABASE_DIRECT_URL names another database.',
    'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, with the role of DATABASE_URL. Until then jobs begin late and streams stand still.',
  )
}
