import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { change } from '../../testing/jobs.ts'

const models_dir = process.env.OCTAVO_MODELS_DIR
assert.ok(models_dir, 'OCTAVO_MODELS_DIR must name the directory with the weights. See CONTRIBUTING.md.')
const { app, owner, owner_tenant, otherTenant, newTenant, url, owner_key } = await startApi(
  { after },
  { OCTAVO_MODELS_DIR: models_dir },
)

const filler = (word: string): string =>
  Array.from({ length: 30 }, (_, i) => `Sentence ${i} describes the ${word} in the harbor at length.`).join(' ')
const lease = await owner.documents.createAndWait({
  title: 'Lease',
  source: {
    type: 'pages',
    pages: [{ text: filler('crane') }, { text: 'The rent is due on the third day.' }, { text: filler('barge') }],
  },
})
await owner.documents.createAndWait({
  title: 'Rent table',
  source: {
    type: 'pages',
    pages: ['one', 'two', 'three'].map((room) => ({ text: `The rent of room ${room} is low.` })),
  },
})

test('scores range from 0 to 1 in every mode, and min_score drops lower results', async () => {
  for (const mode of ['keyword', 'semantic', 'hybrid'] as const) {
    const { results } = await owner.searches.create({ query: 'rent due on which day', mode })
    const scores = results.map(({ score }) => score)
    assert.ok(scores.length > 2 && scores.every((score) => score >= 0 && score <= 1), `${mode}: ${scores.join()}`)
    const sorted = scores.toSorted((a, b) => b - a)
    if (mode !== 'hybrid') assert.deepEqual(scores, sorted)
    assert.ok(sorted[0]! > 0.25, `${mode}: ${scores[0]}`)

    const few = await owner.searches.create({ query: 'rent due on which day', mode, min_score: sorted[1]! })
    assert.deepEqual([few.results.length, few.min_score], [scores.filter((one) => one >= sorted[1]!).length, sorted[1]])
  }
  const none = await owner.searches.create({ query: 'zebra xylophone rent', mode: 'keyword', min_score: 0.4 })
  assert.deepEqual(none.results, [])
})

test('limits the results per document', async () => {
  const query = 'rent of the room'
  const all = await owner.searches.create({ query, mode: 'keyword' })
  const one = await owner.searches.create({ query, mode: 'keyword', max_per_document: 1 })

  assert.equal(all.results.length, 4)
  assert.deepEqual([one.results.length, new Set(one.results.map(({ document_id }) => document_id)).size], [2, 2])
})

test('returns the passages around a result, also from other pages', async () => {
  const query = 'When is the rent due?'
  const { results } = await owner.searches.create({ query, neighbors: 2, document_ids: [lease.id], limit: 1 })
  const chunks = (await owner.chunks.list(lease.id, { limit: 100 })).data
  const at = chunks.findIndex(({ id }) => id === results[0]?.chunk_id)
  const textsOf = (list: readonly { text: string }[]) => list.map(({ text }) => text)

  assert.equal(results[0]?.page_number, 2)
  assert.deepEqual(textsOf(results[0].before), textsOf(chunks.slice(at - 2, at)))
  assert.deepEqual(textsOf(results[0].after), textsOf(chunks.slice(at + 1, at + 3)))
  const plain = await owner.searches.create({ query, limit: 1 })
  assert.deepEqual([plain.neighbors, plain.results[0]?.before, plain.results[0]?.after], [0, [], []])
})

