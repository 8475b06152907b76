// The configuration of oidc-provider. The package is loaded with the first request to /oauth, so that the start and
// installations without OAuth do not pay for it.

import { timingSafeEqual } from 'node:crypto'
import type * as OidcProvider from 'oidc-provider'
import type { AdapterPayload, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { hashSecret } from '../auth/credential.ts'
import { toId } from '../lib/ids.ts'
import { required } from '../lib/required.ts'
import { errorFields } from '../telemetry/log.ts'
import { findClient } from './clients.store.ts'
import { apiResource, oauthPaths } from './endpoints.ts'
import { currentKey, type SigningKey } from './signing-keys.ts'
import type { OauthNeeds } from './subjects.ts'

const ACCESS_TOKEN_SECONDS = 900
/** A web application with 5,000 signed-in users needs half of it. */
const TOKEN_RATE = { quota: 600, window_ms: 60_000 }

type Library = Pick<typeof OidcProvider, 'default' | 'errors'>
type Client = InstanceType<Provider['Client']>

export async function buildProvider(app: OauthNeeds, keys: readonly SigningKey[]): Promise<Provider> {
  const library = await import('oidc-provider')
  const provider = new library.default(app.config.base_url, configure(app, keys, library))
  // Addresses come from BASE_URL: `mount.ts` sets the forwarded headers from it.
  provider.proxy = true
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
  provider.on('server_error', (_, error) => app.log.error('oauth request failed', errorFields(error)))
  return provider
}

function tooManyRequests({ default: LoadedProvider, errors }: Library, wait_ms: number): Error {
  LoadedProvider.ctx?.set('retry-after', String(Math.max(1, Math.ceil(wait_ms / 1000))))
  const error = new errors.OIDCProviderError(429, 'rate_limit_exceeded')
  error.error_description = `A client may request at most ${TOKEN_RATE.quota} tokens per minute.`
  return error
}

function configure(app: OauthNeeds, keys: readonly SigningKey[], library: Library): Configuration {
  const { base_url, keyring } = app.config
  const cookieKey = required(keyring.keyOf(keyring.current, 'oauth_cookie'), 'current key').toString('base64url')
  return {
    adapter: (kind) => ({ ...NO_ARTIFACTS, find: (id) => (kind === 'Client' ? loadClient(app, id) : none()) }),
    jwks: { keys: keys.map(({ private_key }) => private_key) },
    routes: oauthPaths,
    scopes: [],
    responseTypes: [],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    extraClientMetadata: { properties: ['tenant', 'allowed_scopes'] },
    cookies: { keys: [cookieKey] },
    ttl: { ClientCredentials: ACCESS_TOKEN_SECONDS },
    extraTokenClaims: (ctx) => ({ tenant: ctx.oidc.client?.tenant }),
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => apiResource(base_url),
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => {
          if (resource !== apiResource(base_url))
            throw new library.errors.InvalidTarget(`The only resource is ${apiResource(base_url)}.`)
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

/** The scopes of the client. A request without scopes asks for all of them; one for another scope is refused. */
function checkScopes({ oidc }: KoaContextWithOIDC, library: Library): string {
  const allowed = String(oidc.client?.allowed_scopes ?? '')
  const params = required(oidc.params, 'params')
  params.scope ??= allowed
  const refused = [...oidc.requestParamScopes].find((scope) => !allowed.split(' ').includes(scope))
  if (refused !== undefined) throw new library.errors.InvalidScope('requested scope is not allowed', refused)
  return allowed
}

const none = async (): Promise<undefined> => undefined
const NO_ARTIFACTS = {
  upsert: none,
  findByUserCode: none,
  findByUid: none,
  consume: none,
  destroy: none,
  revokeByGrantId: none,
}

async function loadClient({ db }: OauthNeeds, id: string): Promise<AdapterPayload | undefined> {
  const client = await findClient(db, id)
  if (!client) return undefined
  return {
    client_id: id,
    client_name: client.name,
    grant_types: client.grant_types,
    redirect_uris: client.redirect_uris,
    response_types: [],
    token_endpoint_auth_method: client.secret_hash === null ? 'none' : 'client_secret_basic',
    ...(client.secret_hash === null ? {} : { client_secret: client.secret_hash.toString('hex') }),
    tenant: toId('ten', client.tenant),
    allowed_scopes: client.scopes.join(' '),
  }
}
