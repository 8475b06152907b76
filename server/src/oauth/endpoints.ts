// The addresses of the authorization server and its metadata (RFC 8414). They are nouns, like those of the API.

import { scopeNames } from '@octavo/contract'

const OAUTH_ROOT = '/oauth'
export const oauthPaths = {
  token: `${OAUTH_ROOT}/token`,
  jwks: `${OAUTH_ROOT}/jwks`,
} as const

/** The resource that access tokens are for. */
export const apiResource = (base_url: string): string => `${base_url}/api`

export function authorizationServerMetadata(base_url: string): Record<string, unknown> {
  const url = (path: string): string => `${base_url}${path}`
  return {
    issuer: base_url,
    token_endpoint: url(oauthPaths.token),
    jwks_uri: url(oauthPaths.jwks),
    scopes_supported: scopeNames,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  }
}
