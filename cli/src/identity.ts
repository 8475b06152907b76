// The user or the key that the server sees behind a login.

import { type ApiKey, type Octavo, OctavoError, type User } from '@octavo/sdk'
import { openClient } from './client.ts'
import type { KeyLogin, Login, UserLogin } from './login.ts'
import { readSaved } from './login.ts'
import { readClaims } from './oauth.ts'

export interface Identity {
  version: string
  tier: string | null
  /** null: the login is a user's, or the key may not read keys. */
  key: ApiKey | null
  /** null: the login is a key. */
  user: User | null
  /** null: unknown, because the API does not show it to a key. */
  tenant_id: string | null
  /** null: the key may not read keys. */
  scopes: string[] | null
  /** null: unknown, or it does not expire. */
  expires_at: string | null
}

export async function readIdentity(login: Login, signal?: AbortSignal, max_retries?: number): Promise<Identity> {
  const client = openClient({ login, ...(max_retries !== undefined && { max_retries }) })
  const { version } = await client.capabilities.get({}, { signal })
  const { tier } = (await allowed(client.rateLimits.get('tenant', {}, { signal }))) ?? { tier: null }
  const facts = login.tokens ? await readUser(client, login, signal) : await readKey(client, login, signal)
  return { version, tier, ...facts }
}

type Facts = Omit<Identity, 'version' | 'tier'>

/** null: the credential lacks the scope, or the server has no such thing, such as rate limits. */
async function allowed<T>(call: PromiseLike<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof OctavoError && (error.status === 403 || error.status === 404)) return null
    throw error
  }
}

/** The API has no address for the calling key; its preview finds it. */
async function readKey(client: Octavo, { api_key }: KeyLogin, signal?: AbortSignal): Promise<Facts> {
  const preview = `${api_key.slice(0, 12)}…${api_key.slice(-4)}`
  const find = async (): Promise<ApiKey | null> => {
    for await (const key of client.apiKeys.list({ limit: 100 }, { signal })) if (key.key_preview === preview) return key
    return null
  }
  const key = await allowed(find())
  return { key, user: null, tenant_id: null, scopes: key?.scopes ?? null, expires_at: key?.expires_at ?? null }
}

async function readUser(client: Octavo, { tokens }: UserLogin, signal?: AbortSignal): Promise<Facts> {
  const user = await allowed(client.users.get('me', {}, { signal }))
  // The requests before may have refreshed them.
  const { tenant, grant_id, scopes } = readClaims(readSaved().tokens ?? tokens)
  const grant = await allowed(client.authorizations.get(grant_id, {}, { signal }))
  return { key: null, user, tenant_id: tenant, scopes, expires_at: grant?.expires_at ?? null }
}
