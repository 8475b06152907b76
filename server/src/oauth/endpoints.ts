// The addresses of the authorization server and its metadata (RFC 8414). They are nouns, like those of the API.

import { scopeNames } from '@octavo/contract'
import type { App } from '../app.ts'
import { resourceNames, resourceUrl } from '../auth/access-token.ts'

const OAUTH_ROOT = '/oauth'
export const oauthPaths = {
  authorization: `${OAUTH_ROOT}/authorization`,
  token: `${OAUTH_ROOT}/token`,
  revocation: `${OAUTH_ROOT}/revocation`,
  introspection: `${OAUTH_ROOT}/introspection`,
  jwks: `${OAUTH_ROOT}/jwks`,
  device_authorization: `${OAUTH_ROOT}/device-authorization`,
  code_verification: `${OAUTH_ROOT}/device`,
} as const
/** Where a user answers; followed by the id of the interaction. */
export const INTERACTIONS = `${OAUTH_ROOT}/interactions`

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export function authorizationServerMetadata({
  base_url,
  has_client_documents,
}: Pick<App['config'], 'base_url' | 'has_client_documents'>): Record<string, unknown> {
  const url = (path: string): string => `${base_url}${path}`
  const methods = ['client_secret_basic', 'client_secret_post']
  return {
    issuer: base_url,
    authorization_endpoint: url(oauthPaths.authorization),
    token_endpoint: url(oauthPaths.token),
    revocation_endpoint: url(oauthPaths.revocation),
    introspection_endpoint: url(oauthPaths.introspection),
    device_authorization_endpoint: url(oauthPaths.device_authorization),
    jwks_uri: url(oauthPaths.jwks),
    scopes_supported: [...scopeNames, 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT],
    token_endpoint_auth_methods_supported: ['none', ...methods],
    revocation_endpoint_auth_methods_supported: ['none', ...methods],
    introspection_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...(has_client_documents ? { client_id_metadata_document_supported: true } : {}),
    protected_resources: resourceNames.map((name) => resourceUrl(base_url, name)),
  }
}
