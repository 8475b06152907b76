// The command line signs in with the device flow. An old sign-in is not enough to give others access.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { recordOf } from '@octavo/base/unknown.ts'
import { sql } from '../db/statement.ts'
import { operator } from '../lib/caller.ts'
import { shortDigest } from '../lib/digest.ts'
import { newUuid, uuidOf } from '../lib/ids.ts'
import { saveAuthorization } from '../resources/authorizations/authorizations.service.ts'
import { startApi } from '../testing/api.ts'
import { ask, errorOf } from '../testing/ask.ts'
import {
  answerConsent,
  CLI,
  connectDevice,
  enterDeviceCode,
  errorIn,
  post,
  refresh,
  signInBrowser,
  tokensOf,
  xsrfIn,
} from '../testing/oauth.ts'
import { PageBrowser, type TestPage } from '../testing/page-browser.ts'
import { createTestUser, TEST_PASSWORD } from '../testing/users.ts'

const api = await startApi({ after }, { RATE_LIMITS: 'off' }, undefined, false)
const user = await createTestUser(api, 'ada@example.com')
const db = api.app.db.for(operator(uuidOf('ten', api.owner_tenant), []))
await db.rows(sql(`update users set role = 'owner' where tenant_id = $1 and id = $3`), [user])
const SCOPE = 'projects:read api_keys:manage authorizations:manage'

const connect = async () => connectDevice(api, await signInBrowser(api, 'ada@example.com'), SCOPE)

test('the command line gets tokens after the user agrees on a page', async () => {
  const { begun, poll, browser, confirm } = await connect()
  assert.match(String(begun.user_code), /^[A-Z]{4}-[A-Z]{4}$/)
  assert.match(String(begun.verification_uri), /\/oauth\/device$/)
  assert.match(confirm.text, /Give Octavo command line access\?/)

  const connected = await answerConsent(browser, confirm, 'allow')
  const tokens = tokensOf(await poll())

  assert.match(connected.text, /The device is connected/)
  assert.equal((await ask(api, '/api/v1/projects', { key: tokens.access_token })).status, 200)
  assert.equal(errorIn(await poll()), 'invalid_grant')
})

test('the page for the code has a label and says that a code is wrong', async () => {
  const browser = await signInBrowser(api, 'ada@example.com')

  const given = await browser.open('/oauth/device')
  const wrong = await browser.submit('/oauth/device', { xsrf: xsrfIn(given), user_code: 'BCDF-GHJK', confirm: 'yes' })

  for (const { answer } of [given, wrong]) {
    assert.match(answer.text, /<label for="user_code">/)
    assert.doesNotMatch(answer.text, /onfocus/)
  }
  assert.match(wrong.answer.text, /id="user_code" class="code" name="user_code" value="BCDF-GHJK"/)
  assert.match(wrong.text, /This code is wrong or has expired/)
})

test('a code works for one browser, once', async () => {
  const { begun, poll, browser, confirm } = await connect()
  const user_code = String(begun.user_code)
  const other = await signInBrowser(api, 'ada@example.com')

  const again = await enterDeviceCode(other, user_code)
  await answerConsent(browser, confirm, 'allow')
  const later = await enterDeviceCode(other, user_code)
  const answers = await Promise.all([poll(), poll(), poll()])

  for (const { text } of [again, later]) assert.match(text, /This code is wrong or has expired/)
  // None at all if the second use was noticed before the first had its answer.
  assert.ok(answers.filter(({ status }) => status === 200).length <= 1)
})

test('a second user of a browser is told to start again, and then connects a device', async () => {
  await createTestUser(api, 'bob@example.com')
  const { browser, confirm, poll: pollFirst } = await connect()
  await answerConsent(browser, confirm, 'allow')
  tokensOf(await pollFirst())
  await browser.open('/sign-in/account')
  await browser.submit('/sign-in/sign-out', {})
  await browser.open('/sign-in')
  await browser.submit('/sign-in', { email: 'bob@example.com', password: TEST_PASSWORD })

  const stopped = await connectDevice(api, browser, SCOPE)
  const refused = await stopped.poll()
  const again = await connectDevice(api, browser, SCOPE)
  const connected = await answerConsent(browser, again.confirm, 'allow')

  assert.equal(stopped.confirm.answer.status, 400)
  assert.match(stopped.confirm.text, /Another user was signed in .* Run octavo login again/)
  assert.equal(errorIn(refused), 'access_denied')
  assert.match(again.confirm.text, /You are signed in as bob@example\.com/)
  assert.match(connected.text, /The device is connected/)
  tokensOf(await again.poll())
})

