// The whole of it, on the real engines.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { WriteStream } from 'node:tty'
import pg from 'pg'
import { openApp } from '../app.ts'
import { readConfig } from '../config/config.ts'
import { singleEnvironment } from '../config/single.ts'
import { putTombstone } from '../files/tombstones.ts'
import { newUuid, uuidOf } from '../lib/ids.ts'
import { createTenant } from '../tenants/tenants.service.ts'
import { suspend } from '../tenants/tenants.suspend.ts'
import { TEST_SECRETS } from '../testing/api.ts'
import { createDatabase } from '../testing/database.ts'
import { s3Env } from '../testing/files.ts'
import { change } from '../testing/jobs.ts'
import { freePort } from '../testing/port.ts'
import { insertFile } from '../testing/stored.ts'
import { openTcpProxy } from '../testing/tcp-proxy.ts'
import { examine } from './doctor.ts'
import { paperOf, printReport } from './print.ts'
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
const find = async (name: string, more: Record<string, string>) =>
  (await look(more)).checks.find((check) => check.name === name)!

async function asOwner(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.owner_url })
  await client.connect()
  await client.query(text)
  await client.end()
}

test('an installation that is not running yet has warnings but no problems', async () => {
  const { checks, is_healthy } = await look()

  assert.equal(is_healthy, true, JSON.stringify(checks.filter(({ status }) => status === 'failed')))
  const status = Object.fromEntries(checks.map((check) => [check.name, check.status]))
  assert.deepEqual(
    [
      status.database,
      status.role,
      status.extension,
      status.schema,
      status.notifications,
      status.storage,
      status.port,
      status.base_url,
    ],
    ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'skipped'],
  )
  assert.equal(status.workers, 'warning')
})

test('a server that is down is one problem, and dependent checks are skipped', async () => {
  const away = (url: string): string => url.replace(/@[^/]+/, '@127.0.0.1:9')
  const { checks } = await look({
    DATABASE_URL: away(database.app_url),
    DATABASE_SYSTEM_URL: away(database.system_url),
    DATABASE_OWNER_URL: '',
  })

  assert.deepEqual(
    checks.filter(({ status }) => status === 'failed').map(({ name, says }) => [name, says]),
    [['database', 'PostgreSQL at 127.0.0.1:9 cannot be reached: connection refused.']],
  )
  assert.ok(
    ['system_database', 'role', 'schema', 'workers'].every((name) =>
      checks.some((one) => one.name === name && one.status === 'skipped'),
    ),
  )
})

test('distinguishes a missing role or database from a wrong password', async () => {
  const role = await find('database', { DATABASE_URL: database.app_url.replace('//octavo_app', '//octavo_apq') })
  const name = await find('database', { DATABASE_URL: database.app_url.replace(database.name, 'octavo_none') })

  assert.match(role.says, /^The role 'octavo_apq' of DATABASE_URL does not exist\.$/)
  assert.match(name.says, /^The database 'octavo_none' does not exist at /)
})

test('reports a schema newer than the program', async (t) => {
  await asOwner(`insert into migrations (name) values ('9999_tomorrow')`)
  t.after(() => asOwner(`delete from migrations where name = '9999_tomorrow'`))

  const { status, says } = await find('schema', {})
  assert.deepEqual(
    [status, says],
    ['failed', 'The database is newer than this program: it has the unknown migrations 9999_tomorrow.'],
  )
})

test('reports a pooler that drops notifications', { skip: database.pooled_url === null }, async () => {
  const through = { DATABASE_URL: database.pooled_url! }

  assert.equal((await find('notifications', through)).status, 'failed')
  assert.equal((await find('notifications', { ...through, DATABASE_DIRECT_URL: database.app_url })).status, 'ok')
})

test('tests the bucket and distinguishes a wrong key from a wrong secret', async () => {
  const s3 = s3Env()
  const [well_done, key, secret, away] = await Promise.all([
    find('storage', s3),
    find('storage', { ...s3, S3_ACCESS_KEY_ID: 'nobody' }),
    find('storage', { ...s3, S3_SECRET_ACCESS_KEY: 'hidden-and-wrong' }),
    find('storage', { ...s3, S3_ENDPOINT: 'http://127.0.0.1:9' }),
  ])

  assert.equal(well_done.status, 'ok')
  assert.match(key.says, /does not know the key in S3_ACCESS_KEY_ID/)
  assert.match(secret.says, /S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID/)
  assert.match(away.says, /^The object storage at http:\/\/127\.0\.0\.1:9 cannot be reached: connection refused/)
  assert.doesNotMatch(JSON.stringify([key, secret, away]), /hidden-and-wrong/)
  assert.equal((await find('revocations', { ...s3, S3_SECRET_ACCESS_KEY: 'hidden-and-wrong' })).status, 'skipped')
})

