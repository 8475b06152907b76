// Callers that go away, and work that takes too long.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { operator } from '../../lib/caller.ts'
import { uuidOf } from '../../lib/ids.ts'
import { lockDocument } from '../../resources/documents/documents.service.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { failed } from '../../testing/ask.ts'

const api = await startApi(
  { after },
  { TIER_FREE: 'requests_per_minute:100000,concurrent_requests:3', REQUEST_DEADLINE_MS: '800' },
)

/** Holds the row of a document, so that a change of it has to wait. */
async function holdDocument(at: TestApi, tenant: string, id: string): Promise<{ release(): Promise<void> }> {
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const done = at.app.db.transaction(operator(uuidOf('ten', tenant), []), async (tx) => {
    await lockDocument(tx, id)
    held.resolve()
    await released.promise
  })
  await held.promise
  return {
    async release() {
      released.resolve()
      await done
    },
  }
}

test('a change is not made if its caller has left', async () => {
  const { tenant, client } = await api.newTenant('free')
  const document = await client.documents.create({ title: 'Lease' })
  const held = await holdDocument(api, tenant, document.id)

  const leaving = new AbortController()
  const change = client.documents.update(document.id, { title: 'Contract' }, { signal: leaving.signal })
  await sleep(100)
  leaving.abort()
  await assert.rejects(change)
  await sleep(50)
  await held.release()
  await sleep(50)

  assert.equal((await client.documents.get(document.id)).title, 'Lease')
})

test('aborted calls free their slots for others', async () => {
  const { client } = await api.newTenant('free')

  for (let round = 0; round < 30; round++) {
    const leaving = new AbortController()
    const calls = [
      client.capabilities.get({}, { signal: leaving.signal }),
      client.documents.list({}, { signal: leaving.signal }),
    ]
    setTimeout(() => leaving.abort(), round % 6)
    await Promise.allSettled(calls)
  }
  await sleep(50)

  const { policies } = await client.rateLimits.get('principal')
  assert.equal(policies.find(({ name }) => name === 'concurrent')?.remaining, 2)
})

test('refuses a request that misses its deadline and rolls it back', async () => {
  const { tenant, client } = await api.newTenant('free')
  const document = await client.documents.create({ title: 'Lease' })
  const held = await holdDocument(api, tenant, document.id)

  const error = await failed(client.documents.update(document.id, { title: 'Contract' }))
  await held.release()

  assert.deepEqual([error.code, error.status], ['service_unavailable', 503])
  assert.ok(Number(error.headers?.get('retry-after')) >= 1)
  assert.equal((await client.documents.get(document.id)).title, 'Lease')
})

test('refuses more concurrent requests than the tier allows', async () => {
  const { tenant, client } = await api.newTenant('free')
  const document = await client.documents.create({ title: 'Lease' })
  const held = await holdDocument(api, tenant, document.id)

  const waiting = Array.from({ length: 3 }, () => client.documents.update(document.id, { title: 'Contract' }))
  const settled = Promise.allSettled(waiting)
  await sleep(150)
  const error = await failed(client.capabilities.get())
  await held.release()
  await settled

  assert.deepEqual([error.code, error.details[0]?.field], ['rate_limit_exceeded', 'concurrent'])
  await client.capabilities.get()
})
