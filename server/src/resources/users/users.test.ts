import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Role, roleNames, roleScopes } from '@octavo/contract'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { until } from '../../testing/jobs.ts'
import { callerOf, newEmail, newUser, writeAs } from '../../testing/user-callers.ts'
import { readUser, removeUser, updateUser } from './users.service.ts'

const api = await startApi({ after })
const { owner, otherTenant, newTenant, newKey } = api

const denied = { code: 'permission_denied', status: 403 }

test('a user has a role, an address and access to the whole tenant by default', async () => {
  const email = newEmail()
  const user = await owner.users.create({ email, name: 'Ada', role: 'viewer' })

  assert.deepEqual(
    [user.object, user.email, user.role, user.project_access, user.status, user.signed_in_at],
    ['user', email, 'viewer', 'all', 'active', null],
  )
  assert.ok(!JSON.stringify(user).includes('password'))
  assert.deepEqual(await owner.users.get(user.id), user)
  await assert.rejects(otherTenant.users.get(user.id), { code: 'not_found' })
})

test('an address belongs to one user of a tenant, whatever its case, and can be used in another tenant', async () => {
  const email = newEmail()
  const user = await owner.users.create({ email: `Ä${email}`, name: 'Ada', role: 'viewer' })

  const error = await failed(owner.users.create({ email: `a\u0308${email.toUpperCase()}`, name: 'B', role: 'viewer' }))

  assert.deepEqual(summaryOf(error), [409, 'email taken'])
  assert.equal(error.details[0]?.id, user.id)
  await otherTenant.users.create({ email: `Ä${email}`, name: 'Ada', role: 'viewer' })
  assert.deepEqual(
    (await owner.users.list({ email: `ä${email}` })).data.map(({ id }) => id),
    [user.id],
  )
})

test('users can be listed by role', async () => {
  const { client } = await newTenant()
  const [admin] = [await newUser(client, 'admin'), await newUser(client, 'viewer')]

  const { data } = await client.users.list({ role: 'admin' })

  assert.deepEqual(
    data.map(({ id }) => id),
    [admin.id],
  )
})

test("'me' is the user that makes the request, and an API key has none", async () => {
  const { tenant, client } = await newTenant()
  const user = await newUser(client, 'viewer', 'assigned')

  const me = await readUser(api.app.db.for(await callerOf(api, tenant, user.id)), 'me')

  assert.equal(me.id, user.id)
  const error = await failed(client.users.get('me'))
  assert.equal(error.status, 404)
  assert.match(error.message, /API key does not belong to a user/)
})

test('each role has the scopes of the lower ones, and only an owner can appoint owners', () => {
  const higher = (role: Role): readonly string[] => roleScopes[role]
  for (const [index, role] of roleNames.entries()) {
    const lower = roleNames[index + 1]
    if (lower) for (const scope of roleScopes[lower]) assert.ok(higher(role).includes(scope), `${role} ${scope}`)
  }
  assert.deepEqual(
    roleNames.filter((role) => higher(role).includes('tenant:manage')),
    ['owner'],
  )
  assert.deepEqual(
    roleNames.filter((role) => higher(role).includes('members:manage')),
    ['owner', 'admin'],
  )
  const own = ['searches:write', 'authorizations:manage']
  assert.ok(roleScopes.viewer.every((scope) => scope.endsWith(':read') || own.includes(scope)))
})

test('an admin manages editors and viewers, and can neither make nor change an owner', async () => {
  const { tenant, client } = await newTenant()
  const [first, admin, editor] = [
    await newUser(client, 'owner'),
    await newUser(client, 'admin'),
    await newUser(client, 'editor'),
  ]
  const asAdmin = { tenant, user_id: admin.id }

  const promoted = await writeAs(api, asAdmin, (tx) => updateUser(tx, editor.id, { role: 'admin' }, {}))

  assert.equal(promoted.role, 'admin')
  for (const id of [editor.id, admin.id, 'me'])
    await assert.rejects(
      writeAs(api, asAdmin, (tx) => updateUser(tx, id, { role: 'owner' }, {})),
      denied,
    )
  await assert.rejects(
    writeAs(api, asAdmin, (tx) => updateUser(tx, first.id, { name: 'Mine' }, {})),
    denied,
  )
  await assert.rejects(
    writeAs(api, asAdmin, (tx) => removeUser(tx, first.id)),
    denied,
  )
  assert.equal((await client.users.get(first.id)).name, first.name)
})

test('a key can give only roles whose scopes it has', async () => {
  const { tenant, client } = await newTenant()
  const editor = await newUser(client, 'editor')
  const { client: manager } = await newKey(tenant, { scopes: ['members:read', 'members:manage'] })

  await assert.rejects(manager.users.create({ email: newEmail(), name: 'V', role: 'viewer' }), denied)
  await assert.rejects(manager.users.update(editor.id, { status: 'suspended' }), denied)
  await assert.rejects(manager.users.remove(editor.id), denied)
  const { client: reader } = await newKey(tenant, { scopes: ['members:read'] })
  assert.equal((await reader.users.get(editor.id)).id, editor.id)
  await assert.rejects(reader.users.remove(editor.id), { code: 'insufficient_scope' })
})

