// A user gives an application access; the application uses it until someone takes it back.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { recordOf } from '@octavo/base/unknown.ts'
import { sql } from '../db/statement.ts'
import { operator } from '../lib/caller.ts'
import { toId, uuidOf } from '../lib/ids.ts'
import { startApi } from '../testing/api.ts'
import { ask } from '../testing/ask.ts'
import {
  answerConsent,
  authorizationPath,
  authorize,
  errorIn,
  getTokens,
  linkOf,
  post,
  REDIRECT_URI,
  redeem,
  refresh,
  registerWebApp,
  signInBrowser,
  tokensOf,
} from '../testing/oauth.ts'
import { PageBrowser } from '../testing/page-browser.ts'
import { createTestUser, TEST_PASSWORD } from '../testing/users.ts'

const api = await startApi({ after }, { RATE_LIMITS: 'off' }, undefined, false)
const { owner } = api
const user = await createTestUser(api, 'ada@example.com')
const db = api.app.db.for(operator(uuidOf('ten', api.owner_tenant), []))
const browser = await signInBrowser(api, 'ada@example.com')
const statusOf = async (token: string): Promise<number> => (await ask(api, '/api/v1/projects', { key: token })).status

async function untilRefused(token: string): Promise<void> {
  for (let i = 0; i < 200 && (await statusOf(token)) !== 401; i++) await new Promise((done) => setTimeout(done, 20))
  assert.equal(await statusOf(token), 401)
}

test('a user signs in, agrees, and the application reads what was agreed', async () => {
  const client = await registerWebApp(owner)
  const fresh = new PageBrowser(api)
  const signIn = await fresh.open(authorizationPath(client))
  assert.match(signIn.path, /\/sign-in\?return_to=/)

  const signedIn = await fresh.submit(signIn.path, { email: 'ada@example.com', password: TEST_PASSWORD })
  const consent = await fresh.open(linkOf(signedIn))
  assert.match(consent.text, /Give Leases app access\? You are signed in as ada@example.com in Test\./)
  assert.match(consent.text, /You return to app\.example\.com ?\. Leases app will be able to: Read projects/)
  const back = await answerConsent(fresh, consent, 'allow')
  const params = new URL(back.path).searchParams
  const tokens = tokensOf(await redeem(api, client, params.get('code') ?? ''))

  assert.ok(back.path.startsWith(`${REDIRECT_URI}?`))
  assert.deepEqual([params.get('state'), params.get('iss')], ['state-1', api.app.config.base_url])
  assert.match(params.get('code') ?? '', /^oct_ac_[0-9A-Za-z]{46}$/)
  assert.match(tokens.refresh_token, /^oct_rt_[0-9A-Za-z]{46}$/)
  assert.equal(tokens.scope, 'projects:read')
  assert.equal(await statusOf(tokens.access_token), 200)
  assert.equal((await ask(api, '/api/v1/documents', { key: tokens.access_token })).status, 403)
  const claims = recordOf(JSON.parse(Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString()))
  assert.equal(claims.sub, toId('usr', user))
  assert.equal(claims.tenant, api.owner_tenant)
  assert.match(String(claims.grant_id), /^grt_/)
  assert.equal(typeof claims.auth_time, 'number')
})

test('agreement is remembered, and asked again for more', async () => {
  const client = await registerWebApp(owner)
  await getTokens(api, browser, client)

  const again = await browser.open(authorizationPath(client))
  const more = await browser.open(authorizationPath(client, { scope: 'projects:read documents:read' }))
  const forced = await browser.open(authorizationPath(client, { prompt: 'consent' }))

  assert.ok(again.path.startsWith(REDIRECT_URI), again.path)
  assert.match(more.text, /Read documents and their pages/)
  assert.match(forced.text, /Give Leases app access/)
})

test('a user who refuses sends the application away without a code', async () => {
  const client = await registerWebApp(owner)
  const page = await browser.open(authorizationPath(client))

  const back = new URL((await answerConsent(browser, page, 'deny')).path).searchParams

  assert.deepEqual([back.get('error'), back.get('code'), back.get('state')], ['access_denied', null, 'state-1'])
})