test('reports a restored database and how to repair it', async (t) => {
  const FILES_DIR = join(dir, 'restored')
  const app = openApp(readConfig({ ...well, FILES_DIR, LOG_LEVEL: 'silent' }))
  t.after(() => app.close())
  const { id } = await createTenant(app.system, 'Restored', 'free')
  const before = await find('revocations', { FILES_DIR })
  assert.equal(existsSync(FILES_DIR), false)
  await suspend(app, id)
  await app.system.query('update tenants set suspended_at = null')
  const key = newUuid()
  await putTombstone(app.files, { kind: 'revoked', id: newUuid(), tenant: uuidOf('ten', id), key })
  await change(
    app,
    id,
    `insert into api_keys (tenant_id, id, name, scopes, key_preview, created_at, updated_at) values ($1, $3, 'Key', '{}', '', now(), now())`,
    [key],
  )

  const { status, says, commands } = await find('revocations', { FILES_DIR })
  const away = await find('revocations', { FILES_DIR, DATABASE_URL: 'postgres://octavo_app:x@127.0.0.1:9/octavo' })
  assert.equal(before.status, 'ok')
  assert.deepEqual([status, commands, away.status], ['failed', ['npm run admin -- after-restore'], 'skipped'])
  assert.match(says, /work again: 1 revoked keys, 0 keys with replaced secrets, 1 suspended tenants\.$/)
})

test('reports a storage that holds none of the files in the database', async (t) => {
  const [FILES_DIR, elsewhere] = [join(dir, 'known'), join(dir, 'elsewhere')]
  const app = openApp(readConfig({ ...well, FILES_DIR, LOG_LEVEL: 'silent' }))
  t.after(async () => {
    await app.system.query('update files set missing_at = now()')
    await app.close()
  })
  const { id } = await createTenant(app.system, 'Files', 'free')
  await insertFile(app, id, 'bytes')
  await insertFile(app, id, null)

  const [here, there] = [await find('files', { FILES_DIR }), await find('files', { FILES_DIR: elsewhere })]

  assert.deepEqual([here.status, there.status, existsSync(elsewhere)], ['ok', 'failed', false])
  assert.match(here.says, /\(1 of 2 found\)/)
  assert.match(there.says, /^None of a sample of 2 files is in the storage/)
})

test('reports a Valkey with high latency', async (t) => {
  const { hostname, port } = new URL(process.env.VALKEY_URL!)
  const far = openTcpProxy(hostname, Number(port || 6379), 90).listen(0, '127.0.0.1')
  t.after(() => far.close())
  await once(far, 'listening')
  const VALKEY_URL = `redis://127.0.0.1:${(far.address() as AddressInfo).port}/0`

  const late = await find('valkey', { VALKEY_URL })
  const patient = await find('valkey', { VALKEY_URL, VALKEY_TIMEOUT_MS: '1500' })

  assert.deepEqual([late.status, patient.status], ['warning', 'ok'])
  assert.match(
    `${late.says} ${late.remedy}`,
    /takes \d+ ms .* waits only 50 ms for it.* set VALKEY_TIMEOUT_MS to more than \d+\.$/,
  )
})

test('warns about rate limits that several API processes do not share', async () => {
  const alone = await find('valkey', { VALKEY_URL: '' })
  const two = await find('valkey', { VALKEY_URL: '', API_PROCESSES: '2' })

  assert.deepEqual([alone.status, two.status], ['skipped', 'warning'])
  assert.match(two.says, /each of the 2 API processes .* up to 2 times its rate/)
})