test('a link with the code fills the form and sends nothing by itself', async () => {
  const browser = await signInBrowser(api, 'ada@example.com')

  const { answer } = await browser.open('/oauth/device?user_code=BCDF-GHJK')

  assert.match(answer.text, /id="user_code" class="code" name="user_code" value="BCDF-GHJK"/)
  assert.match(answer.text, /name="xsrf" value="[^"]+"/)
  assert.doesNotMatch(answer.text, /submit\(\)/)
})

test('an address that sends wrong codes has to wait, and right codes do not count', async () => {
  const from = (address: string) => new PageBrowser(proxied, { 'x-forwarded-for': address })
  const proxied = await startApi({ after }, { TRUSTED_PROXIES: '127.0.0.1' }, undefined, false)
  const guess = async (browser: PageBrowser, user_code: string) => {
    const page = await browser.open('/oauth/device')
    return browser.submit('/oauth/device', { xsrf: xsrfIn(page), user_code })
  }
  const begun = await post(proxied, '/oauth/device-authorization', CLI, {})
  const right = String(recordOf(JSON.parse(begun.text)).user_code)
  const attacker = from('192.0.2.1')

  for (let i = 0; i < 12; i++) assert.match((await guess(attacker, right)).text, /Is this your device/)
  const guesses = await Promise.all(Array.from({ length: 20 }, () => guess(from('192.0.2.1'), 'BCDF-GHJK')))
  const other = await guess(from('192.0.2.2'), right)

  const refused = guesses.filter(({ answer }) => answer.status === 429)
  assert.ok(refused.length > 0 && refused.length <= 10, `${refused.length} refused`)
  assert.match(refused[0]?.text ?? '', /Too many wrong codes came from your network\. Try again in/)
  assert.match(String(refused[0]?.answer.headers['retry-after']), /^\d+$/)
  assert.match(other.text, /Is this your device/)
})

test('an address that requests many codes has to wait', async () => {
  const limited = await startApi({ after }, {}, undefined, false)

  const requests = await Promise.all(
    Array.from({ length: 65 }, () => post(limited, '/oauth/device-authorization', CLI, {})),
  )

  const refused = requests.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0 && refused.length <= 5, `${refused.length} refused`)
  const [first] = refused
  assert.ok(first)
  const { code, message } = errorOf(first)
  assert.equal(code, 'rate_limit_exceeded')
  assert.match(message, /^Too many codes were requested from your address\. Try again in \d+ seconds\.$/)
  assert.match(String(first.headers['retry-after']), /^\d+$/)
})

test('an address that opens many pages has to wait, since each is saved', async () => {
  const limited = await startApi({ after }, {}, undefined, false)
  const open = (path: string) => Promise.all(Array.from({ length: 70 }, () => ask(limited, path)))
  const key = `authorizations:${shortDigest(limited.app.config.base_url)}:127.0.0.1`
  await limited.app.limiter.take([{ name: 'authorizations', key, quota: 1_000, window_ms: 600_000, cost: 1_000 }])

  for (const answers of [await open('/oauth/device'), await open('/oauth/authorization')]) {
    const [refused] = answers.filter(({ status }) => status === 429)
    assert.match(refused?.text ?? '', /Too many requests for this page came from your network\. Try again in/)
    assert.match(String(refused?.headers['retry-after']), /^\d+$/)
  }
})

