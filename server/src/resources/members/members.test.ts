import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listen } from '../../db/listen.ts'
import { toId, uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { until } from '../../testing/jobs.ts'
import { callerOf, newUser, writeAs } from '../../testing/user-callers.ts'
import { listProjects } from '../projects/projects.service.ts'
import { createMember } from './members.service.ts'

const api = await startApi({ after })
const { newTenant, newKey, otherTenant } = api

async function tenantWithProjects() {
  const { tenant, client } = await newTenant()
  const one = await client.projects.create({ name: 'One' })
  const two = await client.projects.create({ name: 'Two' })
  return { tenant, client, one: one.id, two: two.id }
}

test('a user with assigned projects sees exactly these, and none without a membership', async () => {
  const { tenant, client, one } = await tenantWithProjects()
  const user = await newUser(client, 'editor', 'assigned')
  const page = { after: null, limit: 10, offset: 0, is_descending: true }
  const visible = async () =>
    (await listProjects(api.app.db.for(await callerOf(api, tenant, user.id)), {}, page)).map(({ id }) => id)

  assert.deepEqual(await visible(), [])
  const member = await client.members.create(one, { user_id: user.id, metadata: { team: 'legal' } })
  assert.deepEqual([member.object, member.project_id, member.user_id], ['member', one, user.id])
  assert.deepEqual(await visible(), [one])
  await client.members.remove(one, member.id)
  assert.deepEqual(await visible(), [])
  await client.users.update(user.id, { project_access: 'all' })
  assert.equal((await visible()).length, 2)
})

test('a user is a member of a project at most once', async () => {
  const { client, one } = await tenantWithProjects()
  const user = await newUser(client, 'viewer')
  const member = await client.members.create(one, { user_id: user.id })

  const error = await failed(client.members.create(one, { user_id: user.id }))

  assert.deepEqual(summaryOf(error), [409, 'user_id taken'])
  assert.equal(error.details[0]?.id, member.id)
  assert.deepEqual(
    (await client.members.list(one)).data.map(({ id }) => id),
    [member.id],
  )
})

test('a member is found only in its project and its tenant', async () => {
  const { tenant, client, one, two } = await tenantWithProjects()
  const user = await newUser(client, 'viewer')
  const member = await client.members.create(one, { user_id: user.id })
  const { client: limited } = await newKey(tenant, { project_ids: [two] })
  const absent = { code: 'not_found', status: 404 }

  await assert.rejects(client.members.get(two, member.id), absent)
  await assert.rejects(limited.members.get(one, member.id), absent)
  await assert.rejects(limited.members.list(one), absent)
  await assert.rejects(limited.members.create(one, { user_id: user.id }), absent)
  await assert.rejects(otherTenant.members.remove(one, member.id), absent)
  assert.deepEqual(summaryOf(await failed(limited.members.create(two, { user_id: user.id }))), [
    422,
    'user_id reference_not_found',
  ])
})

test('adding and removing a member needs the scopes of its role', async () => {
  const { tenant, client, one } = await tenantWithProjects()
  const [admin, owner] = [await newUser(client, 'admin'), await newUser(client, 'owner')]
  const member = await client.members.create(one, { user_id: owner.id })
  const denied = { code: 'permission_denied', status: 403 }
  const { client: manager } = await newKey(tenant, { scopes: ['members:read', 'members:manage'] })

  await assert.rejects(manager.members.create(one, { user_id: admin.id }), denied)
  await assert.rejects(manager.members.update(one, member.id, { metadata: { a: 'b' } }), denied)
  await assert.rejects(manager.members.remove(one, member.id), denied)
  await assert.rejects(
    writeAs(api, { tenant, user_id: admin.id }, (tx) =>
      createMember(tx, one, { user_id: toId('usr', uuidOf('usr', owner.id)) }),
    ),
    denied,
  )
})

test('memberships are deleted with their user and with their project', async () => {
  const { client, one, two } = await tenantWithProjects()
  const user = await newUser(client, 'viewer')
  await client.members.create(one, { user_id: user.id })
  await client.members.create(two, { user_id: user.id })

  await client.projects.remove(two)
  await client.users.remove(user.id)

  assert.deepEqual((await client.members.list(one)).data, [])
  await assert.rejects(client.members.list(two), { code: 'not_found' })
})

test('a change of the role, the projects or the status of a user evicts its cached credentials', async (t) => {
  const heard: string[] = []
  const listener = listen(api.app.config.database_direct_url, 'octavo_keys', {
    onMessage: (payload) => heard.push(payload),
    onGap: () => {},
  })
  t.after(() => listener.close())
  const { client, one } = await tenantWithProjects()
  const user = await newUser(client, 'viewer', 'assigned')
  const uuid = uuidOf('usr', user.id)
  const count = (): number => heard.filter((payload) => payload === uuid).length
  await until(async () => {
    await client.users.update(user.id, { metadata: { at: String(Date.now()) } })
    return count() > 0
  })

  const evicts = async (change: () => Promise<unknown>): Promise<void> => {
    const before = count()
    await change()
    await until(async () => count() > before)
  }
  let member_id = ''
  await evicts(async () => (member_id = (await client.members.create(one, { user_id: user.id })).id))
  await evicts(() => client.members.remove(one, member_id))
  await evicts(() => client.users.update(user.id, { role: 'editor' }))
  await evicts(() => client.users.update(user.id, { project_access: 'all' }))
  await evicts(() => client.users.update(user.id, { status: 'suspended' }))
  await evicts(() => client.users.remove(user.id))
})