test('reports a password that is not percent-encoded and runs the other checks', async () => {
  const DATABASE_OWNER_URL = database.owner_url.replace(/\/\/[^@]*@/, '//octavo:50%off@')
  const { checks } = await look({ DATABASE_OWNER_URL })
  const single = await look({
    DATABASE_OWNER_URL,
    DATABASE_URL: '',
    DATABASE_SYSTEM_URL: '',
    OCTAVO_DATA_DIR: join(dir, 'single'),
  })

  for (const [first] of [checks, single.checks]) {
    assert.deepEqual([first!.name, first!.status], ['configuration', 'failed'])
    assert.match(first!.says, /^DATABASE_OWNER_URL .*percent-encode special characters of the password/)
  }
  assert.equal(checks.find(({ name }) => name === 'database')!.status, 'ok')
  assert.doesNotMatch(JSON.stringify([checks, single]), /50%off/)
})

test('strips control characters from text of other servers', async (t) => {
  const bad = '\u001b]0;title\u0007\u001b[2Jone\u0000\r\ntwo\u009b31m\u202e'
  const server = http
    .createServer(({ method }, response) =>
      response.writeHead(method === 'POST' ? 404 : 200).end(JSON.stringify({ data: [{ id: bad }, null] })),
    )
    .listen(0, '127.0.0.1')
  t.after(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const CHAT_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const { remedy } = await find('provider_chat', { CHAT_BASE_URL, CHAT_MODEL: 'writer' })
  assert.match(remedy!, /one of its models: one two\.$/)
})

test('uses color only on a terminal whose user wants it', () => {
  const terminal = Object.assign(Object.create(WriteStream.prototype), { isTTY: true, columns: 80 }) as WriteStream
  const TERM = 'xterm-256color'

  assert.deepEqual(paperOf(terminal, { TERM }), { is_terminal: true, has_colours: true, columns: 80 })
  assert.equal(paperOf(terminal, { TERM, NO_COLOR: '1' }).has_colours, false)
  assert.deepEqual(paperOf({}, { TERM }), { is_terminal: false, has_colours: false, columns: 100 })
  const checks = [{ name: 'disk', status: 'warning' as const, says: 'Nearly full.' }]
  const shown = printReport({ checks, is_healthy: true }, { is_terminal: true, has_colours: false, columns: 80 })
  assert.equal(shown, '! disk  Nearly full.\n\n1 warning\n')
})

test('reports a files directory whose path contains a file', async () => {
  assert.match(
    (await find('storage', { FILES_DIR: join(import.meta.filename, 'files') })).says,
    /a part of the path is not a directory\.$/,
  )
})

test('reports a management port used by another program', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const port = String((taken.address() as AddressInfo).port)

  const { status, says } = await find('management_port', { MANAGEMENT_PORT: port })
  assert.equal(status, 'failed')
  assert.match(says, new RegExp(`^Port ${port} \\(MANAGEMENT_PORT\\) is used by another program`))
})

test('prints text or JSON and exits with the result', () => {
  const run = (env: Record<string, string>, ...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../bin/doctor.ts'), ...args], {
      env: { ...well, ...env },
      encoding: 'utf8',
    })
  const fine = run({})
  const broken = run({ PORT: 'x' }, '--json')

  assert.equal(fine.status, 0, fine.stdout + fine.stderr)
  assert.match(fine.stdout, /^ok database {9}PostgreSQL/m)
  assert.equal(broken.status, 1)
  const { checks, is_healthy } = JSON.parse(broken.stdout) as {
    checks: { name: string; says: string }[]
    is_healthy: boolean
  }
  assert.equal(is_healthy, false)
  assert.deepEqual(checks[0], {
    name: 'configuration',
    status: 'failed',
    says: "PORT must be a whole number from 0 to 65535, not 'x'.",
    remedy: 'Correct PORT in .env or compose.yaml and restart. docs/configuration.md explains it.',
  })
})

test('a report fits the terminal width and does not break commands', () => {
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
  const plain = printReport({ checks, is_healthy: false }, { is_terminal: false, has_colours: false, columns: 40 })
  const shown = printReport({ checks, is_healthy: false }, { is_terminal: true, has_colours: true, columns: 40 })

  assert.equal(
    plain,
    `x  port  The port is held by another\n         program.\n         -> Stop that program.\n             ${command}\n!  disk  Nearly full.\n\n1 problem, 1 warning\n`,
  )
  assert.ok(shown.startsWith('\u001b[31m✗\u001b[39m port  The port'))
  assert.match(
    printReport({ checks: [], is_healthy: true }, { is_terminal: false, has_colours: false, columns: 80 }),
    /No problems\./,
  )
})
