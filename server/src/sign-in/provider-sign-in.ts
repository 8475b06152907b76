// The sign-in with an external provider: known accounts, new users of one tenant, invitations, and linking an account.

import { type Role, roleNames, scopeNames } from '@octavo/contract'
import { hashIdentity, listIdentities } from '../auth/identities.store.ts'
import type { Tx } from '../db/database.ts'
import { operator } from '../lib/caller.ts'
import { Failure } from '../lib/failure.ts'
import { newUuid, toId, uuidOf } from '../lib/ids.ts'
import { findLink } from '../links/links.service.ts'
import { redeemInvitation } from '../resources/invitations/invitations.redeem.ts'
import { insertUser, updateUser } from '../resources/users/users.service.ts'
import { insertIdentity } from './identities.store.ts'
import type { PageResult } from './page.ts'
import { finishSignIn } from './password-sign-in.ts'
import {
  type ProviderAccount,
  type ProviderConfig,
  type ProviderIntent,
  providerUrl,
  readProviderAnswer,
  requireProvider,
} from './provider.ts'
import { callerOf } from './sessions.ts'
import { leavePage } from './sign-in.pages.ts'
import { safeReturnTo } from './sign-in.rules.ts'
import { readAccounts } from './sign-in.service.ts'
import { PageProblem, type Visit } from './visit.ts'

const RECENT_MS = 15 * 60_000

/** A link and not a form: `form-action 'self'` would block the redirect. */
export async function goToProvider(visit: Visit): Promise<PageResult> {
  const secret = visit.query('invitation')
  const kind = secret === null ? 'sign_in' : 'invitation'
  return { leave_to: await providerUrl(visit, { kind, secret: secret ?? '', return_to: visit.return_to }) }
}

/** After a form, because another site must not link its account. A page leads on, since `form-action` blocks a redirect. */
export async function linkProvider(visit: Visit): Promise<PageResult> {
  if (!visit.session) return { redirect_to: '/sign-in' }
  if (Date.now() - visit.session.signed_in_at.getTime() > RECENT_MS)
    return { redirect_to: `/sign-in?${new URLSearchParams({ return_to: '/sign-in/account', again: 'true' })}` }
  return leavePage(
    await providerUrl(visit, { kind: 'link', secret: visit.session.session, return_to: null }),
    requireProvider(visit).name,
  )
}

export async function returnFromProvider(visit: Visit): Promise<PageResult> {
  const { account, intent } = await readProviderAnswer(visit)
  if (intent.kind === 'link') return linkAccount(visit, account, intent)
  if (intent.kind === 'invitation') await acceptWith(visit, account, intent)
  const oidc = requireProvider(visit)
  const known = await listIdentities(visit.app.db, hashIdentity(account))
  if (known.length === 0) known.push(await createFrom(visit, oidc, account))
  else await updateRoles(visit, oidc, account, known)
  const accounts = await readAccounts(visit.app, visit.request, known)
  return finishSignIn(visit, accounts, 'provider', safeReturnTo(intent.return_to))
}

async function linkAccount(visit: Visit, account: ProviderAccount, { secret }: ProviderIntent): Promise<PageResult> {
  const { session, app, request } = visit
  if (session?.session !== secret) throw new PageProblem(403, 'Your session has ended. Sign in and try again.')
  const { tenant, user } = session.user
  const isLinked = await app.db.transaction(callerOf(request, tenant), (tx) => saveIdentity(tx, user, account))
  if (!isLinked) throw new PageProblem(409, 'This account is already linked to a user.')
  return { redirect_to: '/sign-in/account?saved=provider' }
}

const saveIdentity = (tx: Tx, user: string, account: ProviderAccount): Promise<boolean> =>
  insertIdentity(tx, { user, hash: hashIdentity(account), issuer: account.issuer, subject: account.subject })

/** The link proves the invitation, so the address at the provider may be another one. */
async function acceptWith(visit: Visit, account: ProviderAccount, { secret }: ProviderIntent): Promise<void> {
  const link = await findLink(visit.app, secret, 'invitation')
  if (!link) throw new PageProblem(404, 'This invitation was used, has expired or is incomplete. Ask for a new one.')
  if (link.tenant === requireProvider(visit).tenant) checkGroups(requireProvider(visit), account)
  const name = account.name ?? account.email ?? 'New user'
  const { id } = await redeemInvitation(visit.app, secret, { name, password_hash: null })
  const caller = callerOf(visit.request, link.tenant)
  await visit.app.db.transaction(caller, (tx) => saveIdentity(tx, uuidOf('usr', id), account))
}

const notLinked = (): PageProblem =>
  new PageProblem(
    403,
    'No user here is linked to this account. Ask for an invitation; or sign in with your password and link the account on your account page.',
  )

/** The highest role of the account's groups; null if none of them has one. */
export function roleOfGroups(oidc: Pick<ProviderConfig, 'group_roles'>, groups: readonly string[]): Role | null {
  const roles = new Set(groups.map((group) => oidc.group_roles.get(group)))
  return roleNames.find((role) => roles.has(role)) ?? null
}

/** The role that the groups give; null if groups decide nothing here. */
function checkGroups(oidc: ProviderConfig, { groups }: ProviderAccount): Role | null {
  if (oidc.group_roles.size === 0) return null
  const role = roleOfGroups(oidc, groups)
  if (role === null)
    throw new PageProblem(403, 'None of your groups has access. Ask the administrator of your provider.')
  return role
}

/** With OIDC_TENANT, a new account whose groups have a role becomes a user of this tenant. */
async function createFrom(
  visit: Visit,
  oidc: ProviderConfig,
  account: ProviderAccount,
): Promise<{ tenant: string; user: string }> {
  const role = roleOfGroups(oidc, account.groups)
  const { email, name } = account
  if (oidc.tenant === null || role === null || email === null) throw notLinked()
  const { tenant } = oidc
  const user = newUuid()
  const row = { id: user, email, name: name ?? email, role, project_access: 'all', password_hash: null } as const
  await visit.app.db
    .transaction({ ...callerOf(visit.request, tenant), scopes: new Set(scopeNames) }, async (tx) => {
      await insertUser(tx, { ...row, metadata: {}, signed_in_at: null })
      if (!(await saveIdentity(tx, user, account))) throw notLinked()
    })
    .catch((error: unknown) => {
      // The address belongs to a user, who must link the account: an equal address proves nothing.
      throw error instanceof Failure && error.code === 'conflict' ? notLinked() : error
    })
  return { tenant, user }
}

/** The groups decide about the role of users of OIDC_TENANT at every sign-in. */
async function updateRoles(
  visit: Visit,
  oidc: ProviderConfig,
  account: ProviderAccount,
  users: readonly { tenant: string; user: string }[],
): Promise<void> {
  const found = users.find(({ tenant }) => tenant === oidc.tenant)
  const role = found ? checkGroups(oidc, account) : null
  if (!found || role === null) return
  const caller = { ...operator(found.tenant, scopeNames), request: visit.request.context.request }
  await visit.app.db
    .transaction(caller, (tx) => updateUser(tx, toId('usr', found.user), { role }, {}))
    .catch((error: unknown) => {
      // The last owner stays an owner.
      if (!(error instanceof Failure) || error.code !== 'invalid_state') throw error
    })
}
