import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { api as contract, operations } from '@octavo/contract'
import { startApi } from '../../testing/api.ts'
import { ask, failed } from '../../testing/ask.ts'

const env = { MAX_JSON_BYTES: '5000000', TIER_FREE: 'concurrent_requests:7', TIER_ENTERPRISE: 'requests_per_minute:20' }
const api = await startApi({ after }, env)
const { owner, newKey, newTenant, url } = api

test('any key may read the capabilities', async () => {
  const { tenant } = await newTenant()
  const { client } = await newKey(tenant, { scopes: ['events:read'] })

  const capabilities = await client.capabilities.get()

  assert.match(capabilities.version, /^\d+\.\d+\.\d+/)
  assert.deepEqual(capabilities.api_versions, ['v1'])
  assert.ok(capabilities.formats.includes('application/pdf'))
  assert.ok(capabilities.formats.includes('text/plain'))
  assert.deepEqual([capabilities.limits.json_bytes, capabilities.limits.large_json_bytes], [1_048_576, 5_000_000])
  assert.equal(capabilities.limits.pages_per_document, 2_000)
  assert.equal(capabilities.limits.list_items, 100)
  for (const resource of Object.keys(contract)) assert.ok(capabilities.features.includes(resource))
})

test('the advertised JSON body limits match the endpoints', async () => {
  const { limits } = await owner.capabilities.get()
  const isTooLarge = async (path: string, length: number): Promise<boolean> =>
    (await ask(api, path, { method: 'POST', body: '{}'.padEnd(length) })).status === 413

  for (const [path, most] of [
    ['/api/v1/summaries', limits.json_bytes!],
    ['/api/v1/documents', limits.large_json_bytes!],
  ] as const)
    assert.deepEqual([await isTooLarge(path, most), await isTooLarge(path, most + 1)], [false, true], path)
})

test("the OpenAPI description lists every operation and the server's own URL", async () => {
  const description = (await owner.openapi.get()) as unknown as {
    openapi: string
    servers: { url: string }[]
    paths: Record<string, Record<string, unknown>>
  }

  assert.match(description.openapi, /^3\.1/)
  assert.equal(description.servers[0]?.url, `${url}/api/v1`)
  for (const { endpoint } of operations) assert.ok(description.paths[endpoint.path]?.[endpoint.method.toLowerCase()])
})

test('a read lowers the remaining limit by one and a write by five', async () => {
  const { client } = await newTenant('standard')
  const remaining = async (): Promise<number> => {
    const { policies } = await client.rateLimits.get('principal')
    return policies.find(({ name }) => name === 'requests')!.remaining
  }

  const first = await remaining()
  const second = await remaining()
  await client.projects.create({ name: 'x' })
  const third = await remaining()

  assert.ok(first >= 2_998 && first <= 3_000)
  // The bucket refills by fifty units a second, but never beyond what leases of this process hold.
  assert.ok(second <= first)
  assert.ok(third < second)
})

test("the limits are those of the tenant's tier", async () => {
  const { client } = await newTenant('free')

  const { data } = await client.rateLimits.list()
  const { response } = await client.capabilities.get().withResponse()

  assert.equal(data.length, 2)
  assert.deepEqual([data[0]!.id, data[0]!.object, data[0]!.tier], ['principal', 'rate_limit', 'free'])
  assert.deepEqual(
    data[0]!.policies.map(({ name, quota, window_seconds }) => [name, quota, window_seconds]),
    [
      ['requests', 300, 60],
      ['concurrent', 7, 0],
    ],
  )
  assert.equal(data[0]!.policies[1]!.remaining, 6)
  assert.equal(response.headers.get('ratelimit-policy'), '"requests";q=300;w=60')
  assert.match(response.headers.get('ratelimit')!, /^"requests";r=29\d;t=\d$/)
  assert.deepEqual(data[1], await client.rateLimits.get('tenant'))
  assert.deepEqual(data[1].policies, [
    { name: 'ai', quota: 100, window_seconds: 3600, remaining: 100, reset_seconds: 0 },
  ])
  await assert.rejects(
    owner.rateLimits.get('tenant'),
    { code: 'not_found' },
    'on one’s own machine nothing is rationed',
  )
  await assert.rejects(client.rateLimits.get('other'), { code: 'not_found' })
})

test('returns Retry-After to a caller over its limit and still serves others', async () => {
  const [busy, other] = [await newTenant('enterprise'), await newTenant('enterprise')]
  for (let i = 0; i < 4; i++) await busy.client.projects.create({ name: `Project ${i}` })

  const error = await failed(busy.client.projects.create({ name: 'More' }))

  assert.deepEqual([error.code, error.status], ['rate_limit_exceeded', 429])
  assert.deepEqual(
    [error.details[0]!.field, error.details[0]!.location, error.details[0]!.code],
    ['requests', 'limit', 'quota_exceeded'],
  )
  const seconds = Number(error.headers?.get('retry-after'))
  assert.ok(seconds >= 1 && seconds <= 15)
  assert.equal(error.headers?.get('ratelimit'), `"requests";r=0;t=${seconds}`)
  await other.client.projects.create({ name: 'Mine' })
})
