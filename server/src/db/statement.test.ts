import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { type Caller, operator } from '../lib/caller.ts'
import { newUuid, toId } from '../lib/ids.ts'
import { createDatabase } from '../testing/database.ts'
import { openDatabase } from './database.ts'
import { sql, toParameter, type Value } from './statement.ts'

const database = await createDatabase()
const db = openDatabase(database.app_url, 2)
after(async () => {
  await db.close()
  await database.drop()
})
const tenant = newUuid()
const reader = db.for(operator(tenant, []))

/** Sends a value to PostgreSQL as `type` and reads it back. */
async function echo(type: string, value: Value): Promise<unknown> {
  return (await reader.find<{ value: unknown }>(sql(`select $3::${type} as value`), [value]))!.value
}

// PostgreSQL's text holds every character but NUL, and no half surrogate pairs.
const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed())

test('text and text arrays round-trip through PostgreSQL', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text), async (values) => {
      assert.deepEqual(await echo('text[]', values), values)
      assert.equal(await echo('text', values.join('')), values.join(''))
    }),
    {
      numRuns: 200,
      examples: [[['', '"', '\\', '{}', ',', ' ', 'NULL', 'null', 'a\nb', '\t', '\\"', '}{', '😀', '\\\\']], [[]]],
    },
  )
})

test('JSON round-trips through PostgreSQL', async () => {
  const value = fc.dictionary(text, fc.oneof(text, fc.boolean(), fc.constant(null), fc.integer(), fc.array(text)))
  await fc.assert(
    fc.asyncProperty(value, async (object) => {
      assert.deepEqual(await echo('jsonb', object), JSON.parse(JSON.stringify(object)))
    }),
    { numRuns: 50 },
  )
})

test('bytes, numbers, times and null round-trip through PostgreSQL', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))

  assert.deepEqual(await echo('bytea', bytes), bytes)
  assert.deepEqual(await echo('bytea', Buffer.alloc(0)), Buffer.alloc(0))
  assert.equal(await echo('bigint', Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  assert.equal(await echo('int', -1), -1)
  assert.equal(await echo('float8', 0.1), 0.1)
  assert.equal(await echo('boolean', true), true)
  assert.equal(await echo('boolean', false), false)
  assert.equal(await echo('timestamptz(3)', new Date('2026-01-02T03:04:05.67Z')), '2026-01-02T03:04:05.670Z')
  for (const type of ['text', 'text[]', 'bigint', 'jsonb', 'bytea', 'timestamptz', 'uuid'])
    assert.equal(await echo(type, null), null)
  assert.deepEqual(await echo('bigint[]', [1, 2]), '{1,2}')
})

test('returns a uuid as the id that its column name implies', async () => {
  const id = newUuid()
  const statement = sql(
    `select $3::uuid as id, $3::uuid as document_id, $3::uuid as created_by, $3::uuid as other, array[$3::uuid] as project_ids, $1 as tenant_id`,
    'page',
  )

  assert.deepEqual(await reader.find(statement, [id]), {
    id: toId('page', id),
    document_id: toId('doc', id),
    created_by: toId('key', id),
    other: id,
    project_ids: [toId('proj', id)],
    tenant_id: toId('ten', tenant),
  })
})

test("every statement runs with its caller's tenant and projects", async () => {
  const project = newUuid()
  const statement = sql('select $1 as tenant, $2 as projects, app_tenant() as told, app_projects() as told_projects')
  const limited: Caller = { ...operator(tenant, []), projects: [project] }

  assert.deepEqual(await reader.find(statement), { tenant, projects: null, told: tenant, told_projects: null })
  assert.deepEqual(await db.for(limited).find(statement), {
    tenant,
    projects: [project],
    told: tenant,
    told_projects: [project],
  })
  assert.deepEqual(await db.for({ ...limited, projects: [] }).find(statement), {
    tenant,
    projects: [],
    told: tenant,
    told_projects: [],
  })
})

test('equal SQL shares one statement per resource', () => {
  assert.equal(sql('select 1 as id', 'doc'), sql('select 1 as id', 'doc'))
  assert.notEqual(sql('select 1 as id', 'doc'), sql('select 1 as id', 'page'))
})

test('a failed statement leaves the connection and its prepared statements usable', async () => {
  const bad = sql('select 1 / $3::int as value')
  const good = sql('select 10 / $3::int as value')

  for (let i = 0; i < 3; i++) {
    await assert.rejects(reader.find(bad, [0]), { code: '22012' })
    assert.deepEqual(await reader.find(bad, [1]), { value: 1 })
    assert.deepEqual(await reader.find(good, [2]), { value: 5 })
  }
})

test('encodes parameters for the wire protocol', () => {
  assert.equal(toParameter(['a"b', 'c\\d']), '{"a\\"b","c\\\\d"}')
  assert.equal(toParameter([]), '{}')
  assert.equal(toParameter({ a: 1 }), '{"a":1}')
  assert.equal(toParameter(true), 'true')
})
