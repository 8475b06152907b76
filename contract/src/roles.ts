// Roles: each is a set of scopes. Which projects a user sees is a separate field, `project_access`.

import { type Scope, scopeNames } from './scopes.ts'

export const roleNames = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof roleNames)[number]

const named = (...endings: string[]): Scope[] =>
  scopeNames.filter((scope) => endings.some((ending) => scope.endsWith(ending)))

/** The scopes of each role. A new scope goes to the roles that its ending names. */
export const roleScopes: Readonly<Record<Role, readonly Scope[]>> = {
  /** Everything, including the appointment of owners. */
  owner: scopeNames,
  /** Everything except `tenant:manage`. */
  admin: scopeNames.filter((scope) => scope !== 'tenant:manage'),
  /** Reads and writes, but does not manage people or credentials, except for applications that it authorized. */
  editor: [...named(':read', ':write'), 'authorizations:manage'],
  /** Reads, searches and asks questions. */
  viewer: [...named(':read'), 'searches:write', 'authorizations:manage'],
}
