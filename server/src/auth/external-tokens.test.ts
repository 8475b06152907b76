// Access tokens of an external authorization server, which runs in another process.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { recordOf } from '@octavo/base/unknown.ts'
import { operator } from '../lib/caller.ts'
import { toId, uuidOf } from '../lib/ids.ts'
import { insertIdentity } from '../sign-in/identities.store.ts'
import { startApi } from '../testing/api.ts'
import { ask, errorOf } from '../testing/ask.ts'
import { startProvider } from '../testing/openid-provider.ts'
import { freePort } from '../testing/port.ts'
import { createTestUser } from '../testing/users.ts'
import { hashIdentity } from './identities.store.ts'

const provider = await startProvider({ after }, 'https://app.example.com/callback', {})
const api = await startApi({ after }, { OAUTH_ISSUER: provider.issuer }, undefined, false)
const AUDIENCE = `${api.app.config.base_url}/api`

/** The test provider gives a program a token with the subject that it asks for. */
async function requestToken(subject: string, scope: string, resource = AUDIENCE, tenant = ''): Promise<string> {
  const basic = Buffer.from(`octavo:${encodeURIComponent(provider.client_secret)}`).toString('base64')
  const answer = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource, subject, tenant }),
  })
  return String(recordOf(await answer.json()).access_token)
}

async function link(user: string, subject: string, tenant = api.owner_tenant): Promise<void> {
  const identity = { issuer: provider.issuer, subject }
  const caller = operator(uuidOf('ten', tenant), [])
  await api.app.db.transaction(caller, (tx) => insertIdentity(tx, { ...identity, user, hash: hashIdentity(identity) }))
}

const statusOf = async (path: string, key: string): Promise<number> =>
  (await ask(api, `/api/v1${path}`, { key })).status

const user = await createTestUser(api, 'ada@example.com')
await link(user, 'ada')

test('a linked user gets what the token and the role allow', async () => {
  const token = await requestToken('ada', 'projects:read members:read members:manage')

  const me = await ask(api, '/api/v1/users/me', { key: token })

  assert.equal(recordOf(JSON.parse(me.text)).id, toId('usr', user))
  assert.equal(await statusOf('/projects', token), 200)
  assert.equal(await statusOf('/documents', token), 403)
})

test('management scopes of the external server do not count', async () => {
  await api.owner.users.update(toId('usr', user), { role: 'admin' })
  const token = await requestToken('ada', 'api_keys:manage members:read')

  assert.equal(await statusOf('/api-keys', token), 403)
  assert.equal(await statusOf('/users/me', token), 200)
  await api.owner.users.update(toId('usr', user), { role: 'editor' })
})

test('refuses subjects without a user, other audiences and changed tokens', async () => {
  const token = await requestToken('ada', 'projects:read')
  const [head, body, signature = ''] = token.split('.')

  assert.equal(await statusOf('/projects', await requestToken('unknown', 'projects:read')), 401)
  assert.equal(
    await statusOf('/projects', await requestToken('ada', 'projects:read', 'https://other.example.com')),
    401,
  )
  assert.equal(await statusOf('/projects', `${head}.${body}.${signature.slice(0, -4)}AAAA`), 401)
  assert.equal(await statusOf('/projects', token), 200)
})

test('a user of several tenants needs the claim tenant', async () => {
  const { tenant } = await api.newTenant()
  const other = await createTestUser(api, 'bob@example.com', { tenant })
  await link(await createTestUser(api, 'bob@example.com'), 'bob')
  await link(other, 'bob', tenant)

  const me = await ask(api, '/api/v1/users/me', { key: await requestToken('bob', 'members:read', AUDIENCE, tenant) })

  assert.equal(await statusOf('/users/me', await requestToken('bob', 'members:read')), 401)
  assert.equal(recordOf(JSON.parse(me.text)).id, toId('usr', other))
})

test('a suspended user is refused at once', async () => {
  const id = await createTestUser(api, 'eve@example.com')
  await link(id, 'eve')
  const token = await requestToken('eve', 'projects:read')
  assert.equal(await statusOf('/projects', token), 200)

  await api.owner.users.update(toId('usr', id), { status: 'suspended' })
  for (let i = 0; i < 200 && (await statusOf('/projects', token)) !== 401; i++)
    await new Promise((done) => setTimeout(done, 20))

  assert.equal(await statusOf('/projects', token), 401)
})

test('the metadata of the API name both authorization servers', async () => {
  const { text } = await ask(api, '/.well-known/oauth-protected-resource/api', { key: null })

  assert.deepEqual(recordOf(JSON.parse(text)).authorization_servers, [provider.issuer, api.app.config.base_url])
})

/** A token whose key id is unknown. */
function unknownKeyToken(issuer: string, base_url: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, aud: `${base_url}/api`, sub: 'ada', scope: '', iat: now, exp: now + 60 }
  return `${encode({ alg: 'RS256', typ: 'at+jwt', kid: 'x' })}.${encode(claims)}.AAAA`
}

test('answers 503 while the external server is away', async (t) => {
  const away = `http://127.0.0.1:${await freePort()}`
  const other = await startApi(t, { OAUTH_ISSUER: away }, undefined, false)

  const answer = await ask(other, '/api/v1/projects', { key: unknownKeyToken(away, other.app.config.base_url) })

  assert.deepEqual(
    [answer.status, errorOf(answer).code, answer.headers['retry-after']],
    [503, 'service_unavailable', '5'],
  )
})

test('answers 503 if the external server refuses its keys, and does not ask it for every token', async (t) => {
  const asked: string[] = []
  const refusing = createServer(({ url = '' }, response) => {
    asked.push(url)
    if (url.endsWith('/keys')) response.writeHead(403).end('{}')
    else response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }))
  })
  await once(refusing.listen(0, '127.0.0.1'), 'listening')
  t.after(() => refusing.close())
  const issuer = `http://127.0.0.1:${String(recordOf(refusing.address()).port)}`
  const other = await startApi(t, { OAUTH_ISSUER: issuer }, undefined, false)
  const token = unknownKeyToken(issuer, other.app.config.base_url)

  const statuses = new Set<number>()
  for (let count = 0; count < 20; count++)
    statuses.add((await ask(other, '/api/v1/projects', { key: `${token}${'A'.repeat(4 * count)}` })).status)

  assert.deepEqual([...statuses], [503])
  // Two for each token otherwise.
  assert.ok(asked.length < 40, `${asked.length} requests`)
})
