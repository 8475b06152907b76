// Accounts and grants as oidc-provider names them. An account is `<tenant id>.<user id>` and a grant
// `<tenant id>.<grant id>`, since a lookup needs the tenant.

import { required } from '@octavo/base/required.ts'
import { isOneOf, recordOf } from '@octavo/base/unknown.ts'
import { type Scope, scopeNames } from '@octavo/contract'
import type { AdapterPayload } from 'oidc-provider'
import type { Needs } from '../app.ts'
import { resourceNames, resourceUrl } from '../auth/access-token.ts'
import { findUserPrincipal } from '../auth/user-access.ts'
import { operator, type Principal } from '../lib/caller.ts'
import { CLI_CLIENT, parseClientId } from '../lib/client-ids.ts'
import { newUuid, toId, uuidOf } from '../lib/ids.ts'
import {
  endAuthorization,
  findAuthorization,
  findAuthorizationFor,
  saveAuthorization,
} from '../resources/authorizations/authorizations.service.ts'

export type OauthNeeds = Needs<'config' | 'db' | 'system' | 'log' | 'limiter' | 'egress'>

/** The user has to agree again after a year. */
export const GRANT_SECONDS = 365 * 24 * 60 * 60

function split(text: string): { tenant: string; id: string } {
  const [tenant = '', id = ''] = text.split('.', 2)
  return { tenant: uuidOf('ten', tenant), id }
}

/** uuids. */
export function parseGrantId(grant_id: string): { tenant: string; grant: string } {
  const { tenant, id } = split(grant_id)
  return { tenant, grant: uuidOf('grt', id) }
}
function parseAccountId(account_id: string): { tenant: string; user: string } {
  const { tenant, id } = split(account_id)
  return { tenant, user: uuidOf('usr', id) }
}
export const accountId = (tenant: string, user: string): string => `${toId('ten', tenant)}.${toId('usr', user)}`
export const newGrantId = (account_id: string): string => `${account_id.split('.', 1)[0]}.${toId('grt', newUuid())}`
/** The last part of an account or grant: the id that the API shows. */
export const publicId = (subject: string): string => subject.slice(subject.indexOf('.') + 1)

/** null for a user who is suspended, or whose tenant is. */
export async function findAccount({ db }: OauthNeeds, account_id: string): Promise<Principal | null> {
  const { tenant, user } = parseAccountId(account_id)
  const principal = await findUserPrincipal(db, tenant, user)
  return principal === 'suspended' ? null : principal
}

export async function saveGrant(app: OauthNeeds, grant_id: string, payload: AdapterPayload): Promise<void> {
  const { tenant, grant } = parseGrantId(grant_id)
  const { user } = parseAccountId(required(payload.accountId, 'account'))
  const granted = String(recordOf(payload.resources)[resourceUrl(app.config.base_url, 'api')] ?? '').split(' ')
  const scopes = granted.filter((scope): scope is Scope => isOneOf(scopeNames, scope))
  const client = parseClientId(payload.clientId ?? '')
  const expires_at = new Date(Date.now() + GRANT_SECONDS * 1000)
  // The user gives the access, so the user is the actor of the event.
  const caller = { ...operator(tenant, []), actor: { type: 'user', id: user } } as const
  await app.db.transaction(caller, (tx) => saveAuthorization(tx, { grant, user, ...client, scopes, expires_at }))
}

export async function loadGrant(app: OauthNeeds, grant_id: string): Promise<AdapterPayload | undefined> {
  const { tenant, grant } = parseGrantId(grant_id)
  const row = await findAuthorization(app.db.for(operator(tenant, [])), toId('grt', grant))
  if (!row) return undefined
  return {
    jti: grant_id,
    kind: 'Grant',
    accountId: `${toId('ten', tenant)}.${row.user_id}`,
    clientId: row.client_url ?? row.client_id ?? CLI_CLIENT,
    resources: Object.fromEntries(
      resourceNames.map((name) => [resourceUrl(app.config.base_url, name), row.scopes.join(' ')]),
    ),
    openid: { scope: 'offline_access' },
    iat: Math.floor(Date.parse(row.created_at) / 1000),
    exp: Math.floor(Date.parse(row.expires_at) / 1000),
  }
}

/** The grant that the user gave to the application before. Each sign-in of the command line has a grant by itself. */
export async function findGrantId(app: OauthNeeds, account_id: string, client_id: string): Promise<string | null> {
  if (client_id === CLI_CLIENT) return null
  const { tenant, user } = parseAccountId(account_id)
  const row = await findAuthorizationFor(app.db.for(operator(tenant, [])), user, parseClientId(client_id))
  return row && `${toId('ten', tenant)}.${row.id}`
}

export async function removeGrant(app: OauthNeeds, grant_id: string): Promise<void> {
  const { tenant, grant } = parseGrantId(grant_id)
  await app.db.transaction(operator(tenant, []), (tx) => endAuthorization(tx, toId('grt', grant)))
}
