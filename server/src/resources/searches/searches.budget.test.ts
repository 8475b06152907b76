import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { updateBudget } from '../../tenants/tenants.service.ts'
import { startApi } from '../../testing/api.ts'
import { change } from '../../testing/jobs.ts'
import { startProvider } from '../../testing/provider.ts'

const provider = await startProvider({ dimensions: 8 })
const dir = await mkdtemp(join(tmpdir(), 'octavo-models-'))
after(() => Promise.all([provider.close(), rm(dir, { recursive: true })]))
const price = { input: 1_000_000, output: 1_000_000 }
const models = [
  { id: 'near', kind: 'embedder', dimensions: 8, context_tokens: 512 },
  { id: 'sorter', kind: 'reranker', context_tokens: 512 },
  { id: 'writer', kind: 'generator', context_tokens: 8_000 },
].map((model) => ({ ...model, provider: 'stub', model: model.id, price }))
const catalogue = {
  providers: [{ id: 'stub', base_url: provider.url, locality: 'remote' }],
  models,
  defaults: { embedder: 'near' },
}
const file = join(dir, 'models.json')
await writeFile(file, JSON.stringify(catalogue))
const { app, newTenant } = await startApi({ after }, { MODELS_FILE: file })
const { tenant, client } = await newTenant()
await client.documents.createAndWait({
  title: 'Bees',
  source: { type: 'text', text: 'Honey is made by bees. It is sweet.' },
})

const listPaid = async (): Promise<string[]> => {
  const paid = `select distinct model from usage_records where tenant_id = $1 and cost_micros > 0
    and subject_object in ('search', 'answer') order by model`
  return (await change<{ model: string }>(app, tenant, paid)).map(({ model }) => model)
}
const reserved = async () => (await change(app, tenant, 'select from budget_reservations where tenant_id = $1')).length

test('a search is charged, and its reservation is released', async () => {
  await updateBudget(app.system, tenant, 100_000)

  const search = await client.searches.create({ query: 'honey', rerank: 'sorter' })

  assert.deepEqual([search.method, search.warnings, search.usage!.cost_micros > 0], ['hybrid', [], true])
  assert.equal(await reserved(), 0)
})

test('embedding the question of a generated answer is charged', async () => {
  provider.say('writer', () =>
    JSON.stringify({ is_answered: true, sentences: [{ text: 'Bees.', passages: [1], quotes: ['made by bees'] }] }),
  )
  const before = provider.calls('near')

  const answer = await client.answers.create({ question: 'Who makes honey?', model: 'writer' })

  assert.deepEqual([answer.status, answer.is_answered, provider.calls('near') - before], ['succeeded', true, 1])
  assert.deepEqual(await listPaid(), ['near', 'sorter', 'writer'])
  assert.equal(await reserved(), 0)
})

test('without budget a search calls no model and falls back to keywords with a warning', async () => {
  await updateBudget(app.system, tenant, 1)
  const before = provider.calls()

  const search = await client.searches.create({ query: 'honey', rerank: 'sorter' })

  assert.deepEqual([search.method, search.results.length, provider.calls() - before], ['keyword', 1, 0])
  assert.deepEqual(search.warnings, [
    "The rest of the daily budget is too low for the model 'near', so this was a keyword search.",
    "The rest of the daily budget is too low for the model 'sorter', so the results are not reranked.",
  ])
})

test('a model that does not respond costs nothing', async () => {
  await updateBudget(app.system, tenant, 100_000)
  provider.behave('near', 'fails')

  const search = await client.searches.create({ query: 'honey' })

  assert.deepEqual([search.method, search.usage!.cost_micros, await reserved()], ['keyword', 0, 0])
})
