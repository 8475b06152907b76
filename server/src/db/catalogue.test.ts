// Rules that every table must follow, including future ones, checked against the PostgreSQL catalog.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../testing/database.ts'

let database: TestDatabase
let owner: pg.Client

before(async () => {
  database = await createDatabase()
  owner = new pg.Client({ connectionString: database.owner_url })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await database.drop()
})

async function ask<Row>(text: string): Promise<Row[]> {
  return (await owner.query(text)).rows as Row[]
}

/** Tables with tenants' rows; partitions are included only where they matter. */
const TENANT_TABLES = `select c.oid, c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped)`

test('the database has tenant tables to check', async () => {
  const tables = await ask<{ name: string }>(TENANT_TABLES)

  assert.ok(tables.length >= 7, tables.map(({ name }) => name).join(', '))
})

test('every primary key and unique index starts with the tenant, except hashes of secrets', async () => {
  const indexes = await ask<{ name: string }>(`with tables as (${TENANT_TABLES})
    select i.indexrelid::regclass::text as name from pg_index i join tables t on t.oid = i.indrelid
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indisunique and a.attname <> 'tenant_id'`)

  assert.deepEqual(indexes, [
    { name: 'key_secrets_pkey' },
    { name: 'link_secrets_pkey' },
    { name: 'sessions_pkey' },
    { name: 'passkeys_pkey' },
    { name: 'identities_pkey' },
    { name: 'oauth_client_ids_pkey' },
    { name: 'oauth_artifacts_pkey' },
  ])
})

test('every table with a tenant has a primary key', async () => {
  const tables = await ask(`with tables as (${TENANT_TABLES})
    select name from tables t where not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)`)

  assert.deepEqual(tables, [])
})

test('every foreign key includes the tenant on both sides, because checks bypass row security', async () => {
  const keys = await ask(`with tables as (${TENANT_TABLES})
    select c.conname from pg_constraint c join tables t on t.oid = c.conrelid
    where c.contype = 'f' and not exists (
      select from unnest(c.conkey, c.confkey) as pair (here, there)
      join pg_attribute h on h.attrelid = c.conrelid and h.attnum = pair.here
      join pg_attribute f on f.attrelid = c.confrelid and f.attnum = pair.there
      where h.attname = 'tenant_id' and f.attname = case when c.confrelid = 'tenants'::regclass then 'id' else 'tenant_id' end)`)

  assert.deepEqual(keys, [])
})

test('every table and partition has forced row security', async () => {
  const tables =
    await ask(`select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and c.relname <> 'migrations' and not (c.relrowsecurity and c.relforcerowsecurity)`)

  assert.deepEqual(tables, [])
})

test('every policy applies to one role', async () => {
  const policies = await ask(`select tablename, policyname from pg_policies
    where schemaname = 'public' and roles not in ('{octavo_app}', '{octavo_system}', '{octavo_search}')
    and policyname <> 'tenant_archive'`)

  assert.deepEqual(policies, [])
})

test('the owner sees the rows of one tenant in every table with tenants, for archives', async () => {
  const policies = await ask<{ name: string }>(`select tablename as name from pg_policies
    where policyname = 'tenant_archive' and roles = array[current_user] and cmd = 'ALL'
    and qual like '%_id = %current_setting(''app.tenant''%' or policyname = 'tenant_archive' and tablename = 'tenants'`)
  const tables = await ask<{ name: string }>(TENANT_TABLES)

  assert.deepEqual(
    policies.map(({ name }) => name).toSorted(),
    [...tables.map(({ name }) => name), 'tenants'].toSorted(),
  )
})

test('only two functions run as their owner: one creates partitions, one searches without text access', async () => {
  const functions = await ask<Record<string, unknown>>(`select proname, proconfig is not null as has_path,
    has_function_privilege('octavo_app', oid, 'execute') as is_for_app from pg_proc
    where pronamespace = 'public'::regnamespace and prosecdef order by proname`)
  const columns = await ask<{ name: string }>(`select c.relname || '.' || a.attname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and has_column_privilege('octavo_search', c.oid, a.attnum, 'select')
    order by 1`)
  const [role] =
    await ask<object>(`select rolcanlogin, rolbypassrls, has_schema_privilege(oid, 'public', 'create') as may_create,
    (select count(*)::int from pg_proc where proowner = r.oid) as functions from pg_roles r where rolname = 'octavo_search'`)

  assert.deepEqual(functions, [
    { proname: 'prepare_event_partitions', has_path: true, is_for_app: false },
    { proname: 'search_chunks', has_path: true, is_for_app: true },
  ])
  assert.deepEqual(role, { rolcanlogin: false, rolbypassrls: false, may_create: false, functions: 1 })
  assert.deepEqual(
    columns.map(({ name }) => name),
    [
      ...['document_id', 'frequencies', 'id', 'project_id', 'tenant_id', 'terms', 'word_count'].map(
        (name) => `chunks.${name}`,
      ),
      ...['deleted_at', 'id', 'metadata', 'tenant_id'].map((name) => `documents.${name}`),
    ],
  )
})

test('no view bypasses the policies of its tables', async () => {
  const views = await ask(`select relname from pg_class where relnamespace = 'public'::regnamespace
    and (relkind = 'm' or relkind = 'v' and not coalesce('security_invoker=true' = any (reloptions), false))`)

  assert.deepEqual(views, [])
})

test('the request role may not truncate, reference or create tables', async () => {
  const tables =
    await ask(`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and (has_table_privilege('octavo_app', oid, 'truncate') or has_table_privilege('octavo_app', oid, 'references')
      or has_table_privilege('octavo_app', oid, 'trigger'))`)
  const [schema] = await ask<{ may: boolean }>(`select has_schema_privilege('octavo_app', 'public', 'create') as may`)

  assert.deepEqual(tables, [])
  assert.equal(schema?.may, false)
})

test('partitions are accessible only through their parent', async () => {
  const partitions = await ask<{
    is_open: boolean
  }>(`select has_table_privilege('octavo_app', oid, 'select, insert, update, delete')
    or has_table_privilege('octavo_system', oid, 'select, insert, update, delete') as is_open
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relispartition`)

  assert.ok(partitions.length >= 4)
  assert.ok(partitions.every(({ is_open }) => !is_open))
})

test('the system role can access only the tables it needs', async () => {
  const tables = await ask<{
    relname: string
  }>(`select relname from pg_class where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p') and has_any_column_privilege('octavo_system', oid, 'select, insert, update') order by relname`)

  assert.deepEqual(
    tables.map(({ relname }) => relname),
    [
      'api_keys',
      'chunk_vectors',
      'documents',
      'embedding_gaps',
      'embedding_spaces',
      'events',
      'files',
      'idempotency_keys',
      'jobs',
      'key_ends',
      'key_secrets',
      'link_secrets',
      'migrations',
      'oauth_artifacts',
      'oauth_grants',
      'oauth_signing_keys',
      'outcomes',
      'projects',
      'sessions',
      'tenant_positions',
      'tenant_slots',
      'tenants',
      'uploads',
    ],
  )
})

test('the schema defines no enum types', async () => {
  assert.deepEqual(
    await ask(`select typname from pg_type where typtype = 'e' and typnamespace = 'public'::regnamespace`),
    [],
  )
})
