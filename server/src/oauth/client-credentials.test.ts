// Programs that get access tokens with their own secret.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { recordOf } from '@octavo/base/unknown.ts'
import type { Id, NewOauthClient } from '@octavo/contract'
import { Octavo } from '@octavo/sdk'
import * as oauth from 'oauth4webapi'
import { startApi } from '../testing/api.ts'
import { ask, errorOf, failed } from '../testing/ask.ts'
import { rotateSigningKeys } from './signing-keys.ts'

const api = await startApi({ after }, {}, undefined, false)
const { owner } = api

/** The SDK types ids as text. */
const onlyProject = (id: string) => ({ project_ids: [id as Id<'proj'>] })

const INPUT: NewOauthClient = {
  name: 'Import',
  grant_types: ['client_credentials'],
  scopes: ['documents:read', 'projects:read'],
}

async function register(input: Partial<NewOauthClient> = {}, as = owner) {
  const client = await as.oauthClients.create({ ...INPUT, ...input })
  return { ...client, secret: client.secret ?? '' }
}

function requestToken(id: string, secret: string, params: Record<string, string> = {}) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...params }).toString()
  const basic = Buffer.from(`${id}:${secret}`).toString('base64')
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${basic}` }
  return ask(api, '/oauth/token', { method: 'POST', key: null, body, headers })
}

async function tokenOf(id: string, secret: string, params: Record<string, string> = {}): Promise<string> {
  const answer = await requestToken(id, secret, params)
  assert.equal(answer.status, 200, answer.text)
  return (JSON.parse(answer.text) as { access_token: string }).access_token
}

const clientOf = (token: string) => new Octavo({ base_url: api.url, api_key: token, max_retries: 0 })
const payloadOf = (token: string) =>
  recordOf(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))

test('a client gets a token that reads what its scopes allow', async () => {
  const project = await owner.projects.create({ name: 'Leases' })
  const { id, secret } = await register()

  const answer = await requestToken(id, secret)
  const { access_token, ...rest } = JSON.parse(answer.text) as { access_token: string }
  const listed = await clientOf(access_token).projects.list()

  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 900, scope: 'documents:read projects:read' })
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.ok(answer.headers['request-id'])
  assert.ok(listed.data.some(({ id }) => id === project.id))
  assert.equal((await failed(clientOf(access_token).projects.create({ name: 'x' }))).code, 'insufficient_scope')
})

test('the token follows RFC 9068', async () => {
  const { id, secret } = await register()

  const token = await tokenOf(id, secret, { scope: 'documents:read' })
  const header = recordOf(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()))
  const { iat, exp, jti, ...claims } = payloadOf(token)

  assert.equal(header.typ, 'at+jwt')
  assert.equal(header.alg, 'RS256')
  assert.equal(Number(exp) - Number(iat), 900)
  assert.equal(typeof jti, 'string')
  assert.deepEqual(claims, {
    iss: api.app.config.base_url,
    aud: `${api.app.config.base_url}/api`,
    sub: id,
    client_id: id,
    scope: 'documents:read',
    tenant: api.owner_tenant,
  })
})

test('a strict client library gets a token', async () => {
  const { id, secret } = await register()
  // oxlint-disable-next-line typescript/no-deprecated -- the server of the tests speaks plain HTTP
  const insecure = { [oauth.allowInsecureRequests]: true }
  const issuer = new URL(api.app.config.base_url)

  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const client = { client_id: id }
  const answer = await oauth.clientCredentialsGrantRequest(server, client, oauth.ClientSecretPost(secret), {}, insecure)
  const { access_token, token_type } = await oauth.processClientCredentialsResponse(server, client, answer)

  assert.equal(token_type, 'bearer')
  await clientOf(access_token).projects.list()
})

test('errors of the token endpoint have the members of RFC 6749 and ours', async () => {
  const { id, secret } = await register()
  const answers = [
    [await requestToken(id, `${secret}x`), 401, 'invalid_client'],
    [await requestToken('cli_01h455vb4pex5vsknk084sn02q', secret), 401, 'invalid_client'],
    [await requestToken(id, secret, { scope: 'documents:write' }), 400, 'invalid_scope'],
    [await requestToken(id, secret, { scope: 'api_keys:manage' }), 400, 'invalid_scope'],
    [await requestToken(id, secret, { resource: 'https://elsewhere.example.com' }), 400, 'invalid_target'],
    [await requestToken(id, secret, { grant_type: 'password' }), 400, 'unsupported_grant_type'],
    [await requestToken(id, secret, { grant_type: 'authorization_code' }), 400, 'unauthorized_client'],
  ] as const

  for (const [answer, status, code] of answers) {
    const { error, error_description, message, details, request_id, doc_url, ...rest } = recordOf(
      JSON.parse(answer.text),
    )
    assert.equal(answer.status, status, answer.text)
    assert.equal(error, code)
    assert.equal(rest.code, code)
    assert.equal(message, error_description)
    assert.deepEqual(details, [])
    assert.equal(request_id, answer.headers['request-id'])
    assert.equal(doc_url, `${api.app.config.base_url}/errors#${code}`)
  }
})

