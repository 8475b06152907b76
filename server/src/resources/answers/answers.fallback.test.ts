import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { updateBudget } from '../../tenants/tenants.service.ts'
import { startApi } from '../../testing/api.ts'
import { startProvider } from '../../testing/provider.ts'

const provider = await startProvider()
const dir = await mkdtemp(join(tmpdir(), 'octavo-models-'))
after(() => Promise.all([provider.close(), rm(dir, { recursive: true })]))
const writer = {
  id: 'writer',
  provider: 'stub',
  model: 'writer',
  kind: 'generator',
  context_tokens: 8_000,
  timeout_seconds: 1,
  price: { input: 1_000_000, output: 1_000_000 },
}
const catalogue = {
  providers: [{ id: 'stub', base_url: provider.url, locality: 'remote' }],
  models: [writer],
  defaults: { generator: 'writer' },
}
const file = join(dir, 'models.json')
await writeFile(file, JSON.stringify(catalogue))
const { app, newTenant } = await startApi({ after }, { MODELS_FILE: file })
const { tenant, client } = await newTenant()
const { id: lease } = await client.documents.createAndWait({
  title: 'Lease',
  source: { type: 'text', text: 'Rent is due on the third day of each month, in advance.' },
})
const question = 'When is the rent due?'

test('the built-in engine answers if the default model does not respond in time', async () => {
  provider.behave('writer', 'hangs')

  const answer = await client.answers.create({ question, document_ids: [lease] })

  assert.deepEqual([answer.status, answer.method, answer.is_answered], ['succeeded', 'extractive', true])
  assert.deepEqual(answer.warnings, ["The model 'writer' did not respond in time, so the built-in engine answered."])
})

test('the built-in engine answers if the budget is too low for the default model', async () => {
  await updateBudget(app.system, tenant, 1)
  const before = provider.calls('writer')

  const answer = await client.answers.create({ question, document_ids: [lease], cache: 'bypass' })

  assert.deepEqual([answer.status, answer.method, answer.is_answered], ['succeeded', 'extractive', true])
  assert.match(answer.warnings.join(), /would exceed the tenant's daily budget, so the built-in engine/)
  assert.equal(provider.calls('writer'), before)
})

test('a named model fails with budget_exceeded instead', async () => {
  const answer = await client.answers.create({ question, document_ids: [lease], model: 'writer' })

  assert.deepEqual([answer.status, answer.error?.code], ['failed', 'budget_exceeded'])
})
