// An authorization server with one user, applications of every kind, and a strict client library.

import type { Octavo } from '@octavo/sdk'
import * as oauth from 'oauth4webapi'
import { recordOf } from '../../base/src/unknown.ts'
import { ask, type TestAnswer } from '../../server/src/testing/ask.ts'
import { registerWebApp, signInBrowser, type TestClient } from '../../server/src/testing/oauth.ts'
import type { PageBrowser } from '../../server/src/testing/page-browser.ts'
import { createTestUser } from '../../server/src/testing/users.ts'
import type { World } from '../lib/world.ts'

export const TOKEN = '/oauth/token'
/** A program asks for a token by itself. */
export const PROGRAM = { grant_type: 'client_credentials' }
const EMAIL = 'ada@example.com'
const FORM = 'application/x-www-form-urlencoded'
// oxlint-disable-next-line typescript/no-deprecated -- the server of the proof speaks plain HTTP
export const INSECURE = { [oauth.allowInsecureRequests]: true }

export interface OauthScene {
  api: { url: string; owner_key: string }
  owner: Octavo
  tenant: string
  user_id: string
  browser: PageBrowser
  /** Confidential, with a refresh token. */
  web: TestClient
  /** Confidential, of the same tenant. */
  other: TestClient
  /** Public. */
  app: TestClient
  /** With its own secret and without users. */
  program: TestClient
  /** The metadata, as the strict client accepted it. */
  as: oauth.AuthorizationServer
}

export async function openScene(world: World): Promise<OauthScene> {
  const { tenant, key } = await world.newTenant()
  const { url } = await world.startApi()
  const user = await createTestUser({ app: world.app, owner_tenant: tenant }, EMAIL)
  const owner = key.client()
  const api = { url, owner_key: key.secret }
  const issuer = new URL(url)
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE })
  return {
    api,
    owner,
    tenant,
    user_id: user,
    browser: await signInBrowser(api, EMAIL),
    web: await registerWebApp(owner),
    other: await registerWebApp(owner),
    app: await registerWebApp(owner, { is_confidential: false }),
    program: await registerWebApp(owner, { grant_types: ['client_credentials'], redirect_uris: [] }),
    as: await oauth.processDiscoveryResponse(issuer, discovered),
  }
}

/** POST of a form with exactly these headers and parameters. A list has repeated parameters. */
export function sendForm(
  { api }: Pick<OauthScene, 'api'>,
  path: string,
  params: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const body = new URLSearchParams(params).toString()
  return ask(api, path, { method: 'POST', key: null, body, headers: { 'content-type': FORM, ...headers } })
}

export const basic = (id: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})

/** Credentials in the body. */
export const secretOf = ({ id, secret }: TestClient): Record<string, string> => ({
  client_id: id,
  ...(secret === null ? {} : { client_secret: secret }),
})

export const bodyOf = ({ text }: TestAnswer): Record<string, unknown> => {
  try {
    return recordOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Status and error code. */
export const refusal = (answer: TestAnswer): string => `${answer.status} ${String(bodyOf(answer).error)}`