test('a token sees the projects of its client and no other tenant', async () => {
  const mine = await owner.projects.create({ name: 'Mine' })
  const other = await owner.projects.create({ name: 'Other' })
  const foreign = await api.otherTenant.projects.create({ name: 'Foreign' })
  const { id, secret } = await register(onlyProject(mine.id))

  const client = clientOf(await tokenOf(id, secret))

  assert.deepEqual(
    (await client.projects.list()).data.map((project) => project.id),
    [mine.id],
  )
  for (const project of [other, foreign])
    assert.equal((await failed(client.projects.get(project.id))).code, 'not_found')
})

test('removing the client ends its tokens', async () => {
  const { id, secret } = await register()
  const token = await tokenOf(id, secret)
  await clientOf(token).projects.list()

  await owner.oauthClients.remove(id)

  await untilStatus(token, 401)
  assert.equal((await requestToken(id, secret)).status, 401)
})

test('a scope that is taken from the client stops working in its tokens', async () => {
  const { id, secret } = await register()
  const token = await tokenOf(id, secret)
  await clientOf(token).projects.list()

  await owner.oauthClients.update(id, { scopes: ['documents:read'] })

  await untilStatus(token, 403)
})

async function untilStatus(token: string, status: number): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if ((await ask(api, '/api/v1/projects', { key: token })).status === status) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.fail(`the token did not get ${status}`)
}

test('tokens of the earlier signing key work after a rotation', async () => {
  const { id, secret } = await register()
  const before = await tokenOf(id, secret)
  const published = JSON.parse((await ask(api, '/oauth/jwks', { key: null })).text) as {
    keys: Record<string, string>[]
  }

  const kid = await rotateSigningKeys(api.app)

  assert.equal(published.keys.length, 2)
  assert.ok(
    published.keys.some((key) => key.kid === kid),
    'the next key was not published',
  )
  for (const key of published.keys) assert.deepEqual(Object.keys(key).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
  await clientOf(before).projects.list()
})

test('an application cannot get management scopes, nor scopes and projects that its creator lacks', async () => {
  const project = await owner.projects.create({ name: 'Limited' })
  const limited = await api.newKey(api.owner_tenant, {
    scopes: ['oauth_clients:manage', 'documents:read'],
    project_ids: [project.id],
  })

  const manage = await ask(api, '/api/v1/oauth-clients', {
    method: 'POST',
    body: JSON.stringify({ ...INPUT, scopes: ['api_keys:manage'] }),
  })

  assert.equal(manage.status, 422)
  assert.equal(errorOf(manage).details[0]?.code, 'not_allowed_value')
  for (const input of [onlyProject(project.id), { scopes: ['documents:read' as const] }])
    assert.equal((await failed(register(input, limited.client))).code, 'permission_denied')
  await register({ scopes: ['documents:read'], ...onlyProject(project.id) }, limited.client)
})

test('refuses redirect URIs that could send a code elsewhere', async () => {
  const web = { grant_types: ['authorization_code' as const] }
  for (const uri of [
    'http://app.example.com/callback',
    'http://localhost/callback',
    'https://app.example.com/callback#part',
    'https://*.example.com/callback',
    'https://user@app.example.com/callback',
    'https://app.example.com/a/../callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp:/callback',
    '/callback',
    'https://app.example.com\\@evil.example.com/',
  ])
    assert.equal((await failed(register({ ...web, redirect_uris: [uri] }))).code, 'validation_error', uri)
  for (const uri of [
    'https://app.example.com/callback?x=1',
    'http://127.0.0.1/callback',
    'http://[::1]/callback',
    'com.example.app:/callback',
  ])
    await register({ ...web, redirect_uris: [uri] })
  assert.equal((await failed(register(web))).code, 'validation_error')
  assert.equal((await failed(register({ is_confidential: false }))).code, 'validation_error')
})

test('the metadata names the endpoints', async () => {
  const metadata = recordOf(JSON.parse((await ask(api, '/.well-known/oauth-authorization-server', { key: null })).text))
  const resource = recordOf(
    JSON.parse((await ask(api, '/.well-known/oauth-protected-resource/api', { key: null })).text),
  )

  assert.equal(metadata.issuer, api.app.config.base_url)
  assert.deepEqual(resource.authorization_servers, [api.app.config.base_url])
  assert.equal(new URL(String(metadata.jwks_uri)).pathname, '/oauth/jwks')
})