test('the consent form of another browser or site is refused', async () => {
  const client = await registerWebApp(owner)
  const page = await browser.open(authorizationPath(client))

  const foreign = await browser.submit(page.path, { answer: 'allow' }, { 'sec-fetch-site': 'cross-site' })
  await browser.open(page.path)
  const untrusted = await browser.submit(page.path, { answer: 'allow', form_token: 'x' })
  const other = await new PageBrowser(api).submit(page.path, { answer: 'allow' })

  assert.deepEqual([foreign.answer.status, untrusted.answer.status, other.answer.status], [400, 400, 400])
  assert.match(String(page.answer.headers['content-security-policy']), /frame-ancestors 'none'/)
})

test('refuses requests that RFC 9700 forbids, without sending the browser anywhere', async () => {
  const client = await registerWebApp(owner)
  for (const [params, error] of [
    [{ redirect_uri: 'https://app.example.com/callback/' }, 'invalid_redirect_uri'],
    [{ redirect_uri: 'https://app.example.com/callback?x=1' }, 'invalid_redirect_uri'],
    [{ redirect_uri: 'https://evil.example.com/callback' }, 'invalid_redirect_uri'],
    [{ redirect_uri: 'https://app.example.com.evil.example.com/callback' }, 'invalid_redirect_uri'],
    [{ client_id: 'cli_01h455vb4pex5vsknk084sn02q' }, 'invalid_client'],
  ] as const) {
    const page = await browser.open(authorizationPath(client, params))
    assert.match(page.text, new RegExp(error), JSON.stringify(params))
    assert.ok(page.answer.status >= 400 && page.path.startsWith('/oauth/'), page.path)
  }
  for (const [params, error] of [
    [{ code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'id_token', nonce: 'x' }, 'unsupported_response_type'],
    [{ scope: 'documents:write' }, 'invalid_scope'],
    [{ scope: 'api_keys:manage' }, 'invalid_scope'],
    [{ scope: 'unknown' }, 'invalid_scope'],
    [{ resource: 'https://evil.example.com' }, 'invalid_target'],
    [{ prompt: 'none' }, 'consent_required'],
  ] as const) {
    const page = await browser.open(authorizationPath(client, params))
    const { searchParams, hash } = new URL(page.path, api.url)
    const found = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')
    const expected = error === 'consent_required' ? /^(consent|interaction)_required$/ : new RegExp(`^${error}$`)
    assert.match(String(found), expected, `${JSON.stringify(params)} ${page.path} ${page.text}`)
  }
})

test('a code works once, for its client, its redirect URI and its verifier', async () => {
  const client = await registerWebApp(owner)
  const other = await registerWebApp(owner)
  const code = (await authorize(browser, client)).get('code') ?? ''

  assert.equal(errorIn(await redeem(api, other, code)), 'invalid_grant')
  assert.equal(errorIn(await redeem(api, client, code, { code_verifier: 'x'.repeat(43) })), 'invalid_grant')
  assert.equal(errorIn(await redeem(api, client, code, { redirect_uri: 'https://app.example.com/' })), 'invalid_grant')
  assert.equal(errorIn(await redeem(api, client, `${code}x`)), 'invalid_grant')
  assert.equal(errorIn(await redeem(api, client, code, { resource: 'https://evil.example.com' })), 'invalid_target')
  const tokens = tokensOf(await redeem(api, client, code))
  assert.equal(await statusOf(tokens.access_token), 200)
  assert.equal(errorIn(await redeem(api, client, code)), 'invalid_grant')
  await untilRefused(tokens.access_token)
  assert.equal(errorIn(await refresh(api, client, tokens.refresh_token)), 'invalid_grant')
})

test('of twenty parallel uses of a code at most one succeeds', async () => {
  const client = await registerWebApp(owner)
  const code = (await authorize(browser, client)).get('code') ?? ''

  const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(api, client, code)))

  const statuses = answers.map(({ status }) => status)
  assert.ok(statuses.filter((status) => status === 200).length <= 1, String(statuses))
  assert.deepEqual(
    [...new Set(statuses)].filter((status) => ![200, 400, 429].includes(status)),
    [],
  )
})

test('a repeated refresh within seconds gets the same successor, a later one ends the grant', async () => {
  const client = await registerWebApp(owner)
  const first = await getTokens(api, browser, client)

  const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(api, client, first.refresh_token)))
  const successors = new Set(answers.map((answer) => tokensOf(answer).refresh_token))
  const [second = ''] = successors
  const third = tokensOf(await refresh(api, client, second))

  assert.equal(successors.size, 1)
  assert.notEqual(second, first.refresh_token)
  assert.equal(await statusOf(third.access_token), 200)
  // The successor was used, so this is a double use even within the overlap.
  assert.equal(errorIn(await refresh(api, client, first.refresh_token)), 'invalid_grant')
  await untilRefused(third.access_token)
  assert.equal(errorIn(await refresh(api, client, third.refresh_token)), 'invalid_grant')
})

