// The configuration of oidc-provider. The package is loaded with the first request to /oauth, so that the start and
// installations without OAuth do not pay for it.

import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { required } from '@octavo/base/required.ts'
import { isOneOf } from '@octavo/base/unknown.ts'
import { scopeNames } from '@octavo/contract'
import type * as OidcProvider from 'oidc-provider'
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { resourceNames, resourceUrl } from '../auth/access-token.ts'
import { hashSecret, newSecret } from '../auth/credential.ts'
import { CLI_CLIENT } from '../lib/client-ids.ts'
import { errorFields } from '../telemetry/log.ts'
import { openAdapter, successorOf } from './adapter.ts'
import { DOCUMENT_CACHE, documentFetch, MAX_CLIENT_URL } from './client-documents.ts'
import { DEVICE_GRANT, INTERACTIONS, oauthPaths } from './endpoints.ts'
import { deviceFlow, renderError } from './provider.pages.ts'
import { currentKey, type SigningKey } from './signing-keys.ts'
import { findAccount, findGrantId, GRANT_SECONDS, newGrantId, type OauthNeeds, publicId } from './subjects.ts'

const ACCESS_TOKEN_SECONDS = 900
const DAY = 24 * 60 * 60
const REFRESH_IDLE_SECONDS = 30 * DAY
/** A web application with 5,000 signed-in users needs half of it. */
const TOKEN_RATE = { quota: 600, window_ms: 60_000 }

type Library = Pick<typeof OidcProvider, 'default' | 'errors' | 'interactionPolicy'>
type Client = InstanceType<Provider['Client']>
type Grant = InstanceType<Provider['Grant']>

/** Whether the browser of a request is still signed in with this account. */
export type IsSignedIn = (ctx: KoaContextWithOIDC, account_id: string) => Promise<boolean>

export interface ProviderParts {
  keys: readonly SigningKey[]
  isSignedIn: IsSignedIn
  onWrongDeviceCode: (request: IncomingMessage) => void
  /** Whether the document of an application may be fetched for this request. */
  mayFetch: (ctx: Pick<KoaContextWithOIDC, 'req'>) => Promise<boolean>
}

export async function buildProvider(app: OauthNeeds, parts: ProviderParts): Promise<Provider> {
  const library = await import('oidc-provider')
  const provider = new library.default(app.config.base_url, configure(app, parts, library))
  // Addresses come from BASE_URL: `mount.ts` sets the forwarded headers from it.
  provider.proxy = true
  provider.on('server_error', (_, error) => app.log.error('oauth request failed', errorFields(error)))
  Object.assign(provider.Client.prototype, {
    /** The stored secret is a hash, in hex. */
    async compareClientSecret(this: Client, secret: string): Promise<boolean> {
      const stored = Buffer.from(required(this.clientSecret, 'client secret'), 'hex')
      if (!timingSafeEqual(hashSecret(secret), stored)) return false
      const policy = { ...TOKEN_RATE, name: 'tokens', key: `oauth:${this.clientId}`, cost: 1 }
      // Counted only with the right secret, so that others cannot use up a client's quota.
      const [state] = app.config.has_rate_limits ? await app.limiter.take([policy]) : []
      if (state && !state.is_admitted) throw tooManyRequests(library, state.wait_ms)
      return true
    },
  })
  nameTokens(app, provider, library)
  return provider
}

/** Secrets have the format of all our secrets; a rotated refresh token is derived from the one before it. */
function nameTokens({ config }: OauthNeeds, provider: Provider, library: Library): void {
  Object.assign(provider.AuthorizationCode.prototype, { generateTokenId: () => newSecret('ac') })
  Object.assign(provider.RefreshToken.prototype, {
    generateTokenId(): string {
      const rotated = library.default.ctx?.oidc.entities.RotatedRefreshToken
      return rotated ? successorOf(config.keyring, rotated.jti) : newSecret('rt')
    },
  })
  Object.assign(provider.Grant.prototype, {
    generateTokenId(this: Grant): string {
      return newGrantId(required(this.accountId, 'account'))
    },
  })
}

function tooManyRequests({ default: LoadedProvider, errors }: Library, wait_ms: number): Error {
  LoadedProvider.ctx?.set('retry-after', String(Math.max(1, Math.ceil(wait_ms / 1000))))
  const error = new errors.OIDCProviderError(429, 'rate_limit_exceeded')
  error.error_description = `A client may request at most ${TOKEN_RATE.quota} tokens per minute.`
  return error
}

