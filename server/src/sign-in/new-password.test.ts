// A new password ends the access that someone may have gained with the earlier one.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { createPasswordReset } from '../resources/users/users.resets.ts'
import { startApi } from '../testing/api.ts'
import { ask } from '../testing/ask.ts'
import { until } from '../testing/jobs.ts'
import {
  answerConsent,
  CLI,
  connectDevice,
  errorIn,
  getTokens,
  refresh,
  registerWebApp,
  signInBrowser,
  tokensOf,
} from '../testing/oauth.ts'
import { PageBrowser } from '../testing/page-browser.ts'
import { createTestUser, TEST_PASSWORD } from '../testing/users.ts'

const api = await startApi({ after }, { RATE_LIMITS: 'off' }, undefined, false)
const caller = operator(uuidOf('ten', api.owner_tenant), [])
const app = await registerWebApp(api.owner)
const NEW_PASSWORD = 'a different set of words'

const statusOf = async (key: string) => (await ask(api, '/api/v1/projects', { key })).status

/** Gives access to the command line and to an application. */
async function connectBoth(email: string) {
  const browser = await signInBrowser(api, email)
  const { poll, confirm } = await connectDevice(api, browser, 'projects:read')
  await answerConsent(browser, confirm, 'allow')
  const cli = tokensOf(await poll())
  const web = await getTokens(api, browser, app)
  for (const { access_token } of [cli, web]) assert.equal(await statusOf(access_token), 200)
  return { browser, cli, web }
}

async function expectEnded({ cli, web }: Awaited<ReturnType<typeof connectBoth>>): Promise<void> {
  for (const { access_token } of [cli, web]) await until(async () => (await statusOf(access_token)) === 401)
  assert.equal(errorIn(await refresh(api, CLI, cli.refresh_token)), 'invalid_grant')
  assert.equal(errorIn(await refresh(api, app, web.refresh_token)), 'invalid_grant')
}

test('a reset link ends the access of the command line and of applications, of this user only', async () => {
  const user = await createTestUser(api, 'reset@example.com')
  await createTestUser(api, 'other@example.com')
  const own = await connectBoth('reset@example.com')
  const other = await connectBoth('other@example.com')
  const { url } = await api.app.db.transaction(caller, async (tx) => createPasswordReset(api.app, tx, user))
  const { pathname } = new URL(url)
  const browser = new PageBrowser(api)

  const page = await browser.open(pathname)
  await browser.submit(pathname, { new_password: NEW_PASSWORD })

  assert.match(
    page.text,
    /All your sessions will end, and you must connect your applications and the command line again/,
  )
  await expectEnded(own)
  assert.equal(await statusOf(other.cli.access_token), 200)
  assert.equal(await statusOf(other.web.access_token), 200)
  const revoked = async () => (await api.owner.events.list({ type: 'authorization.revoked' })).data
  await until(async () => (await revoked()).length === 2)
})

test('so does a new password on the account page', async () => {
  await createTestUser(api, 'change@example.com')
  const own = await connectBoth('change@example.com')
  const account = await own.browser.open('/sign-in/account')

  const saved = await own.browser.submit('/sign-in/account/password', {
    current_password: TEST_PASSWORD,
    new_password: NEW_PASSWORD,
  })

  assert.match(account.text, /A new password ends all your other sessions and the access of all applications/)
  assert.match(saved.text, /Your password is saved\. Your other sessions have ended\. Connect your applications/)
  await expectEnded(own)
  assert.match((await own.browser.open('/sign-in/account')).text, /No application has access to your account/)
})
