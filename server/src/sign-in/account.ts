// Requests of the account page: sessions, applications, passkeys, password, sign-out.

import { Failure } from '../lib/failure.ts'
import { findUuid } from '../lib/ids.ts'
import { listAuthorizations, removeAuthorization } from '../resources/authorizations/authorizations.service.ts'
import { accountPage } from './account.pages.ts'
import { setCookie } from './cookies.ts'
import type { PageResult, PageView } from './page.ts'
import { deletePasskey, insertPasskey, listPasskeys } from './passkeys.store.ts'
import { offerNewPasskey, readNewPasskey } from './passkeys.ts'
import { type CurrentSession, callerOf, dbOf, endSession, ownCaller } from './sessions.ts'
import { passwordProblem } from './sign-in.rules.ts'
import { checkPassword, setPassword } from './sign-in.service.ts'
import { deleteSessions, listSessions } from './sign-in.store.ts'
import type { Visit } from './visit.ts'

const ACCOUNT = '/sign-in/account'
const SIGN_IN = { redirect_to: `/sign-in?${new URLSearchParams({ return_to: ACCOUNT })}` }
const AGAIN = { redirect_to: `/sign-in?${new URLSearchParams({ return_to: ACCOUNT, again: 'true' })}` }
const RECENT_MS = 15 * 60_000
/** Authorizations on one page. */
const MAX_SHOWN = 100
const NOTES: Record<string, string> = {
  password:
    'Your password is saved. Your other sessions have ended. Connect your applications and the command line again.',
  session: 'The session has ended.',
  provider: 'The account is linked. You can sign in with it from now on.',
  passkey: 'Your passkey is saved. You can sign in with it from now on.',
  revoked: 'The application no longer has access.',
  no_passkey: 'The passkey is removed. Delete it on your device too.',
}

export async function showAccount(visit: Visit): Promise<PageResult> {
  if (!visit.session) return SIGN_IN
  return renderAccount(visit, visit.session, { note: NOTES[visit.query('saved') ?? ''] ?? null })
}

async function renderAccount(
  visit: Visit,
  session: CurrentSession,
  message: { problem?: string; note?: string | null },
): Promise<PageView> {
  const { user } = session
  const db = dbOf(visit.app, visit.request, user.tenant)
  const after = findUuid('grt', visit.query('older_than') ?? '')
  const [sessions, passkeys, authorizations] = await Promise.all([
    listSessions(db, user.user),
    listPasskeys(db, user.user),
    listAuthorizations(
      visit.app.db.for(ownCaller(visit.request, user)),
      {},
      {
        after,
        limit: MAX_SHOWN,
        offset: 0,
        is_descending: true,
      },
    ),
  ])
  const offer = isRecent(session) ? offerNewPasskey(visit, { ...user, handle: user.user }, passkeys) : null
  return accountPage(visit, {
    session,
    sessions,
    passkeys,
    authorizations: authorizations.slice(0, MAX_SHOWN),
    older_than: authorizations.length > MAX_SHOWN ? (authorizations[MAX_SHOWN - 1]?.id ?? null) : null,
    offer,
    problem: message.problem ?? null,
    note: message.note ?? null,
  })
}

export async function revokeAuthorization(visit: Visit): Promise<PageResult> {
  const { app, request, session } = visit
  if (!session) return SIGN_IN
  try {
    await app.db.transaction(ownCaller(request, session.user), (tx) =>
      removeAuthorization(tx, visit.field('authorization')),
    )
  } catch (error) {
    // A second click, or another browser was faster.
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error
  }
  return { redirect_to: `${ACCOUNT}?saved=revoked` }
}

/** A stolen session must not be enough to add another way to sign in. */
const isRecent = ({ signed_in_at }: CurrentSession): boolean => Date.now() - signed_in_at.getTime() < RECENT_MS

export async function signOut(visit: Visit): Promise<PageResult> {
  const { app, request, reply, session } = visit
  if (session) await endSession(app, request, session, session.session)
  setCookie(reply, app.config.base_url, { name: 'session', value: '', seconds: 0 })
  return { redirect_to: '/sign-in' }
}

export async function endSessions(visit: Visit): Promise<PageResult> {
  const { app, request, session } = visit
  if (!session) return SIGN_IN
  const chosen = visit.field('session')
  const { tenant, user } = session.user
  if (chosen === 'others')
    await app.db.transaction(callerOf(request, tenant), async (tx) => deleteSessions(tx, user, session.session))
  else if (/^[0-9a-f-]{36}$/.test(chosen)) await endSession(app, request, session, chosen)
  return { redirect_to: `${ACCOUNT}?saved=session` }
}

export async function changePassword(visit: Visit): Promise<PageResult> {
  const { session } = visit
  if (!session) return SIGN_IN
  const { user } = session
  const password = visit.field('new_password')
  const problem = passwordProblem(password, user.email)
  if (problem !== null) return renderAccount(visit, session, { problem })
  if (user.password_hash !== null) {
    const accounts = await checkPassword(visit, user.email, visit.field('current_password').slice(0, 1_024))
    if (!accounts.some((account) => account.user === user.user))
      return renderAccount(visit, session, { problem: 'The current password is wrong. Your password is unchanged.' })
  }
  // Without a password to check, the sign-in itself must be recent.
  if (user.password_hash === null && !isRecent(session)) return AGAIN
  await setPassword(visit, user, password, session.session)
  return { redirect_to: `${ACCOUNT}?saved=password` }
}

export async function addPasskey(visit: Visit): Promise<PageResult> {
  const { app, request, session } = visit
  if (!session) return SIGN_IN
  if (!isRecent(session)) return AGAIN
  const { tenant, user } = session.user
  const passkey = await readNewPasskey(visit)
  const isNew = await app.db.transaction(callerOf(request, tenant), (tx) => insertPasskey(tx, { ...passkey, user }))
  if (!isNew) return renderAccount(visit, session, { problem: 'This passkey is already in use. Create another one.' })
  return { redirect_to: `${ACCOUNT}?saved=passkey` }
}

export async function removePasskey(visit: Visit): Promise<PageResult> {
  const { app, request, session } = visit
  if (!session) return SIGN_IN
  const { tenant, user } = session.user
  const passkey = visit.field('passkey')
  if (/^[0-9a-f-]{36}$/.test(passkey))
    await app.db.transaction(callerOf(request, tenant), async (tx) => deletePasskey(tx, user, passkey))
  return { redirect_to: `${ACCOUNT}?saved=no_passkey` }
}
