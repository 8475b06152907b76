// Rules for OAuth applications that need no database.

import type { NewOauthClient, OauthGrantType, Scope } from '@octavo/contract'
import type { Caller } from '../../lib/caller.ts'
import { Failure, invalidValue } from '../../lib/failure.ts'
import { uuidOf } from '../../lib/ids.ts'

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

interface Rights {
  scopes: readonly Scope[]
  project_ids: readonly string[] | null
}

/** An application never gets more than the caller who registers it has. */
export function refuseWiderAccess({ scopes, projects }: Caller, rights: Rights): void {
  const missing = rights.scopes.find((scope) => !scopes.has(scope))
  if (missing)
    throw new Failure(
      'permission_denied',
      `Your credential does not have the scope '${missing}', so it cannot manage an application that has it.`,
    )
  if (projects === null) return
  if (rights.project_ids === null || rights.project_ids.some((id) => !projects.includes(uuidOf('proj', id))))
    throw new Failure(
      'permission_denied',
      'Your credential is limited to projects, so it can manage only applications that are limited to these projects. Set project_ids.',
    )
}
