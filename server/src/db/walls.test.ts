// Row-level security: the database refuses other tenants' rows, whatever the statement says.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, type TestContext, test } from 'node:test'
import type pg from 'pg'
import { hashSecret, newSecret } from '../auth/credential.ts'
import { operator } from '../lib/caller.ts'
import { newUuid } from '../lib/ids.ts'
import { createDatabase, type TestDatabase } from '../testing/database.ts'
import { type Database, openDatabase, openPool } from './database.ts'
import { NO_TENANT } from './errors.ts'
import { findDangers, refuseDangers } from './guard.ts'
import { sql } from './statement.ts'

const DENIED = '42501'
const TABLES = [
  'documents',
  'pages',
  'chunks',
  'projects',
  'api_keys',
  'events',
  'idempotency_keys',
  'tenants',
  'tenant_positions',
] as const

let database: TestDatabase
let db: Database
let app: pg.Pool
let owner: pg.Pool
const [a, b] = [newUuid(), newUuid()]
const [secretOfA, secretOfB] = [hashSecret(newSecret('key')), hashSecret(newSecret('key'))]

const INSERT_PROJECT = sql(
  `insert into projects (tenant_id, id, name, created_at, updated_at) values ($3, $4, 'Leases', now(), now()) returning id::text as uuid`,
)
const INSERT_KEY = sql(`with made as (
    insert into api_keys (tenant_id, id, name, scopes, key_preview, created_at, updated_at) values ($1, $3, 'Key', '{}', '', now(), now()))
  insert into key_secrets (tenant_id, key_id, hash) values ($1, $3, $4)`)

before(async () => {
  database = await createDatabase()
  db = openDatabase(database.app_url, 1)
  app = openPool(database.app_url, 1)
  owner = openPool(database.owner_url, 1)
  const system = openPool(database.system_url, 1)
  for (const [tenant, secret] of [[a, secretOfA] as const, [b, secretOfB] as const]) {
    await system.query(
      `insert into tenants (id, name, tier, created_at, updated_at) values ($1, 'Test', 'free', now(), now())`,
      [tenant],
    )
    await db.for(operator(tenant, [])).rows(INSERT_PROJECT, [tenant, newUuid()])
    await db.for(operator(tenant, [])).rows(INSERT_KEY, [newUuid(), secret])
  }
  await system.end()
})
after(async () => {
  await Promise.all([db.close(), app.end(), owner.end()])
  await database.drop()
})

async function dangersOf(url: string): Promise<string> {
  const pool = openPool(url, 1)
  try {
    return (await findDangers(pool)).join('\n')
  } finally {
    await pool.end()
  }
}

/** A role for one test; its name identifies the test in case it is killed. */
async function newRole(t: TestContext, options: string): Promise<{ name: string; url: string } | null> {
  if (!database.admin_url) return null
  const admin = openPool(database.admin_url, 1)
  const name = `octavo_test_role_${randomBytes(4).toString('hex')}`
  await admin.query(`create role ${name} login password 'test' ${options}`)
  t.after(async () => {
    await admin.query(`drop role ${name}`)
    await admin.end()
  })
  const url = new URL(database.app_url)
  url.username = name
  url.password = 'test'
  return { name, url: url.href }
}

test('accepts the request role and the system role', async () => {
  assert.equal(await dangersOf(database.app_url), '')
  assert.equal(await dangersOf(database.system_url), '')
})

test('refuses a superuser', async (t) => {
  if (!database.admin_url) return t.skip('DATABASE_ADMIN_URL is not set')

  assert.match(await dangersOf(database.admin_url), /is a superuser/)
})

test('refuses the owner of the tables', async () => {
  assert.match(await dangersOf(database.owner_url), /owns tables/)
  await assert.rejects(refuseDangers(owner), /Refusing to start/)
})

test('refuses a role that may bypass row security', async (t) => {
  const role = await newRole(t, 'bypassrls')
  if (!role) return t.skip('DATABASE_ADMIN_URL is not set')

  assert.match(await dangersOf(role.url), /may bypass row-level security/)
})

test('refuses a role that can become the owner', async (t) => {
  const role = await newRole(t, 'in role octavo')
  if (!role) return t.skip('DATABASE_ADMIN_URL is not set')

  assert.match(await dangersOf(role.url), /owns tables/)
})

