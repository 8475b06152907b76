import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Octavo } from '@octavo/sdk'
import { sql } from '../../db/statement.ts'
import { operator } from '../../lib/caller.ts'
import { uuidOf } from '../../lib/ids.ts'
import { suspendTenant } from '../../tenants/tenants.service.ts'
import { startApi } from '../../testing/api.ts'
import { ask, failed, summaryOf } from '../../testing/ask.ts'

const api = await startApi({ after })
const { owner, owner_key, owner_tenant, newKey, newTenant, url } = api

const clientOf = (secret: string): Octavo => new Octavo({ base_url: url, api_key: secret, max_retries: 0 })
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

/** The first time that a call fails: other processes and caches may lag a moment. */
async function untilRefused(client: Octavo, within_ms: number): Promise<void> {
  const until = Date.now() + within_ms
  for (;;) {
    const error = await client.capabilities.get().then(
      () => null,
      (thrown: unknown) => thrown as { code: string },
    )
    if (error) return assert.equal(error.code, 'invalid_token')
    assert.ok(Date.now() < until, `the key still works after ${within_ms} ms`)
    await sleep(10)
  }
}

test('shows a secret once, when the key is created', async () => {
  const { data: key, response } = await owner.apiKeys
    .create({ name: 'Import', scopes: ['documents:read'] })
    .withResponse()

  const again = await owner.apiKeys.get(key.id)
  const listed = await owner.apiKeys.list({ limit: 100 })

  assert.match(key.secret, /^oct_key_[0-9A-Za-z]{46}$/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(key.key_preview, `${key.secret.slice(0, 12)}…${key.secret.slice(-4)}`)
  assert.ok(!('secret' in again))
  assert.ok(!JSON.stringify(listed).includes(key.secret))
  assert.deepEqual((await clientOf(key.secret).documents.list()).data, (await owner.documents.list()).data)
})

test('a key shows its creator and its rights', async () => {
  const key = await owner.apiKeys.create({ name: 'Import', scopes: ['documents:read'], metadata: { team: 'legal' } })
  const maker = (await owner.apiKeys.list({ limit: 100 })).data.find(({ created_by }) => created_by === null)

  assert.equal(key.created_by, maker?.id)
  assert.deepEqual(
    [key.scopes, key.project_ids, key.expires_at, key.last_used_at],
    [['documents:read'], null, null, null],
  )
  await assert.rejects(clientOf(key.secret).documents.create({ title: 'x' }), { code: 'insufficient_scope' })
})

test('a key records its last use to the minute without a new version', async () => {
  const { id, client } = await newKey(owner_tenant)
  const before = await owner.apiKeys.get(id).withResponse()

  await client.capabilities.get()
  let used = await owner.apiKeys.get(id).withResponse()
  for (let i = 0; i < 100 && used.data.last_used_at === null; i++) {
    await sleep(20)
    used = await owner.apiKeys.get(id).withResponse()
  }

  assert.equal(before.data.last_used_at, null)
  assert.match(used.data.last_used_at!, /:00\.000Z$/)
  assert.ok(Math.abs(Date.parse(used.data.last_used_at!) - Date.now()) < 120_000)
  assert.equal(used.response.headers.get('etag'), before.response.headers.get('etag'))
  assert.equal(used.data.updated_at, before.data.updated_at)
})

test('a revoked key stops working at once and is not found', async () => {
  const { id, client } = await newKey(owner_tenant)
  await client.capabilities.get()

  await owner.apiKeys.remove(id)

  await untilRefused(client, 1_000)
  await assert.rejects(owner.apiKeys.get(id), { code: 'not_found' })
  await assert.rejects(owner.apiKeys.remove(id), { code: 'not_found' })
})

test('a key may revoke itself', async () => {
  const { id, client } = await newKey(owner_tenant)

  await client.apiKeys.remove(id)

  await untilRefused(client, 1_000)
})

test('a key stops working when it expires, even while in use', async () => {
  const key = await owner.apiKeys.create({ name: 'Brief', scopes: ['documents:read'], expires_at: inSeconds(0.7) })
  const client = clientOf(key.secret)

  await client.capabilities.get()

  await untilRefused(client, 2_000)
  assert.ok(Date.now() >= Date.parse(key.expires_at!))
})

test('refuses an expiry in the past and normalizes its format', async () => {
  const past = await failed(
    owner.apiKeys.create({ name: 'Late', scopes: ['documents:read'], expires_at: inSeconds(-1) }),
  )
  const key = await owner.apiKeys.create({
    name: 'Far',
    scopes: ['documents:read'],
    expires_at: '2036-01-02T03:04:05.6789+23:30',
  })

  assert.deepEqual(summaryOf(past), [422, 'expires_at too_small'])
  assert.equal(key.expires_at, '2036-01-01T03:34:05.679Z')
})

test('a new secret replaces the old one at once or after an overlap', async () => {
  const first = await owner.apiKeys.create({ name: 'Import', scopes: ['documents:read'] })
  await clientOf(first.secret).capabilities.get()

  const { data: second, response } = await owner.apiKeys.rotate(first.id).withResponse()
  await untilRefused(clientOf(first.secret), 1_000)
  const third = await owner.apiKeys.rotate(first.id, { overlap_seconds: 1 })
  await clientOf(second.secret).capabilities.get()
  await clientOf(third.secret).capabilities.get()
  await untilRefused(clientOf(second.secret), 3_000)
  await clientOf(third.secret).capabilities.get()

  assert.deepEqual([second.id, third.id], [first.id, first.id])
  assert.equal(new Set([first.secret, second.secret, third.secret]).size, 3)
  assert.equal(response.status, 201)
  assert.equal(response.headers.get('location'), `${api.url}/api/v1/api-keys/${first.id}`)
  assert.equal((await owner.apiKeys.get(first.id)).key_preview, third.key_preview)
})

test('a later rotation never extends the time of an old secret', async () => {
  const first = await owner.apiKeys.create({ name: 'Import', scopes: ['documents:read'] })

  await owner.apiKeys.rotate(first.id, { overlap_seconds: 1 })
  await owner.apiKeys.rotate(first.id, { overlap_seconds: 600 })

  await untilRefused(clientOf(first.secret), 3_000)
})

test('a repeated creation returns the same secret, but only to the same caller', async () => {
  const other = await newKey(owner_tenant)
  const create = (client: Octavo) =>
    client.apiKeys.create({ name: 'Import', scopes: ['documents:read'] }, { idempotency_key: 'one-key' }).withResponse()

  const first = await create(owner)
  const again = await create(owner)
  const others = await create(other.client)

  assert.deepEqual(again.data, first.data)
  assert.equal(again.response.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.response.headers.get('cache-control'), 'no-store')
  assert.notEqual(others.data.secret, first.data.secret)
})

test('stores no secret in readable form', async () => {
  const key = await owner.apiKeys.create({ name: 'Import', scopes: ['documents:read'] }, { idempotency_key: 'stored' })
  const rotated = await owner.apiKeys.rotate(key.id, { overlap_seconds: 60 }, { idempotency_key: 'stored' })
  const db = api.app.db.for(operator(uuidOf('ten', owner_tenant), []))

  for (const table of ['api_keys', 'key_secrets', 'events', 'idempotency_keys']) {
    const rows = await db.rows<{ row: string }>(sql(`select t::text as row from ${table} t where tenant_id = $1`))
    const text = rows.map(({ row }) => row).join('\n')

    assert.ok(rows.length > 1, `${table} is empty`)
    for (const secret of [key.secret, rotated.secret, owner_key]) {
      assert.ok(!text.includes(secret), `${table} holds a secret`)
      assert.ok(!text.includes(Buffer.from(secret).toString('hex')), `${table} holds the bytes of a secret`)
    }
  }
})

test('the keys of a suspended tenant do not work', async () => {
  const { tenant, client } = await newTenant()
  await client.capabilities.get()

  await suspendTenant(api.app.system, tenant, true)
  await untilRefused(client, 1_000)
  await assert.rejects(client.capabilities.get(), {
    code: 'invalid_token',
    status: 401,
    message: 'The tenant of this key is suspended. Ask the operator of this server to resume it.',
  })
  await suspendTenant(api.app.system, tenant, false)
  await client.capabilities.get()
})

test('accepts only a bearer key in the Authorization header', async () => {
  for (const asking of [
    { key: null },
    { key: null, headers: { authorization: `Basic ${Buffer.from(`x:${owner_key}`).toString('base64')}` } },
    { key: null, headers: { cookie: `api_key=${owner_key}` } },
    { key: `${owner_key}x` },
    { key: owner_key.toLowerCase() },
    { key: '' },
  ])
    assert.equal((await ask(api, '/api/v1/capabilities', asking)).status, 401)
  assert.equal((await ask(api, `/api/v1/capabilities?api_key=${owner_key}`, { key: null })).status, 401)
  assert.equal(
    (await ask(api, '/api/v1/capabilities', { key: null, headers: { authorization: `bearer ${owner_key}` } })).status,
    200,
  )
})
