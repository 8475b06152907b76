// Rules for OAuth applications that need no database.

import type { NewOauthClient, OauthGrantType } from '@octavo/contract'
import { invalidValue } from '../../lib/failure.ts'

const LOOPBACK = new Set(['127.0.0.1', '[::1]'])

/** RFC 9700, RFC 8252: https, http on a loopback address, or a private-use scheme in reverse domain notation. */
function isAllowedRedirectUri(text: string): boolean {
  const url = URL.parse(text)
  // A URI that changes when it is parsed could be compared in two ways.
  if (!url || text.includes('#') || text.includes('*') || /[\s\\]/.test(text) || url.username || url.password)
    return false
  if (url.protocol === 'https:') return url.href === text || url.href === `${text}/`
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname)
  return /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(url.protocol)
}

export function checkClient({ grant_types, redirect_uris = [], is_confidential = true }: NewOauthClient): void {
  checkRedirectUris(grant_types, redirect_uris)
  if (!is_confidential && grant_types.includes('client_credentials'))
    throw invalidValue('is_confidential', 'inconsistent', 'The grant type client_credentials needs a secret.')
  if (grant_types.includes('refresh_token') && !grant_types.includes('authorization_code'))
    throw invalidValue('grant_types', 'inconsistent', 'Add authorization_code: refresh tokens are issued with it.')
}

export function checkRedirectUris(grant_types: readonly OauthGrantType[], redirect_uris: readonly string[]): void {
  const wrong = redirect_uris.findIndex((uri) => !isAllowedRedirectUri(uri))
  if (wrong >= 0)
    throw invalidValue(
      `redirect_uris[${wrong}]`,
      'invalid_format',
      'Use https, http on 127.0.0.1 or [::1], or a private-use scheme such as com.example.app:/callback, without a fragment or a user name.',
    )
  if (grant_types.includes('authorization_code') && redirect_uris.length === 0)
    throw invalidValue('redirect_uris', 'too_few_items', 'The grant type authorization_code needs a redirect URI.')
}