test('the last active owner cannot be demoted, suspended or removed', async () => {
  const { client } = await newTenant()
  const first = await newUser(client, 'owner')
  const last = { code: 'invalid_state', status: 409 }
  const refuseAll = async (id: string): Promise<void> => {
    await assert.rejects(client.users.update(id, { role: 'editor' }), last)
    await assert.rejects(client.users.update(id, { status: 'suspended' }), last)
    await assert.rejects(client.users.remove(id), last)
  }

  await refuseAll(first.id)
  const second = await newUser(client, 'owner')
  await client.users.update(second.id, { status: 'suspended' })
  await refuseAll(first.id)
  await client.users.update(second.id, { status: 'active' })
  await client.users.remove(first.id)
  await refuseAll(second.id)
  assert.equal((await client.users.update(second.id, { name: 'Still here' })).name, 'Still here')
})

test('of two owners who leave at once, one stays', async () => {
  const { tenant, client } = await newTenant()
  for (let round = 0; round < 5; round++) {
    const owners = [await newUser(client, 'owner'), await newUser(client, 'owner')]
    const others = (await client.users.list({ role: 'owner' })).data.filter(({ id }) =>
      owners.every((o) => o.id !== id),
    )
    for (const { id } of others) await client.users.remove(id)

    const left = await Promise.allSettled(
      owners.map(({ id }) => writeAs(api, { tenant, user_id: id }, (tx) => removeUser(tx, 'me'))),
    )

    assert.deepEqual(left.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    assert.equal((await client.users.list({ role: 'owner' })).data.length, 1)
  }
})

test('owners and admins cannot be limited to projects', async () => {
  const { client } = await newTenant()
  const editor = await newUser(client, 'editor', 'assigned')

  const created = await failed(
    client.users.create({ email: newEmail(), name: 'A', role: 'admin', project_access: 'assigned' }),
  )
  const promoted = await failed(client.users.update(editor.id, { role: 'admin' }))

  assert.deepEqual(summaryOf(created), [422, 'project_access inconsistent'])
  assert.deepEqual(summaryOf(promoted), [422, 'project_access inconsistent'])
  const admin = await client.users.update(editor.id, { role: 'admin', project_access: 'all' })
  assert.deepEqual([admin.role, admin.project_access], ['admin', 'all'])
})

test('a suspended user and a removed one have no access', async () => {
  const { tenant, client } = await newTenant()
  const user = await newUser(client, 'viewer')

  const suspended = await client.users.update(user.id, { status: 'suspended' })
  assert.equal(suspended.status, 'suspended')
  await assert.rejects(callerOf(api, tenant, user.id), /has no access/)
  await client.users.update(user.id, { status: 'active' })
  await callerOf(api, tenant, user.id)
  await client.users.remove(user.id)
  await assert.rejects(callerOf(api, tenant, user.id), /has no access/)
  await assert.rejects(client.users.get(user.id), { code: 'not_found' })
})

test('a key limited to projects sees the members of these projects and cannot change users', async () => {
  const { tenant, client } = await newTenant()
  const [one, two] = [await client.projects.create({ name: 'One' }), await client.projects.create({ name: 'Two' })]
  const [inside, outside] = [await newUser(client, 'viewer', 'assigned'), await newUser(client, 'viewer')]
  await client.members.create(one.id, { user_id: inside.id })
  await client.members.create(two.id, { user_id: outside.id })
  const { client: limited } = await newKey(tenant, { project_ids: [one.id] })

  assert.deepEqual(
    (await limited.users.list()).data.map(({ id }) => id),
    [inside.id],
  )
  await assert.rejects(limited.users.get(outside.id), { code: 'not_found' })
  await assert.rejects(limited.users.update(outside.id, { name: 'X' }), { code: 'not_found' })
  await assert.rejects(limited.users.update(inside.id, { name: 'X' }), denied)
  await assert.rejects(limited.users.remove(inside.id), denied)
  await assert.rejects(limited.users.create({ email: newEmail(), name: 'X', role: 'viewer' }), denied)
})

test('an event says which user caused it', async () => {
  const { tenant, client } = await newTenant()
  const [admin, viewer] = [await newUser(client, 'admin'), await newUser(client, 'viewer')]

  await writeAs(api, { tenant, user_id: admin.id }, (tx) => updateUser(tx, viewer.id, { name: 'Renamed' }, {}))

  await until(async () => (await client.events.list({ type: 'user.updated' })).data.length === 1)
  const [event] = (await client.events.list({ type: 'user.updated' })).data
  assert.deepEqual(
    [event?.actor, event?.subject],
    [
      { type: 'user', id: admin.id },
      { object: 'user', id: viewer.id },
    ],
  )
})
