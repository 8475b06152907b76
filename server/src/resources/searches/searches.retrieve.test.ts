import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { operator } from '../../lib/caller.ts'
import { uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { change, until } from '../../testing/jobs.ts'
import { findChunks, type RetrievalOptions } from './searches.retrieve.ts'

const models_dir = process.env.OCTAVO_MODELS_DIR
assert.ok(models_dir, 'OCTAVO_MODELS_DIR must name the directory with the weights. See CONTRIBUTING.md.')
const { app, owner, owner_tenant, otherTenant, newTenant } = await startApi(
  { after },
  { OCTAVO_MODELS_DIR: models_dir },
)

const text = (value: string) => ({ type: 'text', text: value }) as const
const write = (title: string, value: string, more: object = {}) =>
  owner.documents.createAndWait({ title, source: text(value), ...more })
async function find(
  asked: Partial<RetrievalOptions> & { query: string },
  tenant = owner_tenant,
  projects: string[] | null = null,
) {
  const caller = { ...operator(uuidOf('ten', tenant), []), projects: projects?.map((id) => uuidOf('proj', id)) ?? null }
  return findChunks(app, app.db.for(caller), {
    mode: 'hybrid',
    limit: 10,
    signal: AbortSignal.timeout(20_000),
    ...asked,
  })
}
const documentsOf = ({ hits }: Awaited<ReturnType<typeof find>>): string[] => [
  ...new Set(hits.map(({ document_id }) => document_id)),
]

const project = await owner.projects.create({ name: 'Leases' })
const lease = await write('Lease', 'The tenant pays the rents of 1,200 euros on the first day of every month.', {
  project_id: project.id,
})
const pets = await write('House rules', 'Dogs and cats may be kept in the flat if no neighbour complains about them.', {
  metadata: { kind: 'rules' },
})
const german = await write(
  'Mietvertrag',
  'Die Mieterin überweist die Mieten bis zum dritten Werktag eines Monats auf das Konto der Vermieterin.',
)
const japanese = await write('契約', '借主は毎月末日までに翌月分の賃料を支払うものとする。契約は一年ごとに更新される。')

test('finds inflected words by language and highlights them', async () => {
  const english = await find({ query: 'When is rent paid?', mode: 'keyword' })
  const [hit] = english.hits

  assert.equal(hit?.document_id, lease.id)
  const points = [...hit.text]
  assert.deepEqual(
    hit.highlights.map(({ start, end }) => points.slice(start, end).join('')),
    ['rents'],
  )
  assert.deepEqual(documentsOf(await find({ query: 'Miete', mode: 'keyword' })), [german.id])
  assert.deepEqual(documentsOf(await find({ query: '賃料', mode: 'keyword' })), [japanese.id])
  assert.deepEqual(documentsOf(await find({ query: 'xylophone', mode: 'keyword' })), [])
})

test('a result contains the title, external id and metadata of its document', async () => {
  const external_id = 'lighthouse-7'
  const metadata = { kind: 'logbook' }
  await write('Logbook', 'The keeper polished the brass lantern before dusk.', { external_id, metadata })

  const { results } = await owner.searches.create({ query: 'brass lantern', mode: 'keyword' })

  assert.deepEqual(results[0]?.document, { title: 'Logbook', external_id, metadata })
})

test('finds passages by meaning without a common word and returns each score separately', async () => {
  const semantic = await find({ query: 'Are animals allowed?', mode: 'semantic' })
  const hybrid = await find({ query: 'Are animals allowed in the flat?' })

  assert.equal(semantic.hits[0]?.document_id, pets.id)
  assert.ok(semantic.hits[0].scores.semantic! > 0.2)
  assert.deepEqual([semantic.hits[0].scores.keyword, semantic.hits[0].scores.fused], [null, null])
  assert.equal(hybrid.hits[0]?.document_id, pets.id)
  assert.ok(hybrid.hits[0].scores.fused === hybrid.hits[0].score && hybrid.hits[0].scores.keyword! > 0)
  assert.ok(hybrid.spendings[0]!.spent.input_tokens > 3)
  assert.deepEqual(hybrid.warnings, [])
})

test("a search respects its filters and the caller's access", async () => {
  const all = { query: 'rent tenant flat month' }

  assert.deepEqual(documentsOf(await find({ ...all, project_id: project.id })), [lease.id])
  assert.deepEqual(documentsOf(await find({ ...all, document_ids: [pets.id] })), [pets.id])
  assert.deepEqual(documentsOf(await find({ ...all, filters: { metadata: { kind: 'rules' } } })), [pets.id])
  assert.deepEqual(documentsOf(await find({ ...all, filters: { created_after: '2200-01-01T00:00:00Z' } })), [])
  assert.ok(documentsOf(await find({ ...all, filters: { created_before: '2200-01-01T00:00:00Z' } })).length > 2)
  assert.deepEqual(documentsOf(await find(all, owner_tenant, [project.id])), [lease.id])
  assert.deepEqual(documentsOf(await find(all, owner_tenant, [])), [])
  assert.ok(otherTenant)
  assert.deepEqual(documentsOf(await find(all, (await newTenant()).tenant)), [])
})

test('the document title counts for every passage', async () => {
  const { id } = await write(
    'Zanzibar expedition',
    'The ship left the harbour at noon and reached open water in the evening.',
  )

  const { hits } = await find({ query: 'zanzibar', mode: 'keyword' })

  assert.deepEqual([hits[0]?.document_id, hits[0]?.highlights], [id, []])
})

test('a document is found by its new title', async () => {
  const { id } = await write('Walrus', 'The ship left the harbour at noon and reached open water in the evening.')
  await owner.documents.update(id, { title: 'Hippopotamus' })

  await until(
    async () => documentsOf(await find({ query: 'hippopotamus', mode: 'keyword' }))[0] === id,
    'the new title was found',
  )
  assert.deepEqual(documentsOf(await find({ query: 'walrus', mode: 'keyword' })), [])
  await until(
    async () => (await change(app, owner_tenant, 'select from embedding_gaps where tenant_id = $1')).length === 0,
  )
})

test('finds a corrected page by its current text, and a deleted document not at all', async () => {
  const { id } = await write('Note', 'The caretaker lives in the cellar.')
  const page = (await owner.pages.list(id)).data[0]!
  await owner.pages.update(id, page.id, { text: 'The gardener waters the orchids on Sundays.' })

  const corrected = await find({ query: 'Who takes care of flowers?', mode: 'semantic' })
  const gone = await find({ query: 'caretaker cellar', mode: 'keyword' })
  assert.deepEqual([corrected.hits[0]?.document_id, gone.hits], [id, []])
  assert.match(corrected.hits[0]!.text, /orchids/)

  await owner.documents.remove(id)
  for (const mode of ['keyword', 'semantic', 'hybrid'] as const)
    assert.ok(!documentsOf(await find({ query: 'gardener orchids', mode })).includes(id), mode)
})

test('adds missing vectors of a page in the background', async () => {
  const { id } = await write('Report', 'The lighthouse keeper counted seventeen whales in the bay.')
  await change(app, owner_tenant, 'delete from chunk_vectors where tenant_id = $1 and document_id = $3', [
    uuidOf('doc', id),
  ])
  const query = { query: 'marine mammals seen near the coast', mode: 'semantic' } as const
  assert.ok(!documentsOf(await find(query)).includes(id))

  await change(
    app,
    owner_tenant,
    `insert into embedding_gaps (tenant_id, space_id, document_id) select $1, id, $3 from embedding_spaces where tenant_id = $1 and status = 'active'`,
    [uuidOf('doc', id)],
  )

  await until(async () => documentsOf(await find(query))[0] === id, 'the gap was closed')
  await until(
    async () => (await change(app, owner_tenant, 'select from embedding_gaps where tenant_id = $1')).length === 0,
  )
})

test('accepts a query of only stop words or symbols', async () => {
  for (const query of ['the of and', '!!!', "'; drop table chunks; --", '\\ " & | ! ( ) : *', '😀', 'a'.repeat(2_000)])
    assert.ok(Array.isArray((await find({ query })).hits), query)
})
