import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createDatabase, dropDatabase } from '../testing/database.ts'
import { migrate, readMigrations } from './migrate.ts'

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** An empty database, as a new installation has it. */
async function newDatabase(t: TestContext): Promise<string> {
  const owner = process.env.DATABASE_OWNER_URL ?? ''
  const name = `octavo_test_migrate_${randomBytes(4).toString('hex')}`
  const client = await open(owner)
  await client.query(`create database ${name}`)
  await client.end()
  t.after(() => dropDatabase(name))
  const url = new URL(owner)
  url.pathname = `/${name}`
  return url.href
}

async function appliedIn(url: string): Promise<string[]> {
  const client = await open(url)
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  await client.end()
  return rows.map(({ name }) => name)
}

const names = readMigrations().map(({ name }) => name)

test('concurrent processes migrate an empty database and apply each migration once', async (t) => {
  const url = await newDatabase(t)
  const said: string[] = []

  const counts = await Promise.all(Array.from({ length: 5 }, () => migrate(url, (line) => said.push(line))))

  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    names.length,
  )
  assert.deepEqual(
    said,
    names.map((name) => `applied ${name}`),
  )
  assert.deepEqual(await appliedIn(url), names)
  assert.equal(await migrate(url), 0)
})

test('a migration blocked by a lock backs off and retries', async (t) => {
  const url = await newDatabase(t)
  const blocker = await open(url)
  // The lock allows reads but no writes, so the first migration cannot record that it is applied.
  await blocker.query('create table migrations (name text primary key, applied_at timestamptz not null default now())')
  await blocker.query('begin; lock table migrations in share mode')

  let is_done = false
  const migrating = migrate(url).finally(() => {
    is_done = true
  })
  await sleep(700)
  const was_done = is_done
  await blocker.query('commit')
  await blocker.end()

  assert.equal(was_done, false)
  assert.equal(await migrating, names.length)
  assert.deepEqual(await appliedIn(url), names)
})

test('a failed migration is rolled back and named', async (t) => {
  const url = await newDatabase(t)
  const client = await open(url)
  await client.query('create table projects (id int)')
  await client.end()

  await assert.rejects(migrate(url), /Migration 0002_documents failed: relation "projects" already exists/)
  assert.deepEqual(await appliedIn(url), ['0001_tenants'])
})

test('keeps the passwords of roles that another database uses', {
  skip: process.env.DATABASE_ADMIN_URL ? false : 'needs a superuser',
}, async (t) => {
  // Their grants make this and another database depend on the role.
  const others = await createDatabase()
  t.after(() => others.drop())
  const owner = Object.assign(new URL(process.env.DATABASE_ADMIN_URL!), {
    pathname: new URL(await newDatabase(t)).pathname,
  })

  const migrating = migrate(owner.href, undefined, { passwords: { octavo_app: 'of another secret' }, are_own: true })

  await assert.rejects(
    migrating,
    /The role octavo_app of this PostgreSQL server is also used by the database '\w+', with another password\./,
  )
  await (await open(others.app_url)).end()
})

test('an index whose build was interrupted is built again', async (t) => {
  const url = await newDatabase(t)
  await migrate(url)
  const name = names.find((one) => one.endsWith('_live_jobs')) ?? ''
  const client = await open(url)
  await client.query('delete from migrations where name = $1', [name])
  await client.query('drop index jobs_live')
  await client.query('create table twice as select 1 as one from generate_series(1, 2)')
  await assert.rejects(client.query('create unique index concurrently jobs_live on twice (one)'), { code: '23505' })

  const count = await migrate(url)

  const { rows } = await client.query(
    `select indrelid::regclass::text as table, indisvalid as is_valid from pg_index where indexrelid = 'jobs_live'::regclass`,
  )
  await client.end()
  assert.deepEqual([count, rows], [1, [{ table: 'jobs', is_valid: true }]])
})
