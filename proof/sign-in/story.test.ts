// The whole story in a real browser: a person is invited, joins, adds a passkey, gives an application access, and takes it
// back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startThirdPartyApp } from '../../examples/third-party-app/testing.ts'
import { startApi } from '../../server/src/testing/api.ts'
import { TEST_PASSWORD } from '../../server/src/testing/users.ts'
import { addAuthenticator, hasChromium, openBrowser } from './browser.ts'

const skip = hasChromium() ? false : 'needs chromium'
const TIMEOUT_MS = 60_000

test('invited, signed in with a passkey, agreed, read, revoked, refused', { skip }, async (t) => {
  const api = await startApi(t, { HOST: 'localhost' })
  const app = await startThirdPartyApp(t, api.owner, api.app.config.base_url)
  await api.owner.documents.createAndWait({
    title: 'Lease of Elm Street',
    source: { type: 'pages', pages: [{ text: 'Rent is due on the third day.' }] },
  })
  const invitation = await api.owner.invitations.create({ email: 'ada@example.com', role: 'viewer' })
  const browser = await openBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  await addAuthenticator(page)
  const click = (name: string | RegExp): Promise<void> => page.getByRole('button', { name, exact: true }).click()

  await page.goto(invitation.url)
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('New password').fill(TEST_PASSWORD)
  await click('Create account')
  await click('Add a passkey')
  await page.getByText('Your passkey is saved').waitFor()
  await click('Sign out')
  await page.goto(app.url)
  await page.getByRole('link', { name: 'Sign in with Octavo' }).click()
  await click('Sign in with a passkey')
  await page.getByText('Give Leases app access?').waitFor()
  await click('Allow')
  await page.getByRole('link', { name: 'Lease of Elm Street' }).click()
  await page.getByText('Rent is due on the third day.').waitFor()
  const read_url = page.url()
  await page.goto(`${api.app.config.base_url}/sign-in/account`)
  await click(/^Revoke the access of Leases app/)
  await page.getByText('The application no longer has access').waitFor()
  const refused = await page.goto(read_url)

  assert.equal(refused?.status(), 401)
  assert.match((await page.textContent('body')) ?? '', /Octavo no longer gives access/)
})
