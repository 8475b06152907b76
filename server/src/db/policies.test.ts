// Row-level security of every table with tenants' rows, including future ones: the policies are compared by
// behavior, with two tenants and two projects, and each policy is weakened once to see that the comparison notices.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { newUuid } from '../lib/ids.ts'
import { createDatabase, type TestDatabase } from '../testing/database.ts'
import {
  findForeignAccess,
  isOwn,
  listTenantTables,
  type TableCaller,
  type TenantTable,
} from '../testing/foreign-rows.ts'

const [a, b, mine, other] = [newUuid(), newUuid(), newUuid(), newUuid()]
const callers: TableCaller[] = [
  { tenant: a, projects: null, foreign_tenant: b, foreign_project: other },
  { tenant: a, projects: [mine], foreign_tenant: b, foreign_project: other },
  { tenant: b, projects: null, foreign_tenant: a, foreign_project: mine },
]

let database: TestDatabase
let owner: pg.Client
let app: pg.Client
let tables: TenantTable[]

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

before(async () => {
  database = await createDatabase()
  owner = await connect(database.owner_url)
  app = await connect(database.app_url)
  tables = await listTenantTables(owner)
  await dropConstraints()
  for (const table of tables) await fill(table)
})
after(async () => {
  await Promise.all([owner.end(), app.end()])
  await database.drop()
})

/** Rows are made from the columns' types alone, so nothing may check or complete them. */
async function dropConstraints(): Promise<void> {
  const { rows } = await owner.query<{
    text: string
  }>(`select format('alter table %s drop constraint %I', conrelid::regclass, conname) as text
    from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'f') and conparentid = 0`)
  for (const { text } of rows) await owner.query(text)
  await owner.query('alter table tenants disable trigger user')
}

const VALUES: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  'uuid[]': `'{}'`,
  text: `'word'`,
  'text[]': `'{}'`,
  jsonb: `'{}'`,
  bytea: `uuid_send(gen_random_uuid())`,
  date: 'current_date',
  boolean: 'true',
  halfvec: `'[1,0]'`,
}

/** Three rows for each tenant: in each of two projects, and in none. */
async function fill(table: TenantTable): Promise<void> {
  const { name, tenant, project } = table
  const { rows: columns } = await owner.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attnotnull and not atthasdef`,
    [name],
  )
  await owner.query(`alter table ${name} no force row level security`)
  for (const [owned, projects] of [
    [a, [mine, other, null]],
    [b, [null]],
  ] as const) {
    for (const place of tenant === 'id' ? [null] : projects) {
      const values = new Map(
        columns.map((column) => [
          column.name,
          VALUES[column.type] ?? (column.type.startsWith('timestamp') ? 'now()' : '1'),
        ]),
      )
      if (place !== null && project !== null)
        values.set(project, project === 'project_ids' ? `'{${place}}'` : `'${place}'`)
      values.set(tenant, `'${owned}'`)
      // A table with one row for each tenant keeps the first.
      await owner.query(
        `insert into ${name} (${[...values.keys()].join()}) values (${[...values.values()].join()}) on conflict do nothing`,
      )
    }
  }
  ownCounts.set(name, await countOwn(table))
  await owner.query(`alter table ${name} force row level security`)
}

/** How many rows are each caller's own. */
const ownCounts = new Map<string, number[]>()

async function countOwn(table: TenantTable): Promise<number[]> {
  const counts = callers.map((caller) => `count(*) filter (where ${isOwn(table, caller)})::int`)
  const { rows } = await owner.query<{ counts: number[] }>(
    `select array[${counts.join()}] as counts from ${table.name}`,
  )
  return rows[0]?.counts ?? []
}

async function findAccess(table: TenantTable): Promise<string[]> {
  const findings: string[] = []
  for (const [nth, caller] of callers.entries())
    findings.push(...(await findForeignAccess(app, table, caller, ownCounts.get(table.name)?.[nth] ?? 0)))
  return findings
}

test('no caller can read, count, change, delete or add rows of another tenant or project', async () => {
  const findings: string[] = []
  for (const table of tables) {
    assert.ok(
      ownCounts.get(table.name)?.some((count) => count > 0),
      `${table.name} has no row to look at`,
    )
    findings.push(...(await findAccess(table)))
  }

  assert.ok(tables.length >= 25, `only ${tables.length} tables`)
  assert.deepEqual(findings, [])
})

/** Public halves of signing keys belong to no tenant. Inserts of OAuth artifacts have their own test in walls.test.ts. */
test('the access check detects every weakened request policy', async () => {
  const { rows: policies } = await owner.query<{
    table: string
    name: string
    qual: string
    check: string
    adds: boolean
  }>(
    `select tablename as "table", policyname as name, qual, coalesce(with_check, qual) as "check",
      cmd = 'ALL' and tablename <> 'oauth_artifacts' and has_table_privilege('octavo_app', format('public.%I', tablename), 'insert') as adds from pg_policies
    where schemaname = 'public' and roles = '{octavo_app}' and tablename <> 'oauth_signing_keys' order by 1, 2`,
  )
  const unnoticed: string[] = []
  for (const { table, name, qual, check, adds } of policies) {
    const whole = adds ? `using (${qual}) with check (${check})` : `using (${qual})`
    const weak = [whole.replace('using (', 'using (true or '), ...(adds ? [`using (${qual}) with check (true)`] : [])]
    for (const rule of weak) {
      await owner.query(`alter policy ${name} on ${table} ${rule}`)
      const findings = await findAccess(tables.find((one) => one.name === table)!)
      if (findings.length === 0) unnoticed.push(`${name} ${rule}`)
    }
    await owner.query(`alter policy ${name} on ${table} ${whole}`)
  }

  assert.ok(policies.length >= 25, `only ${policies.length} policies`)
  assert.deepEqual(unnoticed, [])
})