test('a refresh gives fewer scopes on request and never more', async () => {
  const client = await registerWebApp(owner)
  const code = (await authorize(browser, client, { scope: 'projects:read documents:read' })).get('code') ?? ''
  const tokens = tokensOf(await redeem(api, client, code))

  const fewer = tokensOf(await refresh(api, client, tokens.refresh_token, { scope: 'documents:read' }))
  const more = await refresh(api, client, fewer.refresh_token, { scope: 'documents:write' })

  assert.equal(fewer.scope, 'documents:read')
  assert.equal(await statusOf(fewer.access_token), 403)
  assert.equal(errorIn(more), 'invalid_scope')
})

test('a token, the user, the client and the authorization can each be ended', async () => {
  const endings: ((client: { id: string; secret: string | null }, refresh_token: string) => Promise<unknown>)[] = [
    (client, token) => post(api, '/oauth/revocation', client, { token }),
    async () => {
      const [grant] = (await owner.authorizations.list()).data
      await owner.authorizations.remove(grant?.id ?? '')
    },
    ({ id }) => owner.oauthClients.remove(id),
  ]
  for (const end of endings) {
    const client = await registerWebApp(owner)
    const tokens = await getTokens(api, browser, client)
    assert.equal(await statusOf(tokens.access_token), 200)
    await end(client, tokens.refresh_token)
    await untilRefused(tokens.access_token)
  }
  const client = await registerWebApp(owner)
  const tokens = await getTokens(api, browser, client)
  await owner.users.update(toId('usr', user), { status: 'suspended' })
  await untilRefused(tokens.access_token)
  assert.equal(errorIn(await refresh(api, client, tokens.refresh_token)), 'invalid_grant')
  await owner.users.update(toId('usr', user), { status: 'active' })
})

test('revocation answers 200 for unknown tokens, introspection only to its own confidential client', async () => {
  const [client, other] = [await registerWebApp(owner), await registerWebApp(owner)]
  const { refresh_token } = await getTokens(api, browser, client)

  const unknown = await post(api, '/oauth/revocation', client, { token: 'unknown' })
  const own = recordOf(JSON.parse((await post(api, '/oauth/introspection', client, { token: refresh_token })).text))
  const foreign = await post(api, '/oauth/introspection', other, { token: refresh_token })

  assert.equal(unknown.status, 200)
  assert.equal(own.active, true)
  assert.equal(own.client_id, client.id)
  assert.deepEqual(JSON.parse(foreign.text), { active: false })
})

test('an application of another tenant gets no access, and a signed-out user is asked again', async () => {
  const foreign = await registerWebApp(api.otherTenant)
  const own = await registerWebApp(owner)
  const leaving = await signInBrowser(api, 'ada@example.com')
  await authorize(leaving, own)

  const page = await leaving.open(authorizationPath(foreign))
  await leaving.open('/sign-in/account')
  await leaving.submit('/sign-in/sign-out', {})
  const after_sign_out = await leaving.open(authorizationPath(own))

  assert.match(page.text, /belongs to another tenant/)
  assert.match(after_sign_out.path, /\/sign-in\?/)
})

test('a public client needs no secret and gets no token without the verifier', async () => {
  const client = await registerWebApp(owner, { is_confidential: false })
  const code = (await authorize(browser, client)).get('code') ?? ''

  assert.equal(errorIn(await redeem(api, client, code, { code_verifier: 'y'.repeat(43) })), 'invalid_grant')
  const tokens = tokensOf(await redeem(api, client, code))
  assert.equal(await statusOf(tokens.access_token), 200)
})

test('stores no code or token in readable form', async () => {
  const client = await registerWebApp(owner)
  const code = (await authorize(browser, client)).get('code') ?? ''
  const tokens = tokensOf(await redeem(api, client, code))

  const rows = await db.rows<{ row: string }>(sql('select t::text as row from oauth_grants t where tenant_id = $1'))
  const text = rows.map(({ row }) => row).join()

  for (const secret of [code, tokens.refresh_token, tokens.access_token, client.secret ?? ''])
    assert.ok(!text.includes(secret))
})
