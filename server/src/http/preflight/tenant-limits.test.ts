// Limits of a tenant over all its keys: four times those of one key.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { ask, errorOf } from '../../testing/ask.ts'

test('all keys of a tenant together get four times the requests of one key', async (t) => {
  const api = await startApi(t, { TIER_FREE: 'requests_per_minute:10' })
  const { tenant } = await api.newTenant('free')
  const other = await api.newTenant('free')
  const keys = await Promise.all(Array.from({ length: 6 }, () => api.newKey(tenant)))

  const statuses: number[] = []
  for (const { secret } of keys)
    for (let i = 0; i < 9; i++) statuses.push((await ask(api, '/api/v1/capabilities', { key: secret })).status)
  const refused = await ask(api, '/api/v1/capabilities', { key: keys[5]!.secret })
  const apart = await ask(api, '/api/v1/capabilities', { key: other.secret })

  const passed = statuses.filter((status) => status === 200).length
  // A slow machine lets a few more pass, since the quota refills.
  assert.ok(passed >= 40 && passed < 54, `${passed} passed`)
  assert.deepEqual([refused.status, errorOf(refused).details[0]?.field, apart.status], [429, 'requests', 200])
  assert.match(String(apart.headers['ratelimit-policy']), /^"requests";q=10;w=60$/)
})
