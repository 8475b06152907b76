// OAuth below a path: a reverse proxy serves Octavo at https://host/octavo and removes the path.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import { after, test } from 'node:test'
import { recordOf } from '@octavo/base/unknown.ts'
import { startApi } from '../testing/api.ts'
import { ask } from '../testing/ask.ts'
import {
  answerConsent,
  authorizationPath,
  CLI,
  linkOf,
  post,
  redeem,
  registerWebApp,
  tokensOf,
} from '../testing/oauth.ts'
import { PageBrowser } from '../testing/page-browser.ts'
import { freePort } from '../testing/port.ts'
import { createTestUser, TEST_PASSWORD } from '../testing/users.ts'

const PREFIX = '/octavo'
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const api = await startApi({ after }, { BASE_URL: url + PREFIX, RATE_LIMITS: 'off' }, undefined, false)
const proxy = createServer((incoming, answer) => {
  const path = (incoming.url ?? '').replace(url, '').replace(new RegExp(`^${PREFIX}(?=/)`), '')
  const { hostname, port: target } = new URL(api.url)
  const { method, headers } = incoming
  const sent = forward({ hostname, port: target, path, method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 500, response.headers)
    response.pipe(answer)
  })
  incoming.pipe(sent)
}).listen(port, '127.0.0.1')
await once(proxy, 'listening')
after(() => proxy.close())

test('a user signs in and agrees, and the application gets a token', async () => {
  await createTestUser(api, 'ada@example.com')
  const client = await registerWebApp(api.owner)
  const browser = new PageBrowser({ ...api, url })

  const signIn = await browser.open(PREFIX + authorizationPath(client))
  const signedIn = await browser.submit(signIn.path, { email: 'ada@example.com', password: TEST_PASSWORD })
  const consent = await browser.open(linkOf(signedIn))
  const back = await answerConsent(browser, consent, 'allow')
  const code = new URL(back.path).searchParams.get('code') ?? ''
  const { access_token } = tokensOf(await redeem(api, client, code))

  assert.ok(signIn.path.replace(url, '').startsWith(`${PREFIX}/sign-in?`), signIn.path)
  assert.ok(consent.path.replace(url, '').startsWith(`${PREFIX}/oauth/interactions/`), consent.path)
  assert.equal((await ask(api, '/api/v1/projects', { key: access_token })).status, 200)
})

test('the address for the code of a device has the path', async () => {
  const begun = recordOf(JSON.parse((await post(api, '/oauth/device-authorization', CLI, {})).text))
  const page = await new PageBrowser({ ...api, url }).open(`${PREFIX}/oauth/device`)

  assert.equal(begun.verification_uri, `${url}${PREFIX}/oauth/device`)
  assert.match(page.answer.text, new RegExp(`action="${url}${PREFIX}/oauth/device"`))
})

test('the metadata are where RFC 8414 and RFC 9728 look for them', async () => {
  const read = async (path: string) => recordOf(JSON.parse((await ask(api, path, { key: null })).text))

  const server = await read(`/.well-known/oauth-authorization-server${PREFIX}`)
  const resource = await read(`/.well-known/oauth-protected-resource${PREFIX}/api`)

  assert.equal(server.issuer, url + PREFIX)
  assert.equal(server.token_endpoint, `${url}${PREFIX}/oauth/token`)
  assert.equal(resource.resource, `${url}${PREFIX}/api`)
})
