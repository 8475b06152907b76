// The look-up behind a credential.

import type { Scope, TierName } from '@octavo/contract'
import type { Database } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import type { Caller, Principal } from '../lib/caller.ts'
import { operator } from '../lib/caller.ts'

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
  last_used_at: string | null
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
    },
    last_used_at: row.last_used_at,
  }
}

/** Bookkeeping to the minute: neither a change of the resource nor worth an error. */
export async function touchKey(db: Database, principal: Principal): Promise<void> {
  const caller: Caller = { ...operator(principal.tenant, []), ...principal, projects: null }
  await db.for(caller).rows(USED, [principal.actor.id])
}
