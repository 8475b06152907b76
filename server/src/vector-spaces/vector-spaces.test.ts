import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ModelUnavailable } from '../ai/model.ts'
import { sql } from '../db/statement.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { startApi } from '../testing/api.ts'
import { FakeEmbedder, useEmbedders } from '../testing/fake-embedder.ts'
import { change, until } from '../testing/jobs.ts'
import { listLarge, switchIndex } from './vector-spaces.index-switch.ts'
import { changeModel, startReindexing } from './vector-spaces.service.ts'

const first = new FakeEmbedder('first', 384)
const second = new FakeEmbedder('second', 8)
const far = new FakeEmbedder('far', 16, 'remote')
const fakes = [first, second, far]

const { app, database, newTenant } = await startApi({ after }, { EXACT_SEARCH_MAX: '20' })
const defaults = useEmbedders(app, fakes)

async function startTenant() {
  const { tenant, client } = await newTenant()
  const ask = <Row>(text: string, values: string[] = []) => change<Row>(app, tenant, text, values)
  const write = (text: string, more: object = {}) =>
    client.documents.createAndWait({ title: 'T', source: { type: 'text', text }, ...more } as never)
  /** How many chunks each space lacks. */
  const missing = () =>
    ask<{
      model: string
      status: string
      missing: number
    }>(`select s.model, s.status, (select count(*) from chunks c join documents d on d.tenant_id = $1 and d.id = c.document_id and d.deleted_at is null
      where c.tenant_id = $1 and not exists (select from chunk_vectors v where v.tenant_id = $1 and v.chunk_id = c.id and v.space_id = s.id)) as missing
      from embedding_spaces s where s.tenant_id = $1 order by s.created_at`)
  return { tenant, client, ask, write, missing }
}

test("every chunk gets a vector of the space's model in the transaction that writes it", async () => {
  const { client, ask, write, missing } = await startTenant()
  const { id } = await write('One. '.repeat(700))
  await client.pages.create(id, { text: 'A page that was added.' })
  const page = (await client.pages.list(id)).data[0]!
  await client.pages.update(id, page.id, { text: 'Corrected.' })

  assert.deepEqual(await missing(), [{ model: 'first', status: 'active', missing: 0 }])
  const sizes = await ask(
    'select distinct vector_dims(vector) as dims, in_graph from chunk_vectors where tenant_id = $1',
  )
  assert.deepEqual(sizes, [{ dims: 384, in_graph: false }])
  await client.pages.remove(id, page.id)
  assert.deepEqual(await ask('select count(*) as count from chunk_vectors where tenant_id = $1'), [{ count: 1 }])
})

test('a new model takes over once all chunks have vectors, including concurrent changes', async () => {
  const { tenant, client, ask, write, missing } = await startTenant()
  const documents = await Promise.all(
    Array.from({ length: 6 }, (_, i) => write(`Number ${i}. ${'Text. '.repeat(i * 200)}`)),
  )
  second.delay_ms = 30

  await changeModel(app, uuidOf('ten', tenant), 'second')
  const page = (await client.pages.list(documents[5]!.id)).data[0]!
  await Promise.all([
    write('Written meanwhile.'),
    client.pages.update(documents[5]!.id, page.id, { text: 'Corrected meanwhile.' }),
  ])
  await until(async () => (await missing()).length === 1, 'the old space was cleared away')
  second.delay_ms = 0

  assert.deepEqual(await missing(), [{ model: 'second', status: 'active', missing: 0 }])
  assert.deepEqual(await ask('select distinct vector_dims(vector) as dims from chunk_vectors where tenant_id = $1'), [
    { dims: 8 },
  ])
  assert.ok(second.texts.some((text) => text.endsWith('Corrected meanwhile.')))
  await assert.rejects(changeModel(app, uuidOf('ten', tenant), 'second'), { code: 'invalid_state' })
})

test('an unavailable built-in embedder blocks no document, and missing vectors follow', async () => {
  const { write, missing, ask } = await startTenant()
  first.error = new ModelUnavailable('first', 'down')

  const { status } = await write('Written without a model.')

  assert.equal(status, 'ready')
  assert.deepEqual(await missing(), [{ model: 'first', status: 'active', missing: 1 }])
  first.error = null
  await startReindexing(app)
  await until(async () => (await missing())[0]!.missing === 0, 'the vector came')
  await until(
    async () => (await ask('select from embedding_gaps where tenant_id = $1')).length === 0,
    'the gap was closed',
  )
})

test('existing documents get vectors once a model is configured', async () => {
  const [some, other] = [await startTenant(), await startTenant()]
  Object.assign(app.models, { defaults: { embedder: null, labels: null, generator: null } })
  await Promise.all([some.write('Early.'), some.write('Early too.'), other.write('Early elsewhere.')])
  assert.deepEqual(await some.missing(), [])
  Object.assign(app.models, { defaults })

  // One goes on reading, the other does not.
  await some.write('Late.')
  await startReindexing(app)
  await changeModel(app, uuidOf('ten', other.tenant), 'first')

  for (const { missing, ask } of [some, other]) {
    await until(async () => (await missing())[0]?.missing === 0, 'the vectors came')
    await until(
      async () => (await ask('select from embedding_gaps where tenant_id = $1')).length === 0,
      'the gaps were closed',
    )
    assert.deepEqual(await missing(), [{ model: 'first', status: 'active', missing: 0 }])
  }
})

