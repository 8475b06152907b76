// Sign-in with an external OpenID provider: authorization code with PKCE, state and nonce. A user is recognized by issuer
// and subject, never by email address: an address can pass to another person.

import { recordOf } from '@octavo/base/unknown.ts'
import type { Configuration } from 'openid-client'
import type { App } from '../app.ts'
import { seal, unseal } from '../lib/keyring.ts'
import { errorFields } from '../telemetry/log.ts'
import { readCookie, setCookie } from './cookies.ts'
import { PageProblem, type Visit } from './visit.ts'

export type ProviderConfig = NonNullable<App['config']['oidc']>

/** The account at the provider. */
export interface ProviderAccount {
  issuer: string
  subject: string
  email: string | null
  name: string | null
  groups: readonly string[]
}
/** Why the user was sent to the provider. */
export interface ProviderIntent {
  kind: 'sign_in' | 'link' | 'invitation'
  /** The secret of an invitation; for a link, the session in which it began. */
  secret: string
  return_to: string | null
}

const STATE_SECONDS = 600
const CALLBACK = '/sign-in/provider/callback'

let discovered: { issuer: string; configuration: Promise<Configuration> } | null = null

/** Fetched once; a failure is not remembered. */
async function discover(oidc: ProviderConfig): Promise<Configuration> {
  if (discovered?.issuer === oidc.issuer) return discovered.configuration
  // oxlint-disable-next-line typescript/no-deprecated -- for a provider on the same machine, as in development
  const { allowInsecureRequests, discovery } = await import('openid-client')
  const execute = oidc.issuer.startsWith('http:') ? [allowInsecureRequests] : []
  const configuration = discovery(new URL(oidc.issuer), oidc.client_id, oidc.client_secret, undefined, { execute })
  discovered = { issuer: oidc.issuer, configuration }
  configuration.catch(() => (discovered = null))
  return configuration
}

export function requireProvider(visit: Visit): ProviderConfig {
  const { oidc } = visit.app.config
  if (!oidc) throw new PageProblem(404, 'Single sign-on is not set up on this server. Sign in with your password.')
  return oidc
}

const unreachable = (visit: Visit, error: unknown): PageProblem => {
  visit.app.log.error('identity provider failed', {
    request_id: visit.request.context.request_id,
    ...errorFields(error),
  })
  return new PageProblem(
    503,
    'The identity provider does not respond correctly. Try again, or sign in with your password.',
  )
}

/** The address at the provider. State, nonce and code verifier wait in a sealed cookie. */
export async function providerUrl(visit: Visit, intent: ProviderIntent): Promise<string> {
  const oidc = requireProvider(visit)
  const client = await import('openid-client')
  const configuration = await discover(oidc).catch((error: unknown) => {
    throw unreachable(visit, error)
  })
  const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
  const { base_url, keyring } = visit.app.config
  const text = JSON.stringify({ state, nonce, verifier, intent, ends_ms: Date.now() + STATE_SECONDS * 1_000 })
  const value = seal(keyring, 'sign_in', text, 'provider').toString('base64url')
  setCookie(visit.reply, base_url, { name: 'provider', value, seconds: STATE_SECONDS })
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: base_url + CALLBACK,
    scope: oidc.scopes,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return url.href
}

/** Exchanges the code and checks the ID token. */
export async function readProviderAnswer(visit: Visit): Promise<{ account: ProviderAccount; intent: ProviderIntent }> {
  const oidc = requireProvider(visit)
  const { base_url, keyring } = visit.app.config
  const cookie = readCookie(visit.request, base_url, 'provider') ?? ''
  const text = unseal(keyring, 'sign_in', Buffer.from(cookie, 'base64url'), 'provider')
  const { state, nonce, verifier, intent, ends_ms } = recordOf(text && JSON.parse(text.toString()))
  setCookie(visit.reply, base_url, { name: 'provider', value: '', seconds: 0 })
  if (typeof ends_ms !== 'number' || ends_ms < Date.now() || visit.query('state') !== state)
    throw new PageProblem(403, 'This sign-in has expired or was started in another browser. Try again.')
  if (visit.query('error') !== null)
    throw new PageProblem(403, 'The identity provider refused the sign-in. Try again, or ask its administrator.')
  const client = await import('openid-client')
  const current = new URL(`${base_url}${CALLBACK}${new URL(visit.request.url, base_url).search}`)
  const tokens = await client
    .authorizationCodeGrant(await discover(oidc), current, {
      pkceCodeVerifier: String(verifier),
      expectedState: String(state),
      expectedNonce: String(nonce),
      idTokenExpected: true,
    })
    .catch((error: unknown) => {
      throw unreachable(visit, error)
    })
  return { account: accountOf(oidc, recordOf(tokens.claims())), intent: intentOf(recordOf(intent)) }
}

function accountOf(oidc: ProviderConfig, claims: Record<string, unknown>): ProviderAccount {
  const { iss, sub, email, email_verified, name } = claims
  const groups = claims[oidc.groups_claim]
  return {
    issuer: String(iss),
    subject: String(sub),
    email: typeof email === 'string' && email_verified !== false ? email : null,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 100) : null,
    groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [],
  }
}

function intentOf({ kind, secret, return_to }: Record<string, unknown>): ProviderIntent {
  const isKnown = kind === 'link' || kind === 'invitation'
  return {
    kind: isKnown ? kind : 'sign_in',
    secret: typeof secret === 'string' ? secret : '',
    return_to: typeof return_to === 'string' ? return_to : null,
  }
}
