// A key cannot give other keys more rights than it has itself.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Scope } from '@octavo/contract'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'

const { newKey, newTenant, otherTenant } = await startApi({ after })

const MANAGER: Scope[] = ['api_keys:manage', 'documents:read']

async function tenantWithProjects() {
  const { tenant, client } = await newTenant()
  const [one, two] = await Promise.all([
    client.projects.create({ name: 'One' }),
    client.projects.create({ name: 'Two' }),
  ])
  return { tenant, owner: client, one: one.id, two: two.id }
}

test('a key cannot grant scopes that it does not have', async () => {
  const { tenant } = await newTenant()
  const { client } = await newKey(tenant, { scopes: MANAGER })

  const made = await client.apiKeys.create({ name: 'Reader', scopes: ['documents:read'] })

  assert.deepEqual(made.scopes, ['documents:read'])
  for (const scopes of [['documents:write'], ['documents:read', 'events:read']] as Scope[][])
    await assert.rejects(client.apiKeys.create({ name: 'Writer', scopes }), { code: 'permission_denied', status: 403 })
})

test('a key cannot rename, rotate or revoke a key with more rights', async () => {
  const { tenant, client: owner } = await newTenant()
  const { client } = await newKey(tenant, { scopes: MANAGER })
  const wider = await newKey(tenant, { scopes: [...MANAGER, 'documents:write'] })
  const denied = { code: 'permission_denied', status: 403 }

  assert.equal((await client.apiKeys.get(wider.id)).id, wider.id)
  await assert.rejects(client.apiKeys.update(wider.id, { name: 'Mine' }), denied)
  await assert.rejects(client.apiKeys.rotate(wider.id), denied)
  await assert.rejects(client.apiKeys.remove(wider.id), denied)
  await assert.rejects(client.apiKeys.remove(wider.id, { if_match: '"other"' }), denied)
  assert.equal((await owner.apiKeys.get(wider.id)).name, 'Test')
  await wider.client.capabilities.get()
})

test('a project key can only create keys for its project', async () => {
  const { tenant, owner, one, two } = await tenantWithProjects()
  const { id, client } = await newKey(tenant, { scopes: MANAGER, project_ids: [one] })
  const make = (project_ids?: string[] | null) =>
    client.apiKeys.create({ name: 'New', scopes: ['documents:read'], project_ids })

  const made = await make([one])

  assert.deepEqual([made.project_ids, made.created_by], [[one], id])
  await assert.rejects(make(), { code: 'permission_denied' })
  await assert.rejects(make(null), { code: 'permission_denied' })
  assert.deepEqual(summaryOf(await failed(make([two]))), [422, 'project_ids[0] reference_not_found'])
  assert.deepEqual(summaryOf(await failed(make([one, two]))), [422, 'project_ids[1] reference_not_found'])
  assert.deepEqual(summaryOf(await failed(make([]))), [422, 'project_ids too_few_items'])
  assert.equal((await owner.apiKeys.list({ limit: 100 })).data.length, 3)
})

test('a project key sees only keys that have no access beyond its own', async () => {
  const { tenant, one, two } = await tenantWithProjects()
  const limited = await newKey(tenant, { scopes: MANAGER, project_ids: [one] })
  const others = await Promise.all([
    newKey(tenant, { project_ids: [two] }),
    newKey(tenant, { project_ids: [one, two] }),
    newKey(tenant),
  ])
  const sibling = await newKey(tenant, { scopes: ['documents:read'], project_ids: [one] })

  const seen = (await limited.client.apiKeys.list()).data.map(({ id }) => id)

  assert.deepEqual(seen.toSorted(), [limited.id, sibling.id].toSorted())
  for (const { id } of others) {
    await assert.rejects(limited.client.apiKeys.get(id), { code: 'not_found' })
    await assert.rejects(limited.client.apiKeys.rotate(id), { code: 'not_found' })
    await assert.rejects(limited.client.apiKeys.update(id, { name: 'Mine' }), { code: 'not_found' })
    await assert.rejects(limited.client.apiKeys.remove(id), { code: 'not_found' })
  }
  await limited.client.apiKeys.remove(sibling.id)
})

