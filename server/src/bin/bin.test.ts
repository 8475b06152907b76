// What the programs say to who starts them.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Octavo } from '@octavo/sdk'
import pg from 'pg'
import { readMigrations } from '../db/migrate.ts'
import { findUuid } from '../lib/ids.ts'
import { TEST_SECRETS } from '../testing/api.ts'
import { createDatabase, dropDatabase } from '../testing/database.ts'
import { freePort } from '../testing/port.ts'

const database = await createDatabase()
after(() => database.drop())
const { PATH } = process.env
const settings = {
  PATH: PATH!,
  BASE_URL: 'http://localhost',
  DATABASE_URL: database.app_url,
  DATABASE_SYSTEM_URL: database.system_url,
  DATABASE_OWNER_URL: database.owner_url,
  OCTAVO_SECRETS: TEST_SECRETS,
  DRAIN_MS: '0',
}

const portText = async (): Promise<string> => String(await freePort())

function start(door: string, env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [new URL(`./${door}.ts`, import.meta.url).pathname, ...args], { env })
  const said = { out: '', error: '' }
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (said.error += part.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
  return { child, said, ended }
}
const run = (door: string, env: Record<string, string>, ...args: string[]) => start(door, env, ...args).ended

async function asOwner(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

test('a setting that is missing or wrong is named in one line', async () => {
  const [nothing, wrong, admin, migrate] = await Promise.all([
    run('api', { PATH: PATH! }),
    run('api', { ...settings, PORT: 'x' }),
    run('admin', { PATH: PATH! }, 'list-tenants'),
    run('migrate', { PATH: PATH! }),
  ])

  assert.deepEqual(nothing, { code: 1, out: '', error: 'DATABASE_URL is not set. See .env.example for what it means.\n' })
  assert.deepEqual(wrong, { code: 1, out: '', error: "PORT must be a whole number from 0 to 65535, not 'x'.\n" })
  assert.deepEqual(admin, nothing)
  assert.match(migrate.error, /^DATABASE_OWNER_URL is not set: .*\n$/)
})

test('the API does not start with a role that row-level security does not bind', async () => {
  const { code, error } = await run('api', { ...settings, DATABASE_URL: database.owner_url })

  assert.equal(code, 1)
  assert.match(error, /^Refusing to start:\n {2}The role '\w+' owns tables: use it for migrations only and connect as octavo_app\./m)
})

test('the API does not start without its database, or with one that is not up to date', async (t) => {
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

  assert.deepEqual(unreachable, { code: 1, out: '', error: 'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n' })
  assert.deepEqual(outdated, { code: 1, out: '', error: `The database lacks migrations (${last}). Run: npm run migrate\n` })
  assert.match(unmigrated.error, /^The database lacks migrations \(0001_tenants, .*\)\. Run: npm run migrate\n$/)
})

test('the API does not start when a table forgot its wall', async (t) => {
  const loose = await createDatabase()
  t.after(() => loose.drop())
  await asOwner(loose.owner_url, 'create table notes (tenant_id uuid not null); alter table notes enable row level security')

  const { code, error } = await run('api', { ...settings, DATABASE_URL: loose.app_url, DATABASE_SYSTEM_URL: loose.system_url })

  assert.equal(code, 1)
  assert.match(error, /The table 'notes' holds tenants' rows without a forced row-level policy\./)
})

/** Nobody has migrated it. */
async function createEmptyDatabase(t: { after(work: () => Promise<unknown>): void }): Promise<typeof settings> {
  const name = `octavo_test_empty_${Date.now().toString(36)}`
  const urlOf = (url: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href
  await asOwner(database.owner_url, `create database ${name}`)
  t.after(() => dropDatabase(name))
  const urls = { DATABASE_URL: database.app_url, DATABASE_SYSTEM_URL: database.system_url, DATABASE_OWNER_URL: database.owner_url }
  return { ...settings, ...Object.fromEntries(Object.entries(urls).map(([variable, url]) => [variable, urlOf(url)])) }
}

test('one process makes an empty database ready, prints its first key once, serves and works', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'octavo-all-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const { BASE_URL: _base, OCTAVO_SECRETS: _secrets, ...rest } = await createEmptyDatabase(t)
  const env = { ...rest, OCTAVO_DATA_DIR: data, PORT: await portText(), HEALTH_ON_MAIN: 'true' }
  const ports = [await portText(), await portText()]

  // Two that start at once: one of them makes the tenant.
  const both = ports.map((MANAGEMENT_PORT) => start('all', { ...env, MANAGEMENT_PORT }))
  const outs = (): string => both.map(({ said }) => said.out).join('')
  const whenReady = ports.map(async (port, i) => {
    while (
      !(await fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await sleep(5)
    // What was printed before may still be on its way.
    await sleep(30)
    return both[i]!.said.out
  })
  for (const { said, child } of both) while (!said.out.includes('"working"') && child.exitCode === null) await once(child.stdout, 'data')
  while (!outs().includes('Try it')) await Promise.race(both.map(({ child }) => once(child.stdout, 'data')))
  const keys = outs().match(/^ {2}oct_key_\w+$/gm) ?? []
  const ready = await Promise.all(whenReady)
  const base_url = `http://localhost:${env.PORT}`
  const octavo = new Octavo({ base_url: base_url.replace('localhost', '127.0.0.1'), api_key: keys[0]!.trim() })
  const document = await octavo.documents.createAndWait({ title: 'Lease', source: { type: 'text', text: 'Rent is 1,200 a month.' } })
  for (const { child } of both) child.kill('SIGTERM')
  const ended = await Promise.all(both.map((one) => one.ended))
  const again = start('all', { ...env, MANAGEMENT_PORT: ports[0]! })
  while (!again.said.out.includes('"working"')) await once(again.child.stdout, 'data')
  again.child.kill('SIGTERM')
  const { out } = await again.ended

  assert.equal(keys.length, 1)
  assert.ok(
    ready.some((out) => out.includes(keys[0]!)),
    'who waits until it is ready finds the key',
  )
  assert.match(outs(), new RegExp(`Octavo is ready at ${base_url}\n`))
  assert.equal(document.status, 'ready')
  assert.deepEqual(
    ended.map(({ code, error }) => [code, error]),
    [
      [0, ''],
      [0, ''],
    ],
  )
  assert.doesNotMatch(out, /oct_key_/)
})

test('one process with another directory does not take over an installation', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'octavo-all-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const { OCTAVO_SECRETS: _, ...rest } = settings

  const { code, error } = await run('all', { ...rest, OCTAVO_DATA_DIR: data, PORT: await portText() })

  assert.equal(code, 1)
  assert.match(error, /^This database belongs to an installation, and its secret is not in '.*secrets'\. Set OCTAVO_DATA_DIR/)
  assert.equal(existsSync(join(data, 'secrets')), false)
})

test('the API says where it listens, answers its probes, and ends when it is told to', async () => {
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

test('a port that is taken is named in one line', async (t) => {
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

test('what npm does to options is told, and nothing is done', async () => {
  const npm = { npm_config_tier: 'true' }
  const [surplus, kept, unknown] = await Promise.all([
    run('admin', settings, 'create-tenant', 'Kept', 'free'),
    run('admin', { ...settings, ...npm }, 'create-tenant', 'Kept'),
    run('admin', settings, 'create-tenant', 'Kept', '--teir', 'free'),
  ])
  const { out } = await run('admin', settings, 'list-tenants')

  const again = "Options need '--' before the command: npm run admin -- create-tenant …\n"
  assert.equal(surplus.error, `'free' is more than create-tenant takes: put a name of several words in quotes. ${again}`)
  assert.equal(kept.error, `npm kept --tier for itself. ${again}`)
  assert.match(unknown.error, /^Unknown option '--teir'\..*\n$/)
  assert.deepEqual([surplus.code, kept.code, unknown.code], [1, 1, 1])
  assert.doesNotMatch(out, /Kept/)
})

test('the operator makes a tenant and its first key, and is told what is wrong', async () => {
  const [made, tier, unknown, keyless] = await Promise.all([
    run('admin', settings, 'create-tenant', 'Acme', '--tier', 'free'),
    run('admin', settings, 'create-tenant', 'Acme', '--tier', 'gold'),
    run('admin', settings, 'set-tier', 'ten_01h455vb4pex5vsknk084sn02q', 'free'),
    run('admin', settings, 'create-key', 'ten_01h455vb4pex5vsknk084sn02q'),
  ])

  assert.match(made.out, /^tenant ten_\w{26}\nkey {4}key_\w{26}\nsecret oct_key_\w{46} {3}\(shown only now\)\n$/)
  assert.equal(tier.error, "'gold' is not a tier. Tiers: free, standard, enterprise, self_hosted\n")
  assert.equal(unknown.error, "There is no tenant 'ten_01h455vb4pex5vsknk084sn02q'.\n")
  assert.equal(keyless.error, unknown.error)
  assert.deepEqual([made.code, tier.code, unknown.code, keyless.code], [0, 1, 1, 1])
})

test('an operator gives a tenant models and a budget, and sees them', async () => {
  const chat = { ...settings, CHAT_BASE_URL: 'http://llm.example.com/v1', CHAT_MODEL: 'writer' }
  const { out: made } = await run('admin', chat, 'create-tenant', 'Careful')
  const [, tenant = ''] = /tenant (\S+)/.exec(made) ?? []

  const set = await run('admin', chat, 'set-models', tenant, '--default-generator', 'writer', '--allow', 'writer')
  const [budget, wrong, nothing] = await Promise.all([
    run('admin', chat, 'set-budget', tenant, '2500000'),
    run('admin', chat, 'set-budget', tenant, '1.50'),
    run('admin', chat, 'set-models', tenant),
  ])
  const { out } = await run('admin', chat, 'show-tenant', tenant)

  for (const quiet of [set, budget]) assert.deepEqual(quiet, { code: 0, out: '', error: '' })
  assert.deepEqual([wrong.code, wrong.error], [1, 'A budget is a whole number of micros, or none.\n'])
  assert.deepEqual([nothing.code, nothing.error], [1, 'Nothing to set: name a default, or what is allowed.\n'])
  assert.deepEqual(out.split('\n').slice(1, -1), [
    'tier      self_hosted',
    'generator writer',
    'embedder  none (of the installation)',
    'labels    none (of the installation)',
    'allowed   writer',
    'budget    2500000 micros a day',
    'spent     0 micros today',
  ])
})

test('the operator has the storage swept, and sees first what that would do', async (t) => {
  const FILES_DIR = mkdtempSync(join(tmpdir(), 'octavo-bin-'))
  t.after(() => rmSync(FILES_DIR, { recursive: true, force: true }))
  const { out: made } = await run('admin', settings, 'create-tenant', 'Sweeper')
  const tenant = findUuid('ten', /ten_\w{26}/.exec(made)![0])!
  const object = '01900000-0000-7000-8000-000000000000'
  const folder = join(FILES_DIR, 'objects', tenant, object.slice(0, 6))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, object), 'bytes')
  utimesSync(join(folder, object), 0, 0)

  const dry = await run('admin', { ...settings, FILES_DIR }, 'sweep', '--dry-run')
  const swept = await run('admin', { ...settings, FILES_DIR }, 'sweep')

  assert.match(dry.out, /^1 objects without a row \(5 bytes\) and 0 uploads in parts would be removed$/m)
  assert.match(swept.out, /^1 objects without a row \(5 bytes\) and 0 uploads in parts were removed$/m)
  assert.deepEqual([dry.code, swept.code, existsSync(join(folder, object))], [0, 0, false])
})
