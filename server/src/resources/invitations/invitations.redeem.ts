// Accepting an invitation, for the sign-in pages: the bearer of the link becomes a user.

import type { Role, User } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import { record } from '../../events/record.ts'
import { operator } from '../../lib/caller.ts'
import { Failure } from '../../lib/failure.ts'
import { newUuid, toId } from '../../lib/ids.ts'
import { findLink, redeemLink } from '../../links/links.service.ts'
import { addMemberships } from '../members/members.service.ts'
import { insertUser } from '../users/users.service.ts'
import * as store from './invitations.store.ts'

/** For the page of a link. */
export interface OpenInvitation {
  email: string
  role: Role
  tenant_name: string
}
export interface NewUserDetails {
  name: string
  /** null: the user signs in with an external identity provider. */
  password_hash: string | null
}

const unusable = (): Failure =>
  new Failure('not_found', 'This link was used, has expired or is incomplete. Ask for a new invitation.')

/** Does not use the link up; null if it does not work. */
export async function findOpenInvitation(app: Needs<'db'>, secret: string): Promise<OpenInvitation | null> {
  const link = await findLink(app, secret, 'invitation')
  if (!link) return null
  const db = app.db.for(operator(link.tenant, []))
  const [invitation, tenant] = await Promise.all([
    store.findInvitation(db, toId('inv', link.subject)),
    store.readTenant(db),
  ])
  if (!invitation || tenant.is_suspended) return null
  return { email: invitation.email, role: invitation.role, tenant_name: tenant.name }
}

/**
 * Uses the link up and creates the user with its memberships, in one transaction: of several requests with the same
 * link, one succeeds.
 */
export async function redeemInvitation(app: Needs<'db'>, secret: string, details: NewUserDetails): Promise<User> {
  const link = await findLink(app, secret, 'invitation')
  if (!link) throw unusable()
  const id = newUuid()
  const caller = { ...operator(link.tenant, []), actor: { type: 'user', id } } as const
  return app.db.transaction(caller, async (tx) => {
    const subject = await redeemLink(tx, secret, 'invitation')
    if (subject === null || (await store.readTenant(tx)).is_suspended) throw unusable()
    const invitation = await store.acceptInvitation(tx, toId('inv', subject), id)
    if (!invitation) throw unusable()
    const { email, role, project_ids } = invitation
    const project_access = project_ids === null ? 'all' : 'assigned'
    const user = await insertUser(tx, {
      ...details,
      id,
      email,
      role,
      project_access,
      metadata: {},
      signed_in_at: null,
    })
    if (project_ids !== null) addMemberships(tx, user.id, project_ids)
    record(tx, 'invitation.accepted', invitation)
    return user
  })
}
