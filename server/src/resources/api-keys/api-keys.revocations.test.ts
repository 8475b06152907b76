// Tombstones keep a restore of the database from bringing back revoked keys.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { scopeNames } from '@octavo/contract'
import { hashSecret } from '../../auth/credential.ts'
import { StorageUnavailable } from '../../files/store.ts'
import { listTombstones, type Tombstone } from '../../files/tombstones.ts'
import { operator } from '../../lib/caller.ts'
import { uuidOf } from '../../lib/ids.ts'
import { listReleased, resume, suspend } from '../../tenants/tenants.suspend.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { change, until } from '../../testing/jobs.ts'
import { sweep } from '../files/files.sweep.ts'
import { findRevived, recordPendingRevocations } from './api-keys.revocations.ts'
import { removeAllKeys, removeKey, removeRevived } from './api-keys.service.ts'

async function readTombstones({ app }: TestApi): Promise<Tombstone[]> {
  const tombstones: Tombstone[] = []
  for await (const page of listTombstones(app.files)) tombstones.push(...page)
  return tombstones
}

const rowsLeft = async ({ app, owner_tenant }: TestApi): Promise<number> =>
  (await change(app, owner_tenant, 'select id from key_ends where tenant_id = $1', [])).length

/** As a restored database would have it: the row of the key, and a secret that was made an hour ago. */
async function bringBack(api: TestApi, key: { id: string; secret: string }): Promise<void> {
  const { app, owner_tenant } = api
  await change(
    app,
    owner_tenant,
    `insert into api_keys (tenant_id, id, name, scopes, key_preview, created_at, updated_at)
    values ($1, $3, 'Back', $4, '', now(), now()) on conflict do nothing`,
    [uuidOf('key', key.id), scopeNames],
  )
  await change(
    app,
    owner_tenant,
    `insert into key_secrets (tenant_id, key_id, hash, created_at) values ($1, $3, $4, now() - interval '1 hour')
    on conflict (hash) do update set expires_at = null`,
    [uuidOf('key', key.id), hashSecret(key.secret)],
  )
}

/** Becomes true a moment after the revocation, when the process is notified. */
const isRefused = (client: TestApi['owner']): Promise<boolean> =>
  client.capabilities.get().then(
    () => false,
    (error: unknown) => (error as { code?: string }).code === 'invalid_token',
  )

const start = (t: TestContext): Promise<TestApi> => startApi(t, {}, undefined, false)

test('a revoked key gets a tombstone outside the database and is revoked again after a restore', async (t) => {
  const api = await start(t)
  const key = await api.newKey(api.owner_tenant)

  await api.owner.apiKeys.remove(key.id)
  const noted = await readTombstones(api)
  const before = await findRevived(api.app)
  await bringBack(api, key)
  await key.client.capabilities.get()
  const found = await findRevived(api.app)
  const ended = await removeRevived(api.app)

  assert.deepEqual(
    noted.map((note) => note.kind !== 'suspended' && [note.kind, note.tenant, note.key]),
    [['revoked', uuidOf('ten', api.owner_tenant), uuidOf('key', key.id)]],
  )
  assert.deepEqual(before, { keys: 0, secrets: 0, tenants: 0 })
  assert.deepEqual(found, { keys: 1, secrets: 0, tenants: 0 })
  assert.deepEqual(ended, { keys: 1, secrets: 0 })
  await until(() => isRefused(key.client))
  await api.owner.capabilities.get()
  assert.deepEqual(await findRevived(api.app), { keys: 0, secrets: 0, tenants: 0 })
  await until(async () => (await rowsLeft(api)) === 0)
})