test('refuses to serve while a tenant table has no forced policy', async (t) => {
  t.after(() => owner.query('drop table strays'))
  const dangers = (): Promise<string> => dangersOf(database.app_url)

  await owner.query('create table strays (tenant_id uuid not null, id uuid not null, primary key (tenant_id, id))')
  assert.match(await dangers(), /'strays'/)
  await owner.query('alter table strays enable row level security')
  await owner.query('create policy strays_own on strays to octavo_app using (tenant_id = (select app_tenant()))')
  assert.match(await dangers(), /'strays'/)
  await owner.query('alter table strays force row level security')
  assert.equal(await dangers(), '')
  await owner.query('drop policy strays_own on strays')
  assert.match(await dangers(), /'strays'/)
})

test('a query without a tenant fails on a new connection and on a reused one', async () => {
  for (const table of TABLES) await assert.rejects(app.query(`select * from ${table}`), { code: NO_TENANT }, table)

  await app.query(`begin; select set_config('app.tenant', '${a}', true), set_config('app.projects', '*', true); commit`)
  for (const table of TABLES) await assert.rejects(app.query(`select * from ${table}`), { code: NO_TENANT }, table)
})

test('a query with a tenant but no project set fails', async () => {
  await app.query(`begin; select set_config('app.tenant', '${a}', true)`)
  const error: unknown = await app.query('select * from projects').catch((caught: unknown) => caught)
  await app.query('rollback')

  assert.equal((error as { code?: string }).code, NO_TENANT)
})

test("a statement with a wrong condition cannot access another tenant's rows", async () => {
  const own = db.for(operator(a, []))
  const count = sql('select count(*) as count from projects where tenant_id is not null')
  const rename = sql(
    `update projects set name = 'Taken' where tenant_id is not null returning tenant_id::text as tenant`,
  )
  const remove = sql('delete from projects where tenant_id = $3 returning id')
  const move = sql('update projects set tenant_id = $3')

  assert.deepEqual(await own.find(count), { count: 1 })
  assert.deepEqual(await own.rows(rename), [{ tenant: a }])
  assert.deepEqual(await own.rows(remove, [b]), [])
  await assert.rejects(own.rows(move, [b]), { code: DENIED })
  await assert.rejects(own.rows(INSERT_PROJECT, [b, newUuid()]), { code: DENIED })
  assert.deepEqual(await db.for(operator(b, [])).find(sql(`select name from projects where tenant_id = $1`)), {
    name: 'Leases',
  })
})

test("a statement with a wrong condition cannot access projects outside the caller's limit", async () => {
  const [mine, other] = [newUuid(), newUuid()]
  for (const id of [mine, other]) await db.for(operator(b, [])).rows(INSERT_PROJECT, [b, id])
  const limited = db.for({ ...operator(b, []), projects: [mine] })
  const insert =
    sql(`insert into documents (tenant_id, id, project_id, title, status, page_count, pages_ready, pages_failed, created_at, updated_at)
    values ($1, $3, $4, 'Lease', 'ready', 0, 0, 0, now(), now())`)

  assert.deepEqual(await limited.rows(sql('select id::text as uuid from projects where tenant_id = $1')), [
    { uuid: mine },
  ])
  await limited.rows(insert, [newUuid(), mine])
  await assert.rejects(limited.rows(insert, [newUuid(), other]), { code: DENIED })
  await assert.rejects(limited.rows(insert, [newUuid(), null]), { code: DENIED })
  assert.deepEqual(
    await db.for({ ...operator(b, []), projects: [] }).rows(sql('select id from projects where tenant_id = $1')),
    [],
  )
})

test('a secret is visible only with its hash or to its tenant', async () => {
  const see = async (settings: Record<string, string>): Promise<Buffer[]> => {
    await app.query('begin')
    for (const [name, value] of Object.entries(settings))
      await app.query('select set_config($1, $2, true)', [name, value])
    const { rows } = await app.query<{ hash: Buffer }>('select hash from key_secrets')
    await app.query('rollback')
    return rows.map((row) => row.hash)
  }

  assert.deepEqual(await see({}), [])
  assert.deepEqual(await see({ 'app.key_hash': secretOfA.toString('hex') }), [secretOfA])
  assert.deepEqual(await see({ 'app.key_hash': hashSecret('another').toString('hex') }), [])
  assert.deepEqual(await see({ 'app.tenant': b }), [secretOfB])
})

test('a caller with the hash may read the row but not change it', async () => {
  await app.query(`begin; select set_config('app.key_hash', '${secretOfA.toString('hex')}', true)`)
  const { rowCount } = await app.query('update key_secrets set expires_at = null')
  await app.query('rollback')

  assert.equal(rowCount, 0)
})

