// Users of a tenant and their callers, without a sign-in.

import type { Role } from '@octavo/contract'
import type { Octavo, User } from '@octavo/sdk'
import { findUserPrincipal } from '../auth/user-access.ts'
import type { Tx } from '../db/database.ts'
import { type Caller, NO_DEADLINE } from '../lib/caller.ts'
import { newUuid, uuidOf } from '../lib/ids.ts'
import type { TestApi } from './api.ts'

export const newEmail = (): string => `${newUuid()}@example.com`

export const newUser = (client: Octavo, role: Role, project_access?: 'all' | 'assigned'): Promise<User> =>
  client.users.create({ email: newEmail(), name: `An ${role}`, role, ...(project_access && { project_access }) })

/** The caller that a credential of the user would be. */
export async function callerOf({ app }: Pick<TestApi, 'app'>, tenant: string, user_id: string): Promise<Caller> {
  const principal = await findUserPrincipal(app.db, uuidOf('ten', tenant), uuidOf('usr', user_id))
  if (principal === null || principal === 'suspended') throw new Error(`User ${user_id} has no access.`)
  return { ...principal, request: null, deadline: NO_DEADLINE, onQuotaCharged: null }
}

/** Runs a write of a service as the user. */
export async function writeAs<T>(
  api: Pick<TestApi, 'app'>,
  { tenant, user_id }: { tenant: string; user_id: string },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return api.app.db.transaction(await callerOf(api, tenant, user_id), work)
}