test('an expiring key cannot create a key that lasts longer', async () => {
  const { tenant } = await newTenant()
  const expires_at = '2036-01-02T03:04:05.678Z'
  const { client } = await newKey(tenant, { scopes: MANAGER, expires_at })
  const create = (end?: string | null) =>
    client.apiKeys.create({
      name: 'New',
      scopes: ['documents:read'],
      ...(end === undefined ? {} : { expires_at: end }),
    })

  assert.equal((await create()).expires_at, expires_at)
  assert.equal((await create(null)).expires_at, expires_at)
  assert.equal((await create(expires_at)).expires_at, expires_at)
  assert.equal((await create('2036-01-01T00:00:00Z')).expires_at, '2036-01-01T00:00:00.000Z')
  const later = await failed(create('2036-01-02T03:04:05.679Z'))
  assert.deepEqual(summaryOf(later), [422, 'expires_at too_large'])
  assert.match(later.details[0]!.message, /2036-01-02T03:04:05\.678Z.*Leave it out/)
})

test('an expiring key cannot rotate a key that lasts longer', async () => {
  const { tenant } = await newTenant()
  const brief = await newKey(tenant, { scopes: MANAGER, expires_at: '2036-01-02T00:00:00Z' })
  const briefer = await newKey(tenant, { scopes: MANAGER, expires_at: '2036-01-01T00:00:00Z' })
  const endless = await newKey(tenant, { scopes: MANAGER })

  await assert.rejects(brief.client.apiKeys.rotate(endless.id), { code: 'permission_denied', status: 403 })
  await assert.rejects(briefer.client.apiKeys.rotate(brief.id), { code: 'permission_denied' })
  assert.equal((await brief.client.apiKeys.rotate(briefer.id)).expires_at, '2036-01-01T00:00:00.000Z')
  assert.equal((await brief.client.apiKeys.rotate(brief.id)).expires_at, '2036-01-02T00:00:00.000Z')
})

test('the old secret of a rotated key grants no rights beyond the overlap', async () => {
  const { tenant, client: owner } = await newTenant()
  const { id, client: old } = await newKey(tenant, { scopes: MANAGER })
  const before = Date.now()
  await owner.apiKeys.rotate(id, { overlap_seconds: 3600 })

  const made = await old.apiKeys.create({ name: 'New', scopes: ['documents:read'] })

  assert.ok(Math.abs(Date.parse(made.expires_at!) - before - 3_600_000) < 60_000, String(made.expires_at))
  await assert.rejects(old.apiKeys.rotate(id), { code: 'permission_denied' })
})

test('the projects of a key must exist in its tenant', async () => {
  const { owner, one } = await tenantWithProjects()
  const foreign = await otherTenant.projects.create({ name: 'Foreign' })
  const make = (...project_ids: string[]) =>
    owner.apiKeys.create({ name: 'New', scopes: ['documents:read'], project_ids })

  assert.deepEqual((await make(one)).project_ids, [one])
  assert.deepEqual(summaryOf(await failed(make(one, foreign.id))), [422, 'project_ids[1] reference_not_found'])
  assert.deepEqual(summaryOf(await failed(make('doc_01h455vb4pex5vsknk084sn02q'))), [
    422,
    'project_ids[0] reference_not_found',
  ])
  assert.deepEqual(summaryOf(await failed(make(one, one))), [422, 'project_ids duplicate_items'])
})

test('the scopes and projects of a key cannot change after creation', async () => {
  const { owner } = await tenantWithProjects()
  const key = await owner.apiKeys.create({ name: 'Import', scopes: ['documents:read'], metadata: { a: '1' } })
  const { secret: _, ...shown } = key

  const renamed = await owner.apiKeys.update(key.id, {
    ...shown,
    name: 'Renamed',
    metadata: { a: null, b: '2' },
  })

  assert.deepEqual([renamed.name, renamed.metadata, renamed.key_preview], ['Renamed', { b: '2' }, key.key_preview])
  for (const change of [{ scopes: ['documents:write'] }, { project_ids: [] }, { expires_at: '2099-01-01T00:00:00Z' }])
    assert.deepEqual(summaryOf(await failed(owner.apiKeys.update(key.id, change as never))), [
      422,
      `${Object.keys(change)[0]} immutable`,
    ])
})
