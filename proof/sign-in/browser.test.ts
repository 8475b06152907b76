// The sign-in pages in a real browser: with passkeys, on phone and desktop, light and dark.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { startApi, type TestApi } from '../../server/src/testing/api.ts'
import {
  authorizationPath,
  redeemDeviceCode,
  registerWebApp,
  requestDeviceCode,
} from '../../server/src/testing/oauth.ts'
import { createTestUser, TEST_PASSWORD } from '../../server/src/testing/users.ts'
import { views } from '../docs/visit.ts'
import { addAuthenticator, hasChromium, openBrowser } from './browser.ts'

const skip = hasChromium() ? false : 'needs chromium'
const TIMEOUT_MS = 30_000
/** Pictures of every page are kept here if it is set. */
const PICTURES = process.env['SIGN_IN_PICTURES']

async function signIn(page: Page, base_url: string, email: string): Promise<void> {
  await page.goto(`${base_url}/sign-in`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Where you are signed in').waitFor()
}

test('adds a passkey, signs out and signs in with it', { skip }, async (t) => {
  const api = await startApi(t, { HOST: 'localhost' }, undefined, false)
  const { base_url } = api.app.config
  await createTestUser(api, 'ada@example.com')
  const browser = await openBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  await addAuthenticator(page)

  await signIn(page, base_url, 'ada@example.com')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Your passkey is saved').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('Where you are signed in').waitFor()

  assert.match(await page.getByRole('list').first().innerText(), /with passkey/)
  await page.getByRole('button', { name: /^Remove the passkey/ }).click()
  await page.getByText('The passkey is removed').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('This passkey does not belong to an account here').waitFor()
})

test('an invited person joins with a password, signs in, and another one joins with a passkey', { skip }, async (t) => {
  const api = await startApi(t, { HOST: 'localhost' }, undefined, false)
  const browser = await openBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  await addAuthenticator(page)
  const invite = async (email: string): Promise<string> =>
    (await api.owner.invitations.create({ email, role: 'editor' })).url

  await page.goto(await invite('ada@example.com'))
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('New password').fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('ada@example.com · editor at Test').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page, api.app.config.base_url, 'ada@example.com')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto(await invite('grace@example.com'))
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.getByText('grace@example.com · editor at Test').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()

  await page.getByText('grace@example.com · editor at Test').waitFor()
})

for (const { name, width, height, light } of views)
  test(`pages fit (${name}), load nothing from elsewhere and have no serious finding of axe`, { skip }, async (t) => {
    const api = await startApi(t, { HOST: 'localhost' }, undefined, false)
    const { base_url } = api.app.config
    await createTestUser(api, 'ada@example.com')
    const client = await registerWebApp(api.owner)
    const browser = await openBrowser()
    t.after(() => browser.close())
    const findings: string[] = []
    const view = { viewport: { width, height }, colorScheme: light, reducedMotion: 'reduce' } as const
    const page = await (await browser.newContext(view)).newPage()
    page.setDefaultTimeout(TIMEOUT_MS)
    page.on('console', (message) => message.type() === 'error' && findings.push(message.text()))
    page.on('request', (request) => request.url().startsWith(base_url) || findings.push(request.url()))
    const look = async (title: string): Promise<void> => {
      const found = (await new AxeBuilder({ page }).analyze()).violations.filter(({ impact }) =>
        ['serious', 'critical'].includes(impact ?? ''),
      )
      findings.push(...found.map(({ id, nodes }) => `${title}: ${id} ${nodes[0]?.target.join(' ')}`))
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (wide > width) findings.push(`${title} is ${wide} px wide`)
      if (PICTURES === undefined) return
      mkdirSync(PICTURES, { recursive: true })
      await page.screenshot({ path: join(PICTURES, `${title} ${name}.png`.replaceAll(/[ ,]+/g, '-')), fullPage: true })
    }

    await page.goto(`${base_url}/sign-in`)
    await look('sign-in')
    await page.goto((await api.owner.invitations.create({ email: 'grace@example.com', role: 'editor' })).url)
    await look('invitation')
    await page.goto(`${base_url}/sign-in/reset`)
    await look('reset')
    await signIn(page, base_url, 'ada@example.com')
    await page.goto(`${base_url}${authorizationPath(client, { scope: 'documents:read projects:read' })}`)
    await look('consent')
    await connectDevice(page, api, look)
    await page.goto(`${base_url}/sign-in/account`)
    await look('account')

    assert.deepEqual(findings, [])
  })

/** The pages of the device flow. */
async function connectDevice(page: Page, api: TestApi, look: (title: string) => Promise<void>): Promise<void> {
  const { user_code, device_code } = await requestDeviceCode(api)
  await page.goto(`${api.app.config.base_url}/oauth/device`)
  await look('device')
  await page.getByLabel('Code').fill(user_code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Is this your device?').waitFor()
  await look('device code')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('will be able to do everything that your role').waitFor()
  await look('device consent')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('The device is connected').waitFor()
  await look('device connected')
  await redeemDeviceCode(api, device_code)
}