test('the secret of a link is visible only with its hash, and only its tenant can delete it', async () => {
  const hash = hashSecret('the secret of a link')
  const reach = async (settings: Record<string, string>, text: string): Promise<number> => {
    await app.query('begin')
    for (const [name, value] of Object.entries(settings))
      await app.query('select set_config($1, $2, true)', [name, value])
    const { rowCount } = await app.query(text)
    await app.query('rollback')
    return rowCount ?? 0
  }
  const insert = sql(`insert into link_secrets (tenant_id, hash, kind, subject_id, expires_at)
    values ($1, $3, 'invitation', $4, now() + interval '1 day')`)
  await db.for(operator(a, [])).rows(insert, [hash, newUuid()])

  const bearer = { 'app.key_hash': hash.toString('hex') }
  assert.equal(await reach(bearer, 'select from link_secrets'), 1)
  assert.equal(await reach(bearer, 'delete from link_secrets'), 0)
  for (const settings of [{}, { 'app.tenant': b }]) {
    assert.equal(await reach(settings, 'select from link_secrets'), 0)
    assert.equal(await reach(settings, 'delete from link_secrets'), 0)
  }
  assert.equal(await reach({ 'app.tenant': a }, 'delete from link_secrets'), 1)
})

test('a code or token of OAuth is visible, changed and added only with its hash', async () => {
  const [mine, other] = [hashSecret('a code'), hashSecret('another code')]
  const insert = sql(
    `insert into oauth_artifacts (hash, kind, payload, expires_at) values ($2, 'Code', $1, now() + interval '1 day')`,
    null,
    [17, 17],
  )
  const touch = sql(
    'update oauth_artifacts set consumed_at = now() where $1::bytea is not null returning hash',
    null,
    [17],
  )
  await db.withHash(mine, insert, [mine])
  await db.withHash(other, insert, [other])

  assert.deepEqual(await db.withHash(mine, touch), [{ hash: mine }])
  assert.deepEqual(await db.withHash(hashSecret('a third code'), touch), [])
  await assert.rejects(db.withHash(mine, insert, [hashSecret('a third code')]), { code: DENIED })
})

test('the request role cannot access event partitions, nor the system role tenant content', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass`,
  )
  const system = openPool(database.system_url, 1)

  assert.ok(rows.length > 0)
  for (const { name } of rows) await assert.rejects(app.query(`select from ${name}`), { code: DENIED })
  for (const table of ['pages', 'chunks', 'job_steps'])
    await assert.rejects(system.query(`select from ${table}`), { code: DENIED })
  // Which keys there are, and when their secrets end; neither what they are called or may do, nor what opens them.
  for (const [table, column] of [
    ['api_keys', 'name'],
    ['api_keys', 'scopes'],
    ['api_keys', 'key_preview'],
    ['key_secrets', 'hash'],
    ['link_secrets', 'hash'],
  ])
    await assert.rejects(system.query(`select ${column} from ${table}`), { code: DENIED })
  await assert.rejects(app.query('truncate documents'), { code: DENIED })
  await assert.rejects(app.query('alter table documents disable row level security'), { code: DENIED })
  await system.end()
})

test('the system role sees which documents and projects to delete, but no titles or names', async () => {
  const own = db.for(operator(a, []))
  const insert =
    sql(`insert into documents (tenant_id, id, project_id, title, status, expires_at, deleted_at, page_count, pages_ready, pages_failed, created_at, updated_at)
    values ($1, $3, $4, 'Lease', 'ready', $5::timestamptz, $6::timestamptz, 0, 0, 0, now(), now())`)
  const project = newUuid()
  await own.rows(INSERT_PROJECT, [a, project])
  await own.rows(sql('update projects set retention_days = 1 where tenant_id = $1 and id = $3'), [project])
  const [past, future] = ['2001-01-01T00:00:00Z', '2999-01-01T00:00:00Z']
  const [expired, retained] = [newUuid(), newUuid()]
  await own.rows(insert, [expired, null, past, null])
  await own.rows(insert, [retained, project, null, null])
  for (const [expires_at, deleted_at] of [
    [future, null],
    [null, null],
    [past, past],
  ] as const)
    await own.rows(insert, [newUuid(), null, expires_at, deleted_at])
  await own.rows(insert, [newUuid(), project, null, past])
  const system = openPool(database.system_url, 1)

  const documents = await system.query<{ id: string }>('select id from documents order by id')
  const projects = await system.query<{ id: string }>('select id from projects')

  assert.deepEqual(documents.rows, [{ id: expired }, { id: retained }])
  assert.deepEqual(projects.rows, [{ id: project }])
  await assert.rejects(system.query('select title from documents'), { code: DENIED })
  await assert.rejects(system.query('select name from projects'), { code: DENIED })
  await assert.rejects(system.query('delete from documents'), { code: DENIED })
  await system.end()
})
