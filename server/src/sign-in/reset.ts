// A new password by a link that works once.

import { findLink, redeemLink } from '../links/links.service.ts'
import { newPasswordPage, resetHelpPage } from './link.pages.ts'
import type { PageResult } from './page.ts'
import { afterSignIn } from './password-sign-in.ts'
import { callerOf } from './sessions.ts'
import { passwordProblem } from './sign-in.rules.ts'
import { hashPassword, readAccounts, signIn } from './sign-in.service.ts'
import { type Account, deleteSessions, updatePassword } from './sign-in.store.ts'
import { PageProblem, type Visit } from './visit.ts'

const UNUSABLE = 'This link was used, has expired or is incomplete. Ask for a new one.'

export const showResetHelp = (visit: Visit): PageResult => resetHelpPage(visit)

async function readLinkAccount(visit: Visit): Promise<Account> {
  const { app, request } = visit
  const link = await findLink(app, visit.parameter('secret'), 'password_reset')
  const [account] = link ? await readAccounts(app, request, [{ tenant: link.tenant, user: link.subject }]) : []
  if (!account || account.is_suspended) throw new PageProblem(404, UNUSABLE)
  return account
}

export async function showNewPassword(visit: Visit): Promise<PageResult> {
  return newPasswordPage(visit, await readLinkAccount(visit), null)
}

/** Uses the link up, sets the password and ends all sessions, in one transaction. */
export async function submitNewPassword(visit: Visit): Promise<PageResult> {
  const account = await readLinkAccount(visit)
  const password = visit.field('new_password')
  const problem = passwordProblem(password, account.email)
  if (problem !== null) return newPasswordPage(visit, account, problem)
  const hash = await hashPassword(visit, account.email_key, password)
  await visit.app.db.transaction(callerOf(visit.request, account.tenant), async (tx) => {
    const subject = await redeemLink(tx, visit.parameter('secret'), 'password_reset')
    if (subject !== account.user) throw new PageProblem(404, UNUSABLE)
    updatePassword(tx, account.user, hash)
    deleteSessions(tx, account.user, null)
  })
  await signIn(visit, account, 'password')
  return afterSignIn(visit)
}