test('a user sees and revokes their authorizations', async () => {
  const { poll, browser, confirm } = await connect()
  await answerConsent(browser, confirm, 'allow')
  const { access_token, refresh_token } = tokensOf(await poll())

  const listed = await ask(api, '/api/v1/authorizations', { key: access_token })
  const [own] = (JSON.parse(listed.text) as { data: Record<string, unknown>[] }).data
  const removed = await ask(api, `/api/v1/authorizations/${String(own?.id)}`, { method: 'DELETE', key: access_token })

  assert.equal(own?.client_name, 'Octavo command line')
  assert.equal(removed.status, 204)
  assert.equal(errorIn(await refresh(api, CLI, refresh_token)), 'invalid_grant')
})

test("a user revokes an application's access on the account page; another user cannot", async () => {
  const browser = await signInBrowser(api, 'ada@example.com')
  const { poll, confirm } = await connectDevice(api, browser, '')
  assert.match(confirm.text, /will be able to do everything that your role, owner ?, allows/)
  await answerConsent(browser, confirm, 'allow')
  const { access_token, refresh_token } = tokensOf(await poll())
  await createTestUser(api, 'eve@example.com')
  const eve = await signInBrowser(api, 'eve@example.com')

  const account = await browser.open('/sign-in/account')
  const [, authorization = ''] = /name="authorization" value="(grt_\w+)"/.exec(account.answer.text) ?? []
  const empty = await eve.open('/sign-in/account')
  await eve.submit('/sign-in/account/authorizations', { authorization })
  const used = await ask(api, '/api/v1/projects', { key: access_token })
  await browser.open('/sign-in/account')
  const revoked = await browser.submit('/sign-in/account/authorizations', { authorization })
  const again = await browser.submit('/sign-in/account/authorizations', { authorization })

  assert.match(account.text, /Octavo command line Everything that your role allows given .* until \d{4}-/)
  assert.match(empty.text, /No application has access to your account/)
  assert.equal(used.status, 200)
  for (const { text } of [revoked, again]) assert.match(text, /The application no longer has access/)
  assert.equal(errorIn(await refresh(api, CLI, refresh_token)), 'invalid_grant')
})

test('the account page shows a hundred applications and links to the older ones', async () => {
  const owner = await createTestUser(api, 'carol@example.com')
  const caller = operator(uuidOf('ten', api.owner_tenant), [])
  const expires_at = new Date(Date.now() + 86_400_000)
  await api.app.db.transaction(caller, async (tx) => {
    for (let i = 0; i < 101; i++)
      await saveAuthorization(tx, {
        grant: newUuid(),
        user: owner,
        client: null,
        client_url: null,
        scopes: ['projects:read'],
        expires_at,
      })
  })
  const carol = await signInBrowser(api, 'carol@example.com')
  const shownOn = (page: TestPage) =>
    [...page.answer.text.matchAll(/name="authorization" value="(\w+)"/g)].map(([, id]) => id)

  const newest = await carol.open('/sign-in/account')
  const [, link = ''] = /href="([^"]*older_than=[^"]*)">Show older ones/.exec(newest.answer.text) ?? []
  const older = await carol.open(link)

  assert.deepEqual([shownOn(newest).length, shownOn(older).length], [100, 1])
  assert.ok(!shownOn(newest).includes(shownOn(older)[0]))
  assert.doesNotMatch(older.text, /Show older ones/)
})

test('creating a key needs a sign-in of the last 15 minutes', async (t) => {
  const recent = await connect()
  await answerConsent(recent.browser, recent.confirm, 'allow')
  const { access_token, refresh_token } = tokensOf(await recent.poll())
  const body = JSON.stringify({ name: 'Key', scopes: ['projects:read'] })
  const create = (key: string) => ask(api, '/api/v1/api-keys', { method: 'POST', key, body })

  const created = await create(access_token)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 14 * 60_000 })
  const refreshed = tokensOf(await refresh(api, CLI, refresh_token))
  t.mock.timers.setTime(Date.now() + 2 * 60_000)
  const refused = await create(refreshed.access_token)

  assert.equal(created.status, 201, created.text)
  assert.equal(refused.status, 401)
  assert.equal(errorOf(refused).code, 'insufficient_user_authentication')
  assert.match(String(refused.headers['www-authenticate']), /error="insufficient_user_authentication".*max_age="900"/)
})
