// Applications that are not registered here: the client id is the address of a JSON document that describes the
// application (draft-ietf-oauth-client-id-metadata-document). oidc-provider reads it through this file.

import { text } from 'node:stream/consumers'
import { isOneOf, recordOf } from '@octavo/base/unknown.ts'
import { applicationScopes } from '@octavo/contract'
import type { Configuration } from 'oidc-provider'
import { applicationType } from './clients.ts'
import type { OauthNeeds } from './subjects.ts'

/** The draft recommends to refuse more than 5 kB. */
const FETCH = { max_bytes: 10_000, total_ms: 2_500 }
export const MAX_CLIENT_URL = 1_000
const MAX_NAME = 100
const GRANT_TYPES = ['authorization_code', 'refresh_token']
/** Seconds. A changed document takes effect within an hour. */
export const DOCUMENT_CACHE = { min: 60, max: 3_600 }

/** For a document that oidc-provider asks for. Every address comes from others, so `egress/` fetches it. */
export const documentFetch =
  (app: OauthNeeds): NonNullable<Configuration['fetch']> =>
  async (input) => {
    const url = input instanceof Request ? input.url : String(input)
    const { status, headers, body } = await app.egress(url, { ...FETCH, signal: AbortSignal.timeout(FETCH.total_ms) })
    const json = await text(body)
    if (status !== 200) return new Response(null, { status })
    const cache = headers['cache-control']
    return Response.json(clientOf(url, JSON.parse(json)), {
      headers: typeof cache === 'string' ? { 'cache-control': cache } : {},
    })
  }

/** Only these fields count: the document must not name a tenant, keys or further addresses. */
function clientOf(url: string, document: unknown): Record<string, unknown> {
  const { client_id, client_name, redirect_uris, grant_types, token_endpoint_auth_method } = recordOf(document)
  const uris = stringsIn(redirect_uris)
  const name = typeof client_name === 'string' ? client_name.slice(0, MAX_NAME) : ''
  return {
    client_id,
    client_name: name || new URL(url).host,
    redirect_uris: uris,
    grant_types: Array.isArray(grant_types) ? GRANT_TYPES.filter((type) => isOneOf(grant_types, type)) : GRANT_TYPES,
    response_types: ['code'],
    application_type: applicationType(uris),
    token_endpoint_auth_method: token_endpoint_auth_method ?? 'none',
    allowed_scopes: applicationScopes.join(' '),
  }
}

const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
