// The command line signs in with the device flow. An old sign-in is not enough to give others access.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../db/statement.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { startApi } from '../testing/api.ts'
import { ask, errorOf } from '../testing/ask.ts'
import {
  answerConsent,
  CLI,
  connectDevice,
  errorIn,
  refresh,
  signInBrowser,
  tokensOf,
  xsrfIn,
} from '../testing/oauth.ts'
import { createTestUser } from '../testing/users.ts'

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
  assert.match(wrong.answer.text, /id="user_code" name="user_code" value="BCDF-GHJK"/)
  assert.match(wrong.text, /This code is wrong or has expired/)
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
