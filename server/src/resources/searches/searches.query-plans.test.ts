// A search uses the right indexes among many rows of other tenants. Plans are captured from PostgreSQL during searches,
// including those inside the search function.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openDatabase } from '../../db/database.ts'
import { operator } from '../../lib/caller.ts'
import { createDatabase, type TestDatabase } from '../../testing/database.ts'
import { addForeignChunks } from '../../testing/foreign-chunks.ts'
import { ACTIVE_SPACE } from '../../vector-spaces/vector-spaces.service.ts'
import { EXACT_MAX, NEAREST, rankBySimilarity } from './searches.similarity.store.ts'

const FOREIGN = 50_000
const TENANT = '11111111-1111-4111-8111-111111111111'
const SPACE = '22222222-2222-4222-8222-222222222222'
let database: TestDatabase
let client: pg.Client
let plans: string[] = []

before(async () => {
  database = await createDatabase()
  assert.ok(database.admin_url, 'DATABASE_ADMIN_URL must name a superuser: only one sees the plans inside a function.')
  await addForeignChunks(database.admin_url, FOREIGN)
  client = new pg.Client({ connectionString: database.admin_url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into tenants (id, name, tier, created_at, updated_at) values ($1, 'Own', 'free', now(), now())`,
    [TENANT],
  )
  await client.query(
    `insert into documents (tenant_id, id, title, status, page_count, pages_ready, pages_failed, created_at, updated_at)
    select $1, md5('own' || n / 4)::uuid, 'Own', 'ready', 1, 1, 0, now(), now() from generate_series(0, 1999, 4) as n`,
    [TENANT],
  )
  await client.query(`insert into chunk_configs values ($1, 'english')`, [TENANT])
  await client.query(
    `insert into chunks (tenant_id, document_id, page_id, id, number, start_offset, end_offset, position, page_number, config, terms, frequencies, word_count)
    select $1, md5('own' || n / 4)::uuid, md5('own' || n / 4)::uuid, md5('chunk' || n)::uuid, n, 0, 9, n, 1, 'english', t.terms, t.frequencies, 3
    from generate_series(0, 1999) as n cross join lateral chunk_terms($1, 'english', 'lease of house ' || n || ' paid ' || n % 7) as t`,
    [TENANT],
  )
  await client.query(
    `insert into chunk_vectors (tenant_id, chunk_id, space_id, document_id, vector, in_graph)
    select $1, md5('chunk' || n)::uuid, $2, md5('own' || n / 4)::uuid, (select l2_normalize(array_agg(random() - 0.5)::halfvec) from generate_series(1, 384) where n >= 0), true
    from generate_series(0, 1999) as n`,
    [TENANT, SPACE],
  )
  await client.query('analyze')
  await client.query(`load 'auto_explain'`)
  const settings = { log_min_duration: '0', log_nested_statements: 'on', log_level: 'notice', log_analyze: 'on' }
  for (const [name, value] of Object.entries(settings)) await client.query(`set auto_explain.${name} = ${value}`)
  await client.query('set role octavo_app')
  await client.query(
    `select set_config('app.tenant', $1, false), set_config('app.projects', '*', false), set_config('random_page_cost', '1.1', false)`,
    [TENANT],
  )
  client.on('notice', ({ message = '' }) => plans.push(message))
})
after(async () => {
  await client.end()
  await database.drop()
})

async function planOf(text: string, values: unknown[] = []): Promise<{ plan: string; rows: unknown[] }> {
  plans = []
  const { rows } = await client.query(text, values)
  // The statements themselves are of no interest, nor are those that do not touch the rows.
  const plan = plans
    .map((one) => one.replace(/^.*?(?=\n[A-Z][A-Za-z ]+ {2}\(cost)/s, ''))
    .filter((one) => /\bon chunk(s|_vectors) /.test(one))
  return { plan: plan.join('\n').replaceAll(/'\[[^']*'/g, '…'), rows }
}
const has = (plan: string, words: RegExp): void => assert.ok(words.test(plan), `${words} is not in the plan:\n${plan}`)
const hasNot = (plan: string, words: RegExp): void =>
  assert.ok(plan !== '' && !words.test(plan), `${words} is in the plan:\n${plan}`)
const vectorOf = (seed: number): string => `[${Array.from({ length: 384 }, (_, i) => Math.sin(seed + i)).join()}]`
const BY_KEYWORD = `select * from search_chunks(search_terms('the lease of house 17'), 2000, 3, null, null, null, null, null, 100)`

test("a keyword search uses the term index and reads no other tenant's rows", async () => {
  const { plan, rows } = await planOf(BY_KEYWORD)

  assert.equal(rows.length, 100)
  has(plan, /Bitmap Index Scan on chunks_terms/)
  hasNot(plan, /chunks_words/)
  hasNot(plan, /Seq Scan on (chunks|documents)|Rows Removed by (Filter|Index Recheck)/)
})

test('in a large tenant the rarest words select candidates, and the top result stays the same', async () => {
  const small = await client.query<{ chunk_id: string; score: number }>(BY_KEYWORD)
  const large = await client.query<{ chunk_id: string; score: number }>(BY_KEYWORD.replace('2000', '50000'))

  assert.equal(large.rows[0]?.chunk_id, small.rows[0]?.chunk_id)
  assert.equal(new Set(large.rows.map(({ chunk_id }) => chunk_id)).size, 100)
  assert.ok(
    large.rows.every(({ score }, i) => score > 0 && score <= (large.rows[i - 1]?.score ?? Number.POSITIVE_INFINITY)),
  )
})

test('without the function, row security prevents use of the index', async () => {
  const { plan } = await planOf(`select count(*) from chunks where terms && search_terms('house 17')`)

  hasNot(plan, /chunks_terms/)
})

test("searches a small tenant through its space index and reads no other tenant's rows", async () => {
  const filters = [null, null, null, null, null]
  const { plan, rows } = await planOf(NEAREST.text, [TENANT, null, SPACE, vectorOf(1), ...filters, 100])

  assert.equal(rows.length, 100)
  has(plan, /(Index Scan using|Bitmap Index Scan on) chunk_vectors_by_space/)
  hasNot(plan, /Seq Scan on chunk_vectors|Rows Removed by/)
})

test('the nearest come first, whichever plan PostgreSQL chooses', async () => {
  const values = [TENANT, null, SPACE, vectorOf(1), null, null, null, null, null, 100]
  const exact = await client.query<{ uuid: string }>(
    `select chunk_id as uuid from chunk_vectors where tenant_id = $1 and space_id = $2 order by vector <#> $3::halfvec limit 100`,
    [TENANT, SPACE, vectorOf(1)],
  )
  await client.query('begin')
  await client.query('set local enable_nestloop = off')
  const joined = await client.query<{ uuid: string }>(NEAREST.text, values)
  await client.query('rollback')

  assert.deepEqual(
    joined.rows.map(({ uuid }) => uuid),
    exact.rows.map(({ uuid }) => uuid),
  )
})

test('searches a large tenant through the graph with high recall', async () => {
  const values = [SPACE, vectorOf(2)]
  const { plan, rows } = await planOf(
    `select chunk_id from search_graph($1, $2, false, null, null, null, null, 50)`,
    values,
  )
  const exact = await client.query<{ chunk_id: string }>(
    `select chunk_id from chunk_vectors where space_id = $1 order by vector <#> $2::halfvec limit 50`,
    values,
  )
  const found = new Set((rows as { chunk_id: string }[]).map(({ chunk_id }) => chunk_id))
  const both = exact.rows.filter(({ chunk_id }) => found.has(chunk_id)).length

  has(plan, /Index Scan using chunk_vectors_graph/)
  assert.ok(both >= 47, `${both} of 50`)
})

test('the function searches only the current tenant and fails without one', async () => {
  await client.query('begin')
  await client.query(`select set_config('app.tenant', md5('t1')::uuid::text, true)`)
  const foreign = await client.query(
    `select * from search_chunks((select array_agg(t) from chunk_terms($1, 'english', 'lease house') c, unnest(c.terms) t), 2000, 3, null, null, null, null, null, 100)`,
    [TENANT],
  )
  await client.query(`select set_config('app.tenant', '', true)`)
  const none = client.query(BY_KEYWORD)
  await assert.rejects(none, { code: 'OC001' })
  await client.query('rollback')

  assert.equal(foreign.rowCount, 0)
})

test('in a large tenant, a selective filter is searched exactly and a broad one through the graph', async (t) => {
  const admin = new pg.Client({ connectionString: database.admin_url! })
  const db = openDatabase(database.app_url, 2)
  await admin.connect()
  t.after(() => Promise.all([admin.end(), db.close()]))
  await admin.query('set session_replication_role = replica')
  // The graph does not hold these vectors, so only an exact search finds them.
  for (const [name, count] of [
    ['few', 300],
    ['many', EXACT_MAX + 1],
  ] as const) {
    await admin.query(
      `insert into documents (tenant_id, id, title, status, page_count, pages_ready, pages_failed, metadata, created_at, updated_at)
      select $1, md5($2 || n)::uuid, 'Own', 'ready', 1, 1, 0, jsonb_build_object('kind', $2::text), now(), now() from generate_series(0, 9) as n`,
      [TENANT, name],
    )
    await admin.query(
      `insert into chunk_vectors (tenant_id, chunk_id, space_id, document_id, vector, in_graph)
      select $1, md5($2 || 'chunk' || n)::uuid, $3, md5($2 || n % 10)::uuid, v.vector, false
      from generate_series(1, $4::int) as n cross join (select vector from chunk_vectors where tenant_id = $1 limit 1) as v`,
      [TENANT, name, SPACE, count],
    )
  }
  const space = { id: SPACE, graph: 'shared' } as const
  const search = (kind: string) =>
    rankBySimilarity(db.for(operator(TENANT, [])), space, vectorOf(3), {
      filters: { metadata: { kind } },
      most: 200,
      also: ACTIVE_SPACE,
    })

  const [few, many, none] = [await search('few'), await search('many'), await search('none')]

  assert.deepEqual(
    [few, many, none].map(({ ranked }) => ranked.length),
    [200, 0, 0],
  )
})
