// A list reads the rows of its page from an index, not all rows of the tenant.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { recordOf } from '@octavo/base/unknown.ts'
import pg from 'pg'
import { createDatabase } from '../testing/database.ts'
import { columnsOf } from './tables.ts'

const TENANT = '11111111-1111-4111-8111-111111111111'
const OWN = 300
const OTHERS = 6_000
const LIMIT = 51

const database = await createDatabase()
assert.ok(database.admin_url, 'DATABASE_ADMIN_URL must name a superuser, which can take the role of requests.')
const client = new pg.Client({ connectionString: database.admin_url })
await client.connect()
after(async () => {
  await client.end()
  await database.drop()
})

await client.query('set session_replication_role = replica')
await client.query(
  `insert into documents (tenant_id, id, title, status, page_count, pages_ready, pages_failed, created_at, updated_at)
  select case when n <= ${OWN} then $1::uuid else md5((n % 60)::text)::uuid end, md5('document' || n)::uuid, 'Lease', 'ready', 1, 1, 0, now(), now()
  from generate_series(1, ${OWN + OTHERS}) as n`,
  [TENANT],
)
await client.query('vacuum analyze documents')

for (const mode of ['force_generic_plan', 'force_custom_plan'])
  test(`a list of a small tenant stops after its page (${mode})`, async () => {
    await client.query('begin')
    await client.query('set local role octavo_app')
    await client.query(
      `select set_config('app.tenant', $1, true), set_config('app.projects', '*', true), set_config('random_page_cost', '1.1', true),
      set_config('plan_cache_mode', $2, true)`,
      [TENANT, mode],
    )
    await client.query(
      `prepare page as select ${columnsOf('documents', [])} from documents where tenant_id = $1 and deleted_at is null order by id desc limit $2`,
    )
    const { rows } = await client.query<{ 'QUERY PLAN': unknown[] }>(
      `explain (analyze, format json) execute page('${TENANT}', ${LIMIT})`,
    )
    await client.query('rollback')
    await client.query('deallocate page')

    const { 'Node Type': type, 'Actual Rows': count } = scanOf(recordOf(rows[0]?.['QUERY PLAN'][0]).Plan)
    assert.equal(type, 'Index Scan')
    assert.equal(count, LIMIT)
  })

/** The node that reads the table. */
function scanOf(plan: unknown): Record<string, unknown> {
  const node = recordOf(plan)
  const children = Array.isArray(node.Plans) ? node.Plans.map(recordOf) : []
  const [child] = children.filter((one) => one['Parent Relationship'] === 'Outer')
  return child ? scanOf(child) : node
}
