// The database is away: clients of the authorization server learn that they can try again.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { recordOf } from '@octavo/base/unknown.ts'
import { startApi } from '../testing/api.ts'
import { authorizationPath, post, registerWebApp, signInBrowser } from '../testing/oauth.ts'
import { PageBrowser } from '../testing/page-browser.ts'
import { openTunnel } from '../testing/tunnel.ts'
import { createTestUser } from '../testing/users.ts'

let cut = (): void => {}
const api = await startApi(
  { after },
  async (database) => {
    const tunnel = await openTunnel(database.app_url)
    cut = () => tunnel.cut()
    return { DATABASE_URL: tunnel.url, DATABASE_DIRECT_URL: database.app_url }
  },
  undefined,
  false,
)

await createTestUser(api, 'ada@example.com')
const browser = await signInBrowser(api, 'ada@example.com')
const consent = await browser.open(authorizationPath(await registerWebApp(api.owner)))
const program = await registerWebApp(api.owner, { grant_types: ['client_credentials'], redirect_uris: [] })
const requestToken = () => post(api, '/oauth/token', program, { grant_type: 'client_credentials' })
const before = await requestToken()
cut()

test('the token endpoint and the authorization page answer 503 with Retry-After', async () => {
  const answer = await requestToken()
  const page = await new PageBrowser(api).open(authorizationPath(program))

  assert.equal(before.status, 200)
  const { error, code, message, doc_url } = recordOf(JSON.parse(answer.text))
  assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '5'])
  assert.deepEqual([error, code], ['service_unavailable', 'service_unavailable'])
  assert.equal(message, 'The server cannot reach its database. Repeat the request in a moment.')
  assert.equal(doc_url, `${api.app.config.base_url}/errors#service_unavailable`)
  assert.deepEqual([page.answer.status, page.answer.headers['retry-after']], [503, '5'])
  assert.match(page.text, /Octavo is not available .*Try again in a moment/)
  assert.doesNotMatch(page.text, /application made a mistake/)
})

test('the consent page asks the user to try again', async () => {
  const shown = await browser.open(consent.path)
  const submitted = await browser.submit(consent.path, { ...consent.hidden, answer: 'allow' })

  assert.match(consent.text, /Give Leases app access/)
  for (const page of [shown, submitted]) {
    assert.deepEqual([page.answer.status, page.answer.headers['retry-after']], [503, '5'])
    assert.match(page.text, /cannot reach its database. Try again in a moment/)
  }
})
