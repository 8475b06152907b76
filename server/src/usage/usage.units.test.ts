import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Octavo } from '@octavo/sdk'
import pg from 'pg'
import { startApi } from '../testing/api.ts'
import { failed } from '../testing/ask.ts'
import { change, until } from '../testing/jobs.ts'
import { startProvider } from '../testing/provider.ts'
import { weightsDir } from '../testing/weights.ts'

const provider = await startProvider({ retry_after_seconds: 1 })
after(() => provider.close())
const env = {
  OCTAVO_MODELS_DIR: weightsDir(),
  CHAT_BASE_URL: provider.url,
  CHAT_MODEL: 'writer',
  CHAT_LOCALITY: 'remote',
  TIER_ENTERPRISE: 'ai_units_per_hour:12',
}
const { app, database, owner, newKey, newTenant } = await startApi({ after }, env)

const TEXT = 'Rent is 1,200 a month. It is due on the third day of each month.'
const leftOf = async (client: Octavo): Promise<number> => (await client.rateLimits.get('tenant')).policies[0]!.remaining
const labels = [{ name: 'money' }, { name: 'animals' }]
const built_in = { text: TEXT, model: 'built_in_text' }

test('AI units depend on the kind of outcome and on each ten pages', async () => {
  const { client } = await newTenant('free')
  const pages = Array.from({ length: 11 }, (_, i) => ({ text: `${TEXT} Page ${i}.` }))
  const document = await client.documents.createAndWait({ title: 'Lease', source: { type: 'pages', pages } })
  const seen = [await leftOf(client)]
  const weigh = async (work: Promise<unknown>): Promise<void> => {
    await work
    seen.push(await leftOf(client))
  }

  await weigh(client.embeddings.create({ inputs: [TEXT] }))
  await weigh(client.classifications.create({ text: TEXT, labels }))
  await weigh(client.summaries.create(built_in))
  await weigh(client.searches.create({ query: 'rent' }))
  await weigh(client.answers.create({ question: 'When is the rent due?', model: 'built_in_text' }))
  await weigh(client.analysis.create(document.id, { features: ['language'] }))
  await weigh(client.analysis.create(document.id, { features: ['language'], page_range: { first: 3, last: 4 } }))

  assert.deepEqual(seen, [100, 99, 97, 92, 91, 86, 66, 56])
})

test('returns the AI limit headers only if units were charged', async () => {
  const { client } = await newTenant('free')

  const weighed = await client.summaries.create(built_in).withResponse()
  const known = await client.summaries.create(built_in).withResponse()

  assert.equal(weighed.response.headers.get('ratelimit-policy'), '"requests";q=300;w=60, "ai";q=100;w=3600')
  assert.match(weighed.response.headers.get('ratelimit')!, /^"requests";r=\d+;t=\d+, "ai";r=95;t=180$/)
  assert.equal(known.data.cache, 'hit')
  assert.equal(known.response.headers.get('ratelimit-policy'), '"requests";q=300;w=60')
})

test('repeated and cached requests cost no units', async () => {
  const { client } = await newTenant('free')
  const ask = () => client.summaries.create({ ...built_in, cache: 'bypass' }, { idempotency_key: 'once' })

  const [first, second] = [await ask(), await ask()]
  const again = await client.summaries.create(built_in)

  assert.deepEqual([second.id, again.cache], [first.id, 'hit'])
  assert.equal(await leftOf(client), 95)
})

test("returns Retry-After if a tenant's hourly units are used up, for any of its keys", async () => {
  const { client, tenant } = await newTenant('enterprise')
  const { client: other } = await newKey(tenant)
  for (let i = 0; i < 2; i++) await client.summaries.create({ text: `${TEXT} ${i}.`, model: 'built_in_text' })

  const refused = await failed(other.summaries.create({ text: `${TEXT} More.`, model: 'built_in_text' }))
  const small = await other.embeddings.create({ inputs: ['One'] })

  assert.deepEqual([refused.status, refused.code], [429, 'rate_limit_exceeded'])
  assert.deepEqual(
    refused.details.map(({ field, location, code }) => [field, location, code]),
    [['ai', 'limit', 'quota_exceeded']],
  )
  const seconds = Number(refused.headers?.get('retry-after'))
  assert.ok(seconds > 850 && seconds <= 900, `three units at one in five minutes, not ${seconds} s`)
  assert.match(refused.headers?.get('ratelimit') ?? '', new RegExp(`"ai";r=2;t=${seconds}$`))
  assert.equal(small.status, 'succeeded', 'what is left is enough for less')
  assert.equal((await client.summaries.list()).data.length, 2)
})

test('a request above the whole quota costs the whole quota, so that it can still run', async () => {
  const { client } = await newTenant('enterprise')
  const pages = Array.from({ length: 30 }, (_, i) => ({ text: `${TEXT} Page ${i}.` }))
  const document = await client.documents.createAndWait({ title: 'Lease', source: { type: 'pages', pages } })

  const analysis = await client.analysis.create(document.id, { features: ['language'] })

  assert.deepEqual([analysis.status, await leftOf(client)], ['succeeded', 0])
})

test('a job that fails through a server or model error returns its units once', async () => {
  const { client, tenant } = await newTenant('free')
  provider.behave('writer', 'throttles_until')
  const { id, job_id } = await client.summaries.create({ text: TEXT, style: 'abstract' }, { wait_seconds: 0 })
  const fail = async () => {
    await until(
      async () => (await client.jobs.get(job_id!, {}, { wait_seconds: 0 })).waiting_reason === 'provider_throttled',
    )
    // The operator takes the model away while the job waits for it.
    await change(
      app,
      tenant,
      `update jobs set payload = payload || '{"model":"gone"}' where tenant_id = $1 and place is not null`,
    )
    await client.jobs.wait(job_id!)
    return client.summaries.get(id)
  }
  const taken = await leftOf(client)

  const failure = await fail()
  await until(async () => (await leftOf(client)) === 100)

  provider.behave('writer', 'refuses')
  const refused = await client.summaries.create({ text: TEXT, style: 'abstract' })

  assert.deepEqual([taken, failure.status, failure.error?.code], [95, 'failed', 'model_unavailable'])
  assert.deepEqual([refused.error?.code, await leftOf(client)], ['content_refused', 95], 'a refusal is an answer')
})

test('a request that fails returns its units', async () => {
  const { client } = await newTenant('free')
  await client.documents.createAndWait({ title: 'Lease', source: { type: 'text', text: TEXT } })
  const admin = new pg.Client({ connectionString: database.owner_url })
  await admin.connect()
  const rename = (from: string, to: string) => admin.query(`alter table ${from} rename to ${to}`)

  await rename('chunks', 'chunks_elsewhere')
  const errors = [
    await failed(client.answers.create({ question: 'When is the rent due?', model: 'built_in_text' })),
    await failed(client.searches.create({ query: 'rent' })),
  ]
  await rename('chunks_elsewhere', 'chunks')
  await admin.end()

  assert.deepEqual(
    errors.map(({ status }) => status),
    [500, 500],
  )
  assert.equal(await leftOf(client), 100)
})

test('the self_hosted tier has no AI unit limit', async () => {
  const { response } = await owner.summaries.create(built_in).withResponse()

  assert.doesNotMatch(response.headers.get('ratelimit-policy')!, /"ai"/)
})