test('waits for an unavailable remote model and never sends it text of a local-only project', async () => {
  const { client, ask, write, missing } = await startTenant()
  await ask(
    `insert into embedding_spaces (tenant_id, id, model, model_version, dimensions, chunker, status, created_at) values ($1, $3, 'far', '1', 16, 'x', 'active', now())`,
    [crypto.randomUUID()],
  )
  const project = await client.projects.create({ name: 'Closed', privacy: 'local_only' } as never)
  await write('Stays here.', { project_id: project.id })
  assert.equal(far.texts.length, 0)

  far.error = new ModelUnavailable('far', 'throttled', { retry_after_ms: 300 })
  const writing = write('Goes there.')
  await until(
    async () =>
      (await ask<{ waiting_for: string }>(`select waiting_for from jobs where tenant_id = $1 and place = 'backoff'`))[0]
        ?.waiting_for === 'provider_throttled',
  )
  far.error = null
  const { status } = await writing

  assert.equal(status, 'ready')
  assert.deepEqual(
    far.texts.map((text) => text.split('\n').at(-1)),
    ['Goes there.'],
  )
  assert.deepEqual(await missing(), [{ model: 'far', status: 'active', missing: 1 }])
})

test('a tenant that has grown moves into the graph, and its new chunks are searchable at once', async () => {
  const { ask, write } = await startTenant()
  await write('Sentence. '.repeat(2_500))
  const graph = async () =>
    (await ask<{ graph: string }>('select graph from embedding_spaces where tenant_id = $1'))[0]!.graph
  assert.equal(await graph(), 'none')

  await startReindexing(app)
  await until(async () => (await graph()) === 'shared', 'the tenant is in the graph')
  await write('One more.')

  const rows = await ask<{ in_graph: boolean }>('select in_graph from chunk_vectors where tenant_id = $1')
  assert.ok(rows.length > 21 && rows.every(({ in_graph }) => in_graph))
})

test('a very large tenant gets a separate index, dropped after its space', async () => {
  const { tenant, ask, write } = await startTenant()
  await write('Sentence. '.repeat(300))
  const said: string[] = []
  const db = app.db.for(operator(uuidOf('ten', tenant), []))
  const owned = { ...app, config: { ...app.config, database_owner_url: database.owner_url } }

  assert.deepEqual((await listLarge(app, 2)).filter((one) => one.tenant === uuidOf('ten', tenant)).length, 1)
  await assert.rejects(
    switchIndex(owned, uuidOf('ten', tenant), () => {}, 'much'),
    /maintenance_work_mem/,
  )
  await switchIndex(owned, uuidOf('ten', tenant), (line) => said.push(line))
  await switchIndex(owned, uuidOf('ten', tenant), () => {})

  assert.match(said[0]!, /^index chunk_vectors_own_[0-9a-f]{32}$/)
  const [index] = await ask<{ options: string[] }>(
    `select reloptions as options from pg_class where relname = '${said[0]?.slice(6)}' and $1::uuid is not null`,
  )
  assert.deepEqual(index?.options, ['m=24', 'ef_construction=128'])
  assert.deepEqual(
    (await listLarge(app, 2)).filter((one) => one.tenant === uuidOf('ten', tenant)),
    [],
  )
  const [space] = await ask<{ id: string; graph: string }>(
    'select id, graph from embedding_spaces where tenant_id = $1',
  )
  assert.equal(space!.graph, 'own')
  const vector = `[${Array.from({ length: 384 }, (_, i) => (i === 0 ? 1 : 0)).join()}]`
  const found = await db.rows(
    sql('select chunk_id from search_graph($3, $4::halfvec, true, null, null, null, null, 10)'),
    [space!.id, vector],
  )
  assert.deepEqual(
    [found.length > 2, found.length],
    [true, (await ask('select from chunk_vectors where tenant_id = $1')).length],
  )
  await changeModel(app, uuidOf('ten', tenant), 'second')
  await until(
    async () => (await ask(`select from embedding_spaces where tenant_id = $1 and status <> 'active'`)).length === 0,
  )
  await until(async () => (await ask('select from embedding_spaces where tenant_id = $1')).length === 1)
  const more: string[] = []
  await switchIndex(owned, uuidOf('ten', tenant), (line) => more.push(line))
  assert.ok(more.includes(`dropped ${said[0]!.slice(6)}`), more.join())
})

test('spaces and vectors are visible only to their tenant', async () => {
  const { write } = await startTenant()
  await write('Mine.')
  const { ask } = await startTenant()

  for (const table of ['embedding_spaces', 'chunk_vectors', 'embedding_gaps', 'chunk_configs'])
    assert.deepEqual(await ask(`select 1 as one from ${table} where $1::uuid is not null`), [], table)
})
