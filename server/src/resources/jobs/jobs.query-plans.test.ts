// Lists of jobs read little among many finished ones.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import type { Reader } from '../../db/database.ts'
import { type Statement, toParameter, type Value } from '../../db/statement.ts'
import { operator } from '../../lib/caller.ts'
import { createDatabase, type TestDatabase } from '../../testing/database.ts'
import { listJobs } from './jobs.store.ts'

const TENANT = '11111111-1111-4111-8111-111111111111'
const FINISHED = 20_000
/** All of them are as many as the table has pages; an index needs a few. */
const MAX_BUFFERS = 40
let database: TestDatabase
let client: pg.Client

before(async () => {
  database = await createDatabase()
  assert.ok(database.admin_url, 'DATABASE_ADMIN_URL must name a superuser: only one may skip the checks of the tables.')
  client = new pg.Client({ connectionString: database.admin_url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into jobs (tenant_id, id, type, payload_version, payload, subject_object, subject_id, status, place, error, priority, max_attempts,
      timeout_seconds, queued_at, finished_at, created_at, updated_at)
    select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'ingestion', 1, '{}', 'document', gen_random_uuid(),
      case n when 1 then 'running' when 2 then 'failed' when 3 then 'queued' else 'succeeded' end,
      case n when 1 then 'admitted' when 3 then 'line' end, case n when 2 then '{"code": "internal_error"}'::jsonb end, 1, 3, 600, now(),
      case when n in (1, 3) then null else now() end, now(), now()
    from generate_series(1, ${FINISHED}) as n`,
    [TENANT],
  )
  await client.query('analyze jobs')
  await client.query('set role octavo_app')
})
after(async () => {
  await client.end()
  await database.drop()
})

/** Runs the statement of the list with `explain` and returns its rows and the pages that it read. */
async function explainList(filters: object): Promise<{ rows: number; buffers: number }> {
  let sent: { text: string; values: readonly Value[] } | undefined
  const reader = {
    caller: operator(TENANT, []),
    rows: async ({ text }: Statement, values: readonly Value[]) => {
      sent = { text, values }
      return []
    },
  }
  const page = { after: null, limit: 20, offset: 0, is_descending: true }
  await listJobs(reader as unknown as Reader, filters, page)
  assert.ok(sent)
  await client.query('begin')
  await client.query(`select set_config('app.tenant', $1, true), set_config('app.projects', '*', true)`, [TENANT])
  const text = `explain (analyze, buffers, format json) with unused as (select $2::uuid[]) ${sent.text}`
  const explained = await client.query<{
    'QUERY PLAN': { Plan: { 'Actual Rows': number; 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[]
  }>(text, [TENANT, null, ...sent.values.map(toParameter)])
  await client.query('rollback')
  const plan = explained.rows[0]?.['QUERY PLAN'][0]?.Plan
  assert.ok(plan)
  return { rows: plan['Actual Rows'], buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] }
}

for (const status of [['running'], ['queued', 'running'], ['failed'], ['failed', 'cancelled']])
  test(`a list of ${status.join(' and ')} jobs does not read the finished ones`, async () => {
    const { rows, buffers } = await explainList({ status })

    assert.equal(rows, status.filter((one) => one !== 'cancelled').length)
    assert.ok(buffers <= MAX_BUFFERS, `${buffers} buffers`)
  })

test('a list of ended jobs of all kinds contains them all', async () => {
  const { rows } = await explainList({ status: ['succeeded', 'failed'] })

  assert.equal(rows, 21)
})
