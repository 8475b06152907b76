// The steps of an OAuth client and its user, one request each.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { recordOf } from '@octavo/base/unknown.ts'
import type { NewOauthClient, Octavo } from '@octavo/sdk'
import type { TestApi } from './api.ts'
import { ask, type TestAnswer } from './ask.ts'
import { PageBrowser, type TestPage } from './page-browser.ts'
import { TEST_PASSWORD } from './users.ts'

export const REDIRECT_URI = 'https://app.example.com/callback'
const VERIFIER = randomBytes(32).toString('base64url')
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

type Server = Pick<TestApi, 'url' | 'owner_key'>

export interface TestClient {
  id: string
  secret: string | null
}

export async function registerWebApp(owner: Octavo, input: Partial<NewOauthClient> = {}): Promise<TestClient> {
  const { id, secret } = await owner.oauthClients.create({
    name: 'Leases app',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [REDIRECT_URI],
    scopes: ['documents:read', 'projects:read'],
    ...input,
  })
  return { id, secret }
}

export async function signInBrowser(api: Server, email: string): Promise<PageBrowser> {
  const browser = new PageBrowser(api)
  await browser.open('/sign-in')
  await browser.submit('/sign-in', { email, password: TEST_PASSWORD })
  return browser
}

export function authorizationPath(client: TestClient, params: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'projects:read',
    state: 'state-1',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...params,
  })
  for (const [name, value] of Object.entries(params)) if (value === '') query.delete(name)
  return `/oauth/authorization?${query}`
}

/** Answers the consent page and follows its link. */
export async function answerConsent(browser: PageBrowser, page: TestPage, answer: 'allow' | 'deny'): Promise<TestPage> {
  return browser.open(linkOf(await browser.submit(page.path, { answer })))
}

/** The link of a page that browsers follow by themselves. */
export function linkOf(page: TestPage): string {
  const [, href = ''] = /href="([^"]+)">Continue/.exec(page.answer.text) ?? []
  assert.ok(href, page.text)
  return href.replaceAll('&amp;', '&')
}

/** The address that the browser ends at, with `code` or `error`. */
export const authorize = (
  browser: PageBrowser,
  client: TestClient,
  params: Record<string, string> = {},
): Promise<URLSearchParams> => followAuthorization(browser, authorizationPath(client, params))

export async function followAuthorization(browser: PageBrowser, path: string): Promise<URLSearchParams> {
  const page = await browser.open(path)
  const last = page.path.startsWith(REDIRECT_URI) ? page : await answerConsent(browser, page, 'allow')
  assert.ok(last.path.startsWith(REDIRECT_URI), `${last.path}: ${last.text}`)
  return new URL(last.path).searchParams
}

/** POST of a form by a client, which authenticates as it can. */
export function post(
  api: Server,
  path: string,
  client: TestClient,
  params: Record<string, string>,
): Promise<TestAnswer> {
  const secret = client.secret === null ? {} : { client_secret: client.secret }
  const body = new URLSearchParams({ client_id: client.id, ...secret, ...params }).toString()
  return ask(api, path, { method: 'POST', key: null, body, headers: FORM })
}

export const redeem = (api: Server, client: TestClient, code: string, more: Record<string, string> = {}) =>
  post(api, '/oauth/token', client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
    ...more,
  })

export const refresh = (api: Server, client: TestClient, refresh_token: string, more: Record<string, string> = {}) =>
  post(api, '/oauth/token', client, { grant_type: 'refresh_token', refresh_token, ...more })

/** The access token of a program with its own secret. */
export async function getProgramToken(
  api: Server,
  owner: Octavo,
  { resource, ...input }: Pick<NewOauthClient, 'scopes'> & Partial<NewOauthClient> & { resource: string },
): Promise<string> {
  const client = await registerWebApp(owner, { grant_types: ['client_credentials'], redirect_uris: [], ...input })
  const answer = await post(api, '/oauth/token', client, { grant_type: 'client_credentials', resource })
  return tokensOf(answer).access_token
}

export interface TestTokens {
  access_token: string
  refresh_token: string
  scope: string
}

export function tokensOf(answer: TestAnswer): TestTokens {
  assert.equal(answer.status, 200, answer.text)
  const { access_token, refresh_token = '', scope = '' } = recordOf(JSON.parse(answer.text))
  return { access_token: String(access_token), refresh_token: String(refresh_token), scope: String(scope) }
}

export async function getTokens(api: Server, browser: PageBrowser, client: TestClient): Promise<TestTokens> {
  const code = (await authorize(browser, client)).get('code') ?? ''
  return tokensOf(await redeem(api, client, code))
}

export const CLI: TestClient = { id: 'octavo-cli', secret: null }
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

export const xsrfIn = ({ answer }: TestPage): string => /name="xsrf" value="([^"]+)"/.exec(answer.text)?.[1] ?? ''

export async function requestDeviceCode(api: Server, scope = ''): Promise<{ user_code: string; device_code: string }> {
  const { text } = await post(api, '/oauth/device-authorization', CLI, scope === '' ? {} : { scope })
  const { user_code, device_code } = recordOf(JSON.parse(text))
  return { user_code: String(user_code), device_code: String(device_code) }
}

export const redeemDeviceCode = (api: Server, device_code: string): Promise<TestAnswer> =>
  post(api, '/oauth/token', CLI, { grant_type: DEVICE, device_code })

/** The device flow of the command line, up to the page that asks for consent. */
export async function connectDevice(api: Server, browser: PageBrowser, scope: string) {
  const begun = recordOf(JSON.parse((await post(api, '/oauth/device-authorization', CLI, scope ? { scope } : {})).text))
  const poll = () => redeemDeviceCode(api, String(begun.device_code))
  assert.equal(errorIn(await poll()), 'authorization_pending')
  return { begun, poll, browser, confirm: await enterDeviceCode(browser, String(begun.user_code)) }
}

/** The user's half of the device flow, up to the page that asks for consent. */
export async function enterDeviceCode(browser: PageBrowser, user_code: string): Promise<TestPage> {
  const input = await browser.open('/oauth/device')
  const shown = await browser.submit('/oauth/device', { xsrf: xsrfIn(input), user_code })
  return browser.submit('/oauth/device', { xsrf: xsrfIn(shown), user_code, confirm: 'yes' })
}

export const errorIn = (answer: TestAnswer): unknown => recordOf(JSON.parse(answer.text)).error
