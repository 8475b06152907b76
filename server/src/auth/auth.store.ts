// The lookup behind a credential.

import type { Scope, TierName } from '@octavo/contract'
import type { Database } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import type { Caller, Principal } from '../lib/caller.ts'
import { operator } from '../lib/caller.ts'
import type { ResourceName } from './access-token.ts'

const SECRET = sql(
  `select tenant_id::text as tenant, key_id::text as key, expires_at from key_secrets where hash = $1 and (expires_at is null or expires_at > now())`,
  null,
  [17],
)
const KEY =
  sql(`select k.scopes, k.project_ids::text[] as projects, t.tier, k.last_used_at, t.suspended_at is not null as is_suspended,
  least(k.expires_at, $4::timestamptz) as expires_at
  from api_keys k join tenants t on t.id = k.tenant_id
  where k.tenant_id = $1 and k.id = $3 and (k.expires_at is null or k.expires_at > now())`)
const USED = sql(`update api_keys set last_used_at = date_trunc('minute', now()) where tenant_id = $1 and id = $3`)
const GRANT_USED = sql(
  `update oauth_grants set last_used_at = date_trunc('minute', now()) where tenant_id = $1 and id = $3`,
)

interface KeyRow {
  scopes: Scope[]
  projects: string[] | null
  tier: TierName
  last_used_at: string | null
  expires_at: string | null
  is_suspended: boolean
}

export interface Credential {
  principal: Principal
  /** Where the credential is accepted. */
  resource: ResourceName
  last_used_at: string | null
  /** uuids of the client, grant and user behind an access token: a change of one of them ends the cached entry. */
  depends_on: readonly string[]
  /** uuid of the grant behind a user's access token. */
  grant: string | null
}

export async function findCredential(db: Database, hash: Buffer): Promise<Credential | 'suspended' | null> {
  const secret = await db.findSecret<{ tenant: string; key: string; expires_at: string | null }>(hash, SECRET)
  if (!secret) return null
  const row = await db.for(operator(secret.tenant, [])).find<KeyRow>(KEY, [secret.key, secret.expires_at])
  if (!row) return null
  if (row.is_suspended) return 'suspended'
  return {
    principal: {
      tenant: secret.tenant,
      projects: row.projects,
      scopes: new Set(row.scopes),
      actor: { type: 'api_key', id: secret.key },
      tier: row.tier,
      expires_at_ms: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
      signed_in_at_ms: null,
    },
    resource: 'api',
    last_used_at: row.last_used_at,
    depends_on: [],
    grant: null,
  }
}

/** Accurate to the minute. It is not a change of the resource, and failures are ignored. */
export async function touchCredential(db: Database, { principal, grant }: Credential): Promise<void> {
  const { type, id } = principal.actor
  const caller: Caller = { ...operator(principal.tenant, []), ...principal, projects: null }
  if (type === 'api_key') await db.for(caller).rows(USED, [id])
  else if (grant !== null) await db.for(caller).rows(GRANT_USED, [grant])
}
