// No escalation: a caller gives, changes and takes away only rights that it has itself.

import { type Role, roleScopes } from '@octavo/contract'
import type { Caller } from '../../lib/caller.ts'
import { Failure, invalidValue } from '../../lib/failure.ts'

/** Roles are compared by their scopes, so the rule is the same for users, API keys and tokens. */
export function refuseHigherRole(caller: Caller, role: Role): void {
  const missing = roleScopes[role].find((scope) => !caller.scopes.has(scope))
  if (missing !== undefined)
    throw new Failure(
      'permission_denied',
      `The role '${role}' includes the scope '${missing}', which your credentials do not have. Ask a user with this role or a higher one.`,
    )
}

/** The role and status of a user hold in the whole tenant. */
export function refuseLimited(caller: Caller): void {
  if (caller.projects !== null)
    throw new Failure(
      'permission_denied',
      'Your credentials are limited to projects, so you cannot create, change or remove users. You can manage the members of these projects.',
    )
}

/** `field` says what limits the role to projects. */
export function refuseLimitedRole(role: Role, isLimited: boolean, field: 'project_access' | 'project_ids'): void {
  if (!isLimited || role === 'editor' || role === 'viewer') return
  const remedy = field === 'project_ids' ? 'Remove project_ids' : "Set project_access to 'all'"
  throw invalidValue(field, 'inconsistent', `Users with the role '${role}' see the whole tenant. ${remedy}.`)
}
