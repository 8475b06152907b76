// Users of every role read, rename and remove themselves, and no other user.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Octavo } from '@octavo/sdk'
import { sql } from '../../db/statement.ts'
import { operator } from '../../lib/caller.ts'
import { toId, uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import {
  answerConsent,
  connectDevice,
  getTokens,
  registerWebApp,
  signInBrowser,
  tokensOf,
} from '../../testing/oauth.ts'
import { newUser } from '../../testing/user-callers.ts'
import { createTestUser } from '../../testing/users.ts'

const api = await startApi({ after }, { RATE_LIMITS: 'off' }, undefined, false)
const { owner } = api
const db = api.app.db.for(operator(uuidOf('ten', api.owner_tenant), []))
const UPDATE = sql('update users set role = $4, project_access = $5 where tenant_id = $1 and id = $3')
const clientOf = (token: string) => new Octavo({ base_url: api.url, api_key: token, max_retries: 0 })

/** A user who is signed in on the command line. */
async function signIn(email: string, role: string, project_access: string) {
  const user = await createTestUser(api, email)
  await db.rows(UPDATE, [user, role, project_access])
  const browser = await signInBrowser(api, email)
  const { poll, confirm } = await connectDevice(api, browser, '')
  await answerConsent(browser, confirm, 'allow')
  return { id: toId('usr', user), browser, octavo: clientOf(tokensOf(await poll()).access_token) }
}

for (const [role, project_access] of [
  ['viewer', 'all'],
  ['editor', 'assigned'],
] as const) {
  test(`the ${role} with ${project_access} projects reads and renames itself, and leaves`, async () => {
    const { id, octavo } = await signIn(`${role}@example.com`, role, project_access)

    const me = await octavo.users.get('me')
    const renamed = await octavo.users.update('me', { name: 'Ada Okafor-Lind' })
    await octavo.users.remove('me')

    assert.deepEqual([me.id, renamed.name, renamed.role], [id, 'Ada Okafor-Lind', role])
    await assert.rejects(Promise.resolve(owner.users.get(id)), { status: 404 })
    await assert.rejects(Promise.resolve(octavo.users.get('me')), { status: 401 })
  })
}

test('a user cannot change its own rights, nor another user', async () => {
  const { id, octavo } = await signIn('bob@example.com', 'editor', 'all')
  const other = await newUser(owner, 'viewer')

  for (const patch of [{ role: 'admin' }, { project_access: 'assigned' }, { status: 'suspended' }] as const)
    await assert.rejects(Promise.resolve(octavo.users.update('me', patch)), { code: 'permission_denied' })
  await assert.rejects(Promise.resolve(octavo.users.update(other.id, { name: 'x' })), { code: 'insufficient_scope' })
  await assert.rejects(Promise.resolve(octavo.users.remove(other.id)), { code: 'insufficient_scope' })

  const { role, status } = await owner.users.get(id)
  assert.deepEqual([role, status], ['editor', 'active'])
})

test('an application of another party cannot rename or remove the user who authorized it', async () => {
  const { browser } = await signIn('eve@example.com', 'editor', 'all')
  const client = await registerWebApp(owner, { scopes: ['members:read', 'projects:read'] })
  const octavo = clientOf((await getTokens(api, browser, client)).access_token)

  await assert.rejects(Promise.resolve(octavo.users.update('me', { name: 'x' })), { code: 'insufficient_scope' })
  await assert.rejects(Promise.resolve(octavo.users.remove('me')), { code: 'insufficient_scope' })
})

test('the last owner cannot leave', async () => {
  const { octavo } = await signIn('olga@example.com', 'owner', 'all')

  await assert.rejects(Promise.resolve(octavo.users.remove('me')), { code: 'invalid_state' })
})
