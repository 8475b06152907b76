// The whole of it, on the real engines.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { singleEnvironment } from '../single.ts'
import { TEST_SECRETS } from '../testing/api.ts'
import { createDatabase } from '../testing/database.ts'
import { s3Env } from '../testing/files.ts'
import { freePort } from '../testing/port.ts'
import { examine } from './doctor.ts'
import { printReport } from './print.ts'
import { readSettings } from './settings.ts'

const database = await createDatabase()
const dir = mkdtempSync(join(tmpdir(), 'octavo-doctor-'))
after(async () => {
  rmSync(dir, { recursive: true })
  await database.drop()
})
const PORT = String(await freePort())
const well: Record<string, string> = {
  PATH: process.env.PATH!,
  BASE_URL: `http://127.0.0.1:${PORT}`,
  PORT,
  MANAGEMENT_PORT: String(await freePort()),
  DATABASE_URL: database.app_url,
  DATABASE_SYSTEM_URL: database.system_url,
  DATABASE_OWNER_URL: database.owner_url,
  OCTAVO_SECRETS: TEST_SECRETS,
  FILES_DIR: join(dir, 'files'),
}
const look = (more: Record<string, string> = {}) => examine(readSettings({ ...well, ...more }, singleEnvironment))
const find = async (name: string, more: Record<string, string>) => (await look(more)).checks.find((check) => check.name === name)!

async function asOwner(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.owner_url })
  await client.connect()
  await client.query(text)
  await client.end()
}

test('an installation that does not run yet has warnings and no problems', async () => {
  const { checks, is_healthy } = await look()

  assert.equal(is_healthy, true, JSON.stringify(checks.filter(({ status }) => status === 'failed')))
  const status = Object.fromEntries(checks.map((check) => [check.name, check.status]))
  assert.deepEqual(
    [status.database, status.role, status.extension, status.schema, status.notifications, status.storage, status.port, status.base_url],
    ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'skipped'],
  )
  assert.equal(status.workers, 'warning')
})

test('a server that is down is one problem, and what depends on it is not looked at', async () => {
  const away = (url: string): string => url.replace(/@[^/]+/, '@127.0.0.1:9')
  const { checks } = await look({
    DATABASE_URL: away(database.app_url),
    DATABASE_SYSTEM_URL: away(database.system_url),
    DATABASE_OWNER_URL: '',
  })

  assert.deepEqual(
    checks.filter(({ status }) => status === 'failed').map(({ name, says }) => [name, says]),
    [['database', 'PostgreSQL at 127.0.0.1:9 cannot be reached: nothing listens there (connection refused).']],
  )
  assert.ok(
    ['system_database', 'role', 'schema', 'workers'].every((name) => checks.some((one) => one.name === name && one.status === 'skipped')),
  )
})

test('a role or a database that is not there is told apart from a wrong password', async () => {
  const role = await find('database', { DATABASE_URL: database.app_url.replace('//octavo_app', '//octavo_apq') })
  const name = await find('database', { DATABASE_URL: database.app_url.replace(database.name, 'octavo_none') })

  assert.match(role.says, /^DATABASE_URL names the role 'octavo_apq', which the database does not have\.$/)
  assert.match(name.says, /^There is no database 'octavo_none' at /)
})

test('a schema that this program does not know yet is told', async (t) => {
  await asOwner(`insert into migrations (name) values ('9999_tomorrow')`)
  t.after(() => asOwner(`delete from migrations where name = '9999_tomorrow'`))

  const { status, says } = await find('schema', {})
  assert.deepEqual(
    [status, says],
    ['failed', 'The database is newer than this program: it has 9999_tomorrow, which this version does not know.'],
  )
})

test('a pooler through which nothing is heard is told', { skip: database.pooled_url === null }, async () => {
  const through = { DATABASE_URL: database.pooled_url! }

  assert.equal((await find('notifications', through)).status, 'failed')
  assert.equal((await find('notifications', { ...through, DATABASE_DIRECT_URL: database.app_url })).status, 'ok')
})

test('a bucket is put to use, and its keys are told apart', async () => {
  const s3 = s3Env()
  const [well_done, key, secret, away] = await Promise.all([
    find('storage', s3),
    find('storage', { ...s3, S3_ACCESS_KEY_ID: 'nobody' }),
    find('storage', { ...s3, S3_SECRET_ACCESS_KEY: 'hidden-and-wrong' }),
    find('storage', { ...s3, S3_ENDPOINT: 'http://127.0.0.1:9' }),
  ])

  assert.equal(well_done.status, 'ok')
  assert.match(key.says, /does not know the key that S3_ACCESS_KEY_ID names/)
  assert.match(secret.says, /S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID/)
  assert.match(away.says, /^The object storage at http:\/\/127\.0\.0\.1:9 cannot be reached: nothing listens there/)
  assert.doesNotMatch(JSON.stringify([key, secret, away]), /hidden-and-wrong/)
})

test('files are not looked for where no directory can be', async () => {
  assert.match((await find('storage', { FILES_DIR: join(import.meta.filename, 'files') })).says, /a part of the path is not a directory\.$/)
})

test('a management port of another program is named', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const port = String((taken.address() as AddressInfo).port)

  const { status, says } = await find('management_port', { MANAGEMENT_PORT: port })
  assert.equal(status, 'failed')
  assert.match(says, new RegExp(`^The port ${port} \\(MANAGEMENT_PORT\\) is held by another program`))
})

test('the program prints for people and for programs, and ends with what it found', () => {
  const run = (env: Record<string, string>, ...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../bin/doctor.ts'), ...args], { env: { ...well, ...env }, encoding: 'utf8' })
  const fine = run({})
  const broken = run({ PORT: 'x' }, '--json')

  assert.equal(fine.status, 0, fine.stdout + fine.stderr)
  assert.match(fine.stdout, /^ok database {9}PostgreSQL/m)
  assert.equal(broken.status, 1)
  const { checks, is_healthy } = JSON.parse(broken.stdout) as { checks: { name: string; says: string }[]; is_healthy: boolean }
  assert.equal(is_healthy, false)
  assert.deepEqual(checks[0], {
    name: 'configuration',
    status: 'failed',
    says: "PORT must be a whole number from 0 to 65535, not 'x'.",
    remedy: 'Correct PORT in .env or compose.yaml and start it again; docs/configuration.md explains it.',
  })
})

test('a report fits its paper, and a command stays whole', () => {
  const command = `psql ${'x'.repeat(80)}`
  const checks = [
    {
      name: 'port',
      status: 'failed' as const,
      says: 'The port is held by another program.',
      remedy: 'Stop that program.',
      commands: [command],
    },
    { name: 'disk', status: 'warning' as const, says: 'Nearly full.' },
  ]
  const plain = printReport({ checks, is_healthy: false }, { is_terminal: false, columns: 40 })
  const shown = printReport({ checks, is_healthy: false }, { is_terminal: true, columns: 40 })

  assert.equal(
    plain,
    `x  port  The port is held by another\n         program.\n         -> Stop that program.\n             ${command}\n!  disk  Nearly full.\n\n1 problem, 1 warning\n`,
  )
  assert.match(shown, /✗.* port {2}The port/)
  assert.match(printReport({ checks: [], is_healthy: true }, { is_terminal: false, columns: 80 }), /No problems\./)
})
