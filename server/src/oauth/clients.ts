// A stored client as oidc-provider describes it.

import type { AdapterPayload } from 'oidc-provider'
import { toId } from '../lib/ids.ts'
import { findClient } from './clients.store.ts'
import type { OauthNeeds } from './subjects.ts'

export async function loadClient({ db }: OauthNeeds, id: string): Promise<AdapterPayload | undefined> {
  const client = await findClient(db, id)
  if (!client) return undefined
  const { grant_types, redirect_uris, secret_hash } = client
  return {
    client_id: id,
    client_name: client.name,
    grant_types,
    redirect_uris,
    response_types: grant_types.includes('authorization_code') ? ['code'] : [],
    application_type: applicationType(redirect_uris),
    token_endpoint_auth_method: secret_hash === null ? 'none' : 'client_secret_basic',
    ...(secret_hash === null ? {} : { client_secret: secret_hash.toString('hex') }),
    tenant: toId('ten', client.tenant),
    allowed_scopes: client.scopes.join(' '),
  }
}

/** Loopback addresses and private-use schemes belong to apps on the user's device. */
export const applicationType = (redirect_uris: readonly string[]): 'web' | 'native' =>
  redirect_uris.every((uri) => uri.startsWith('https:')) ? 'web' : 'native'