const send = (body: object, key: string) =>
  fetch(`${url}/api/v1/searches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner_key}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })

test('a repeated search returns the stored one, of which there is no second copy', async () => {
  const body = { query: 'When is the rent due?', metadata: { kind: 'repeated' } }
  const first = await send(body, 'repeated-1')
  const second = await send(body, 'repeated-1')

  const headersOf = ({ status, headers }: Response) => [status, headers.get('location'), headers.get('etag')]
  assert.deepEqual(headersOf(second), headersOf(first))
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  const search = (await first.json()) as { id: string }
  assert.deepEqual(await second.json(), search)
  assert.deepEqual({ ...(await owner.searches.get(search.id)) }, search)
  const copies = `select from idempotency_keys where tenant_id = $1 and location like $3 and body is not null`
  assert.deepEqual(await change(app, owner_tenant, copies, [`%${search.id}`]), [])
})

test('a repeated search runs again if it was deleted with a document that it found', async () => {
  const text = 'The quokka enclosure opens at nine.'
  const { id } = await owner.documents.createAndWait({ title: 'Zoo', source: { type: 'text', text } })
  const body = { query: 'quokka enclosure', mode: 'keyword' }
  const first = (await (await send(body, 'deleted-1')).json()) as { id: string; results: unknown[] }
  await owner.documents.remove(id)

  const second = await send(body, 'deleted-1')
  const third = await send(body, 'deleted-1')

  assert.equal(second.status, 201)
  assert.equal(second.headers.get('idempotent-replayed'), null)
  const search = (await second.json()) as { id: string; results: unknown[] }
  assert.notEqual(search.id, first.id)
  assert.deepEqual([first.results.length, search.results.length], [1, 0])
  assert.equal(third.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(await third.json(), search)
})

test('leaves out a document that is deleted before the search is stored', async () => {
  const text = 'The wombat enclosure opens at ten.'
  const { id } = await owner.documents.createAndWait({ title: 'Zoo', source: { type: 'text', text } })
  const transact = app.db.transaction.bind(app.db)
  app.db.transaction = async (...args) => {
    app.db.transaction = transact
    await owner.documents.remove(id)
    return transact(...args)
  }

  const search = await owner.searches.create({ query: 'wombat enclosure', mode: 'keyword' })

  assert.deepEqual(search.results, [])
  assert.deepEqual((await owner.searches.get(search.id)).results, [])
})

test('highlights follow a language that is added later', async () => {
  const tenant = await newTenant()
  const write = (text: string) => tenant.client.documents.createAndWait({ title: 'T', source: { type: 'text', text } })
  await write('The walls of the old Häuser near the harbor are painted in bright colors every other year.')
  const highlights = async (): Promise<string[]> => {
    const { results } = await tenant.client.searches.create({ query: 'harbor Haus', mode: 'keyword', limit: 10 })
    const found = results.find(({ text }) => text.includes('harbor'))
    assert.ok(found)
    return found.highlights.map(({ start, end }) => [...found.text].slice(start, end).join(''))
  }
  const before = await highlights()
  await write('Das Haus der Vermieterin steht am Ende der Straße, und die Mieter zahlen die Miete jeden Monat.')

  assert.deepEqual(before, ['harbor'])
  assert.deepEqual(await highlights(), ['Häuser', 'harbor'])
})

test('a search that is not stored leaves only its usage record', async () => {
  const body = { query: 'the unstored secret word zanzibar', store: false }
  const first = await send(body, 'unstored-1')
  const second = await send(body, 'unstored-1')
  const search = (await first.json()) as { id: string; results: unknown[] }
  const again = (await second.json()) as { id: string }

  assert.deepEqual([first.status, first.headers.get('location'), search.results.length > 0], [200, null, true])
  assert.deepEqual([second.status, second.headers.get('idempotent-replayed')], [200, null])
  assert.notEqual(again.id, search.id)
  await assert.rejects(owner.searches.get(search.id), { code: 'not_found' })
  assert.ok((await owner.searches.list()).data.every(({ query }) => query !== body.query))
  for (const table of ['outcomes', 'idempotency_keys', 'events', 'outcome_sources'])
    assert.deepEqual(
      await change(app, owner_tenant, `select from ${table} t where tenant_id = $1 and t::text like '%zanzibar%'`),
      [],
      table,
    )
  const used = await change(app, owner_tenant, `select from usage_records u where tenant_id = $1 and u::text like $3`, [
    `%search%`,
  ])
  assert.ok(used.length > 0)
  assert.ok(otherTenant)
})
