// Password reset with a link that works once. If mail is configured, users can request the link themselves.

import { operator } from '../lib/caller.ts'
import { emailKey } from '../lib/email.ts'
import { findLink, redeemLink } from '../links/links.service.ts'
import { resetMail } from '../mail/messages.ts'
import { createPasswordReset } from '../resources/users/users.resets.ts'
import { errorFields } from '../telemetry/log.ts'
import { newPasswordPage, resetHelpPage, resetRequestPage, resetSentPage } from './link.pages.ts'
import type { PageResult } from './page.ts'
import { afterSignIn } from './password-sign-in.ts'
import { ownCaller } from './sessions.ts'
import { passwordProblem } from './sign-in.rules.ts'
import { hashPassword, readAccounts, replacePassword, signIn, withinLimits } from './sign-in.service.ts'
import { type Account, findAccount, listUsersByEmail, lockAccount } from './sign-in.store.ts'
import { takeResetRequest } from './throttle.ts'
import { PageProblem, type SignInApp, type Visit } from './visit.ts'

const UNUSABLE = 'This link was used, has expired or is incomplete. Ask for a new one.'

export const showResetHelp = (visit: Visit): PageResult =>
  visit.app.mail.is_configured ? resetRequestPage(visit) : resetHelpPage(visit)

/** The page is the same for unknown addresses, and it does not wait for the lookup. */
export async function submitResetRequest(visit: Visit): Promise<PageResult> {
  const { app, client } = visit
  if (!app.mail.is_configured) return resetHelpPage(visit)
  const email_key = emailKey(visit.field('email').trim())
  const mayMail = await withinLimits(() => takeResetRequest(app, { client, email_key }))
  if (mayMail)
    mailResets(app, email_key).catch((error: unknown) => app.log.error('reset mail failed', errorFields(error)))
  return resetSentPage(visit)
}

/** Users without a password sign in with a passkey or a provider. */
async function mailResets(app: SignInApp, email_key: string): Promise<void> {
  const users = await listUsersByEmail(app.db, email_key)
  for (const { tenant, user } of users.filter(({ password_hash }) => password_hash !== null)) {
    const caller = operator(tenant, [])
    const account = await findAccount(app.db.for(caller), user)
    if (!account || account.is_suspended) continue
    const { email: to, tenant_name } = account
    const link = await app.db.transaction(caller, async (tx) => createPasswordReset(app, tx, user))
    app.mail.send(resetMail({ to, tenant_name, ...link }))
  }
}

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

/** Redeems the link and sets the password in one transaction. */
export async function submitNewPassword(visit: Visit): Promise<PageResult> {
  const account = await readLinkAccount(visit)
  const password = visit.field('new_password')
  const problem = passwordProblem(password, account.email)
  if (problem !== null) return newPasswordPage(visit, account, problem)
  const hash = await hashPassword(visit, account.email_key, password)
  await visit.app.db.transaction(ownCaller(visit.request, account), async (tx) => {
    // If two links are used at once, the second one waits here and then no longer exists.
    lockAccount(tx, account.user)
    const subject = await redeemLink(tx, visit.parameter('secret'), 'password_reset')
    if (subject !== account.user) throw new PageProblem(404, UNUSABLE)
    await replacePassword(tx, account.user, hash, null)
  })
  await signIn(visit, account, 'password')
  return afterSignIn(visit)
}
