// Output of the programs when they are started.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readMigrations } from '../db/migrate.ts'
import { createDatabase } from '../testing/database.ts'
import { asOwner, portText, run, settingsFor, start } from '../testing/processes.ts'
import { weightsDir } from '../testing/weights.ts'

const database = await createDatabase()
after(() => database.drop())
const settings = settingsFor(database)

test('reports a missing or invalid setting in one line', async () => {
  const [nothing, wrong, admin, migrate] = await Promise.all([
    run('api', { PATH: settings.PATH }),
    run('api', { ...settings, PORT: 'x' }),
    run('admin', { PATH: settings.PATH }, 'list-tenants'),
    run('migrate', { PATH: settings.PATH }),
  ])

  assert.deepEqual(nothing, {
    code: 1,
    out: '',
    error: 'DATABASE_URL is not set. See .env.example for an explanation.\n',
  })
  assert.deepEqual(wrong, { code: 1, out: '', error: "PORT must be a whole number from 0 to 65535, not 'x'.\n" })
  assert.deepEqual(admin, nothing)
  assert.match(migrate.error, /^DATABASE_OWNER_URL is not set\. .*\n$/)
})

test('every program reads secrets from files', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-bin-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { DATABASE_URL, DATABASE_OWNER_URL, ...others } = settings
  writeFileSync(join(folder, 'app'), `${DATABASE_URL}\n`)
  writeFileSync(join(folder, 'owner'), `${DATABASE_OWNER_URL}\n`)
  const files = { DATABASE_URL_FILE: join(folder, 'app'), DATABASE_OWNER_URL_FILE: join(folder, 'owner') }

  const [migrate, admin, api] = await Promise.all([
    run('migrate', { ...others, ...files }),
    run('admin', { ...others, ...files }, 'list-tenants'),
    run('api', { ...others, ...files, DATABASE_URL_FILE: '/nowhere' }),
  ])

  assert.deepEqual(migrate, { code: 0, out: 'The database is up to date.\n', error: '' })
  assert.deepEqual([admin.code, admin.error], [0, ''])
  assert.match(api.error, /^DATABASE_URL_FILE: '\/nowhere' cannot be read \(.*\)\.\n$/)
})

test('the API does not start with a role that bypasses row-level security', async () => {
  const { code, error } = await run('api', { ...settings, DATABASE_URL: database.owner_url })

  assert.equal(code, 1)
  assert.match(
    error,
    /^Refusing to start:\n {2}The role '\w+' owns tables: use it for migrations only and connect as octavo_app\./m,
  )
})

test('the API does not start without its database or with an outdated schema', async (t) => {
  const [old, empty] = [await createDatabase(), await createDatabase()]
  t.after(() => Promise.all([old.drop(), empty.drop()]))
  const last = readMigrations().at(-1)!.name
  await asOwner(old.owner_url, `delete from migrations where name = '${last}'`)
  await asOwner(empty.owner_url, 'drop table migrations')

  const [unreachable, outdated, unmigrated] = await Promise.all([
    run('api', { ...settings, DATABASE_URL: 'postgres://app:hidden@127.0.0.1:1/octavo' }),
    run('api', { ...settings, DATABASE_URL: old.app_url }),
    run('api', { ...settings, DATABASE_URL: empty.app_url }),
  ])

  assert.deepEqual(unreachable, {
    code: 1,
    out: '',
    error: 'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
  })
  assert.deepEqual(outdated, {
    code: 1,
    out: '',
    error: `Migrations are missing (${last}). Run: npm run migrate\n`,
  })
  assert.match(unmigrated.error, /^Migrations are missing \(0001_tenants, .*\)\. Run: npm run migrate\n$/)
})

test('the API does not start if a table lacks forced row-level security', async (t) => {
  const loose = await createDatabase()
  t.after(() => loose.drop())
  await asOwner(
    loose.owner_url,
    'create table notes (tenant_id uuid not null); alter table notes enable row level security',
  )

  const { code, error } = await run('api', {
    ...settings,
    DATABASE_URL: loose.app_url,
    DATABASE_SYSTEM_URL: loose.system_url,
  })

  assert.equal(code, 1)
  assert.match(error, /The table 'notes' has tenant rows without a forced row-level policy\./)
})

test('the API loads its search model before it listens, at normal priority', async () => {
  const [PORT, MANAGEMENT_PORT] = [await portText(), await portText()]
  const models = { OCTAVO_MODELS_DIR: weightsDir() }
  const { child, said, ended } = start('api', { ...settings, ...models, PORT, MANAGEMENT_PORT })
  while (!said.out.includes('"listening"') && child.exitCode === null) await once(child.stdout, 'data')

  const children = execFileSync('ps', ['-o', 'nice=,args=', '--ppid', String(child.pid)], { encoding: 'utf8' })
  child.kill('SIGTERM')
  await ended

  assert.match(children, new RegExp(`^ *${getPriority()} .*engine/child\\.ts`, 'm'))
})

test('the API prints its address, answers its probes and exits on a signal', async () => {
  const [PORT, MANAGEMENT_PORT] = [await portText(), await portText()]
  const { child, said, ended } = start('api', { ...settings, PORT, MANAGEMENT_PORT, HEALTH_ON_MAIN: 'true' })
  while (!said.out.includes('"listening"') && child.exitCode === null) await once(child.stdout, 'data')
  const management = `http://127.0.0.1:${MANAGEMENT_PORT}`

  const statuses = await Promise.all(
    [
      `${management}/livez`,
      `${management}/readyz`,
      `${management}/metrics`,
      `${management}/api/v1/capabilities`,
      `http://127.0.0.1:${PORT}/readyz`,
    ].map(async (url) => (await fetch(url)).status),
  )
  child.kill('SIGTERM')
  const { code, out, error } = await ended

  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.deepEqual(statuses, [200, 200, 200, 404, 200])
  assert.deepEqual([code, error], [0, ''])
  assert.ok(lines.some(({ event, port }) => event === 'listening' && port === Number(PORT)))
  assert.ok(lines.some(({ event, reason }) => event === 'stopping' && reason === 'SIGTERM'))
})

test('reports a port in use in one line', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const port = String((taken.address() as AddressInfo).port)

  const [management, main] = await Promise.all([
    run('api', { ...settings, PORT: '0', MANAGEMENT_PORT: port }),
    run('api', { ...settings, PORT: port, MANAGEMENT_PORT: '0' }),
  ])

  const sentence = `The port ${port} is in use. Set`
  assert.deepEqual([management.code, management.error], [1, `${sentence} MANAGEMENT_PORT to a free port.\n`])
  assert.deepEqual([main.code, main.error], [1, `${sentence} PORT to a free port.\n`])
})
