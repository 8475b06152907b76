// Applications that describe themselves in a document, without a registration.

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:https'
import { after, test } from 'node:test'
import { recordOf } from '@octavo/base/unknown.ts'
import { startApi } from '../testing/api.ts'
import { ask } from '../testing/ask.ts'
import { makeCertificate, trustCertificate } from '../testing/certificate.ts'
import {
  authorizationPath,
  authorize,
  errorIn,
  REDIRECT_URI,
  redeem,
  refresh,
  signInBrowser,
  type TestClient,
  tokensOf,
} from '../testing/oauth.ts'
import { PageBrowser } from '../testing/page-browser.ts'
import { createTestUser } from '../testing/users.ts'

const certificate = makeCertificate('localhost')
trustCertificate({ after }, certificate)

/** Served by path. `{url}` becomes the address of the document. */
const documents: Record<string, object | string> = {
  '/agent.json': { client_id: '{url}', client_name: 'Leases agent', redirect_uris: [REDIRECT_URI] },
  '/other-id.json': { client_id: 'https://example.com/agent.json', redirect_uris: [REDIRECT_URI] },
  '/secret.json': {
    client_id: '{url}',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'client_secret_basic',
  },
  '/greedy.json': {
    client_id: '{url}',
    redirect_uris: [REDIRECT_URI],
    tenant: 'ten_01h455vb4pex5vsknk084sn02q',
    allowed_scopes: 'api_keys:manage',
    scope: 'api_keys:manage',
  },
  '/large.json': { client_id: '{url}', redirect_uris: [REDIRECT_URI], client_name: 'x'.repeat(20_000) },
  '/no-json': 'not JSON',
}
const requests: string[] = []
let origin = ''
const server: Server = createServer(certificate, ({ url = '' }, response) => {
  requests.push(url)
  const document = documents[url]
  if (document === undefined) response.writeHead(url === '/moved' ? 302 : 404, { location: '/agent.json' }).end()
  else response.end(JSON.stringify(document).replace('{url}', origin + url))
})
await new Promise<void>((done) => server.listen(0, done))
after(() => server.close())
const address = server.address()
origin = `https://localhost:${typeof address === 'object' ? address?.port : ''}`

const settings = { OAUTH_CLIENT_DOCUMENTS: 'on', EGRESS_ALLOW_CIDRS: '127.0.0.0/8,::1/128' }
const api = await startApi({ after }, settings, undefined, false)
await createTestUser(api, 'ada@example.com')
const browser = await signInBrowser(api, 'ada@example.com')
const clientAt = (path: string): TestClient => ({ id: origin + path, secret: null })
const statusOf = async (token: string): Promise<number> => (await ask(api, '/api/v1/projects', { key: token })).status

test('a user gives access to an application that describes itself, and revokes it', async () => {
  const agent = clientAt('/agent.json')

  const consent = await browser.open(authorizationPath(agent))
  const code = (await authorize(browser, agent)).get('code') ?? ''
  const { access_token, refresh_token } = tokensOf(await redeem(api, agent, code))
  const renewed = tokensOf(await refresh(api, agent, refresh_token))

  assert.match(consent.text, /Give Leases agent access\?/)
  assert.match(consent.text, /not registered in Octavo\. It describes itself at localhost:\d+/)
  assert.equal(await statusOf(access_token), 200)
  assert.equal(requests.filter((path) => path === '/agent.json').length, 1)
  const [grant] = (await api.owner.authorizations.list({})).data
  assert.deepEqual([grant?.client_id, grant?.client_url], [null, agent.id])
  assert.equal(grant?.client_name, new URL(origin).host)
  await api.owner.authorizations.remove(grant?.id ?? '')
  assert.equal(errorIn(await refresh(api, agent, renewed.refresh_token)), 'invalid_grant')
})

test('the user is asked once, and again after a revocation', async () => {
  const agent = clientAt('/agent.json')
  await authorize(browser, agent)
  const { path } = await browser.open(authorizationPath(agent))
  const [grant] = (await api.owner.authorizations.list({})).data
  await api.owner.authorizations.remove(grant?.id ?? '')
  const again = await browser.open(authorizationPath(agent))

  assert.ok(path.startsWith(REDIRECT_URI), path)
  assert.match(again.text, /Give Leases agent access\?/)
})

test('a document chooses neither its tenant nor management scopes', async () => {
  const greedy = clientAt('/greedy.json')

  const refused = await browser.open(authorizationPath(greedy, { scope: 'api_keys:manage' }))
  const code = (await authorize(browser, greedy)).get('code') ?? ''

  assert.equal(new URL(refused.path).searchParams.get('error'), 'invalid_scope')
  assert.equal(tokensOf(await redeem(api, greedy, code)).scope, 'projects:read')
})

test('refuses documents that are wrong, large, moved or at an internal address', async () => {
  const paths = ['/other-id.json', '/secret.json', '/large.json', '/no-json', '/moved', '/missing']
  const urls = paths.map((path) => origin + path)
  const before = requests.length
  for (const id of [...urls, 'https://10.0.0.1/agent.json', 'http://localhost/agent.json']) {
    const page = await browser.open(authorizationPath({ id, secret: null }))
    assert.equal(page.answer.status, 400, `${id}: ${page.text}`)
    assert.match(page.text, /The application made a mistake/)
  }
  assert.deepEqual([...new Set(requests.slice(before))], paths)
})

test('an address can name a limited number of applications', async () => {
  const before = requests.length
  for (let i = 0; i < 40; i++) await browser.open(authorizationPath(clientAt(`/unknown${i}`)))

  const fetched = requests.length - before
  assert.ok(fetched <= 30, `${fetched} documents were fetched`)
})

test('without the setting, the metadata does not offer documents, and none is fetched', async () => {
  const off = await startApi({ after }, {}, undefined, false)
  const supported = async (at: Parameters<typeof ask>[0]): Promise<unknown> => {
    const { text } = await ask(at, '/.well-known/oauth-authorization-server', { key: null })
    return recordOf(JSON.parse(text)).client_id_metadata_document_supported
  }
  const before = requests.length

  const page = await new PageBrowser(off).open(authorizationPath(clientAt('/agent.json')))

  assert.deepEqual([await supported(api), await supported(off)], [true, undefined])
  assert.equal(page.answer.status, 400)
  assert.equal(requests.length, before)
})