function configure(app: OauthNeeds, parts: ProviderParts, library: Library): Configuration {
  const { base_url, keyring } = app.config
  const { keys, isSignedIn } = parts
  const cookieKey = required(keyring.keyOf(keyring.current, 'oauth_cookie'), 'current key').toString('base64url')
  return {
    adapter: (kind) =>
      openAdapter(app, kind, {
        InvalidGrant: library.errors.InvalidGrant,
        checkTarget: () => checkResource(library.default.ctx?.oidc.params?.resource, base_url, library),
      }),
    jwks: { keys: keys.map(({ private_key }) => private_key) },
    routes: oauthPaths,
    fetch: documentFetch(app),
    clients: [
      {
        client_id: CLI_CLIENT,
        client_name: 'Octavo command line',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: [DEVICE_GRANT, 'refresh_token'],
        response_types: [],
        redirect_uris: [],
        allowed_scopes: scopeNames.join(' '),
      },
    ],
    // API scopes belong to the resource; listing them here would ask for consent again and again.
    scopes: ['offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    extraClientMetadata: { properties: ['tenant', 'allowed_scopes'] },
    pkce: { required: () => true },
    cookies: {
      keys: [cookieKey],
      names: { session: 'octavo_oauth', interaction: 'octavo_interaction', resume: 'octavo_resume' },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      ClientCredentials: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: 60,
      DeviceCode: 600,
      Interaction: 3600,
      Session: 600,
      Grant: GRANT_SECONDS,
      RefreshToken: (_ctx, token) => {
        const { iiat = Math.floor(Date.now() / 1000) } = token
        return Math.min(REFRESH_IDLE_SECONDS, Math.max(1, iiat + GRANT_SECONDS - Math.floor(Date.now() / 1000)))
      },
    },
    findAccount: async (_ctx, id) =>
      (await findAccount(app, id)) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    loadExistingGrant: async ({ oidc }) => {
      const account = required(oidc.account, 'account').accountId
      const client = required(oidc.client, 'client').clientId
      const grant_id = oidc.result?.consent?.grantId ?? (await findGrantId(app, account, client))
      return grant_id ? oidc.provider.Grant.find(grant_id) : undefined
    },
    interactions: {
      policy: interactionPolicy(library, isSignedIn),
      url: (_ctx, { uid }) => `${base_url}${INTERACTIONS}/${uid}`,
    },
    extraTokenClaims: tokenClaims,
    formats: {
      customizers: {
        jwt: (_ctx, token, { payload }) => {
          if (token.kind === 'AccessToken') payload.sub = publicId(String(payload.sub))
        },
      },
    },
    renderError: (ctx, out, error) => renderError(app, ctx, out, error),
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      clientIdMetadataDocument: {
        enabled: app.config.has_client_documents,
        ack: 'draft-02',
        cacheDuration: DOCUMENT_CACHE,
        // Without a context, the page of a user asks.
        allowFetch: async (ctx: KoaContextWithOIDC | undefined, url) =>
          url.length <= MAX_CLIENT_URL && (ctx === undefined || (await parts.mayFetch(ctx))),
      },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) =>
          client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
      },
      deviceFlow: deviceFlow(app, parts.onWrongDeviceCode),
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resourceUrl(base_url, 'api'),
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => {
          checkResource(resource, base_url, library)
          return {
            scope: checkScopes(ctx, library),
            audience: resource,
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256', kid: currentKey(keys).id } },
          }
        },
      },
    },
  }
}

/** oidc-provider checks the resource only after it has used up the code. */
function checkResource(resource: unknown, base_url: string, { errors }: Library): void {
  const known = resourceNames.map((name) => resourceUrl(base_url, name))
  if (resource !== undefined && !isOneOf(known, resource))
    throw new errors.InvalidTarget(`The resources are ${known.join(' and ')}.`)
}

/** A user who has signed out, or signed in as someone else, is asked again. */
function interactionPolicy({ interactionPolicy: { base, Check } }: Library, isSignedIn: IsSignedIn) {
  const policy = base()
  const login = required(policy.get('login'), 'login prompt')
  login.checks.add(
    new Check('signed_out', 'the user is not signed in', 'login_required', async (ctx) => {
      const { accountId } = required(ctx.oidc.session, 'session')
      if (accountId === undefined || ctx.oidc.result?.login) return Check.NO_NEED_TO_PROMPT
      return (await isSignedIn(ctx, accountId)) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
    }),
  )
  return policy
}

function tokenClaims({ oidc }: KoaContextWithOIDC, token: { kind: string; accountId?: string; grantId?: string }) {
  if (token.kind !== 'AccessToken') return { tenant: oidc.client?.tenant }
  const { AuthorizationCode, RefreshToken, DeviceCode } = oidc.entities
  const auth_time = (AuthorizationCode ?? RefreshToken ?? DeviceCode)?.authTime
  return {
    tenant: token.accountId?.split('.', 1)[0],
    grant_id: token.grantId === undefined ? undefined : publicId(token.grantId),
    ...(auth_time === undefined ? {} : { auth_time }),
  }
}

/** The scopes of the client. A request without scopes asks for all of them; one for another scope is refused. */
function checkScopes({ oidc }: KoaContextWithOIDC, library: Library): string {
  const allowed = String(oidc.client?.allowed_scopes ?? '')
  const params = required(oidc.params, 'params')
  if (params.grant_type === undefined || params.grant_type === 'client_credentials') params.scope ??= allowed
  const known = [...allowed.split(' '), 'offline_access']
  const refused = [...oidc.requestParamScopes].find((scope) => !known.includes(scope))
  if (refused !== undefined) throw new library.errors.InvalidScope('requested scope is not allowed', refused)
  return allowed
}