test('a replaced secret is revoked again after a restore, and the current one still works', async (t) => {
  const api = await start(t)
  const key = await api.newKey(api.owner_tenant)
  const second = await api.owner.apiKeys.rotate(key.id, { overlap_seconds: 0 })
  const third = await api.owner.apiKeys.rotate(key.id, { overlap_seconds: 3_600 })
  assert.deepEqual(await findRevived(api.app), { keys: 0, secrets: 0, tenants: 0 })

  await bringBack(api, key)
  const found = await findRevived(api.app)
  const ended = await removeRevived(api.app)

  assert.deepEqual(
    [found, ended],
    [
      { keys: 0, secrets: 1, tenants: 0 },
      { keys: 0, secrets: 1 },
    ],
  )
  const dead = await change<{ count: number }>(
    api.app,
    api.owner_tenant,
    'select count(*) as count from key_secrets where tenant_id = $1 and key_id = $3 and expires_at <= now()',
    [uuidOf('key', key.id)],
  )
  assert.equal(dead[0]?.count, 1)
  for (const { secret } of [second, third]) {
    const answer = await fetch(`${api.url}/api/v1/capabilities`, { headers: { authorization: `Bearer ${secret}` } })
    assert.equal(answer.status, 200)
  }
})

test('revoking works while the storage is down, and the tombstone follows later', async (t) => {
  const lines: string[] = []
  const api = await startApi(t, { LOG_LEVEL: 'warn' }, (line) => lines.push(line), false)
  const key = await api.newKey(api.owner_tenant)
  const put = async (): Promise<never> => {
    throw new StorageUnavailable('away')
  }
  const away = { ...api.app, files: { ...api.app.files, put } }
  const caller = operator(uuidOf('ten', api.owner_tenant), scopeNames)

  await api.app.db.transaction(caller, (tx) => removeKey(away, tx, key.id))
  const first = (await readTombstones(api)).length
  await until(() => isRefused(key.client))
  await recordPendingRevocations(api.app)
  const young = await rowsLeft(api)
  await change(api.app, api.owner_tenant, 'delete from key_ends where tenant_id = $1 returning id', [])
  await change(
    api.app,
    api.owner_tenant,
    `insert into key_ends (tenant_id, id, key_id, at) values ($1, $3, $4, now() - interval '1 minute')`,
    [crypto.randomUUID(), uuidOf('key', key.id)],
  )
  await assert.rejects(recordPendingRevocations(away))
  await recordPendingRevocations(api.app)

  assert.deepEqual([first, young, await rowsLeft(api)], [0, 1, 0])
  assert.deepEqual(
    (await readTombstones(api)).map(({ kind }) => kind),
    ['revoked'],
  )
  assert.ok(lines.some((line) => line.includes('writing the revocation tombstone failed')))
})

test('a suspended tenant has a tombstone until it is resumed', async (t) => {
  const api = await start(t)
  const { tenant } = await api.newTenant()

  await suspend(api.app, tenant)
  const [noted, none] = [await readTombstones(api), await listReleased(api.app)]
  await api.app.system.query('update tenants set suspended_at = null where id = $1', [uuidOf('ten', tenant)])
  const released = await listReleased(api.app)
  await resume(api.app, tenant)

  assert.deepEqual(noted, [{ kind: 'suspended', tenant: uuidOf('ten', tenant) }])
  assert.deepEqual([none, released], [[], [tenant]])
  assert.deepEqual([await readTombstones(api), await listReleased(api.app)], [[], []])
})

test('revokes all keys of a tenant and leaves those of others', async (t) => {
  const api = await start(t)
  await api.newKey(api.owner_tenant)

  const count = await removeAllKeys(api.app, uuidOf('ten', api.owner_tenant))

  assert.equal(count, 2)
  await until(() => isRefused(api.owner))
  await api.otherTenant.capabilities.get()
})

test('the sweeper keeps tombstones for 400 days and does not treat them as orphans', async (t) => {
  const api = await startApi(t, { SWEEP_AFTER_SECONDS: '0' }, undefined, false)
  const key = await api.newKey(api.owner_tenant)
  await api.owner.apiKeys.remove(key.id)
  const age = (days: number): TestApi['app'] => ({
    ...api.app,
    files: {
      ...api.app.files,
      list: async (...given) =>
        (await api.app.files.list(...given)).map((one) => ({
          ...one,
          modified_at: new Date(Date.now() - days * 86_400_000),
        })),
    },
  })

  const swept = await sweep(age(399))
  const kept = (await readTombstones(api)).length
  await sweep(age(401))

  assert.deepEqual([swept?.removed, swept?.foreign, swept?.objects, swept?.stopped], [0, 0, 0, null])
  assert.deepEqual([kept, (await readTombstones(api)).length], [1, 0])
})
