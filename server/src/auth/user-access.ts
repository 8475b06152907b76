// The access of a user, for every credential that acts for one.

import { type Role, roleScopes, type Scope, type TierName } from '@octavo/contract'
import type { Database } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import { operator, type Principal } from '../lib/caller.ts'

interface AccessRow {
  role: Role
  project_access: 'all' | 'assigned'
  /** uuids of the projects that the user is a member of. */
  memberships: readonly string[]
}

const FIND =
  sql(`select u.role, u.project_access, u.suspended_at is not null or t.suspended_at is not null as is_suspended, t.tier,
  array(select m.project_id from project_members m where m.tenant_id = $1 and m.user_id = u.id)::text[] as memberships
  from users u join tenants t on t.id = u.tenant_id where u.tenant_id = $1 and u.id = $3`)

function effectiveAccess({ role, project_access, memberships }: AccessRow): Pick<Principal, 'scopes' | 'projects'> {
  return { scopes: new Set<Scope>(roleScopes[role]), projects: project_access === 'all' ? null : memberships }
}

/** Ids are uuids. The principal has all rights of the user: a token with fewer scopes limits them further. */
export async function findUserPrincipal(
  db: Database,
  tenant: string,
  user: string,
): Promise<Principal | 'suspended' | null> {
  const row = await db
    .for(operator(tenant, []))
    .find<AccessRow & { tier: TierName; is_suspended: boolean }>(FIND, [user])
  if (!row) return null
  if (row.is_suspended) return 'suspended'
  return {
    tenant,
    ...effectiveAccess(row),
    actor: { type: 'user', id: user },
    tier: row.tier,
    expires_at_ms: Number.POSITIVE_INFINITY,
    signed_in_at_ms: null,
  }
}
