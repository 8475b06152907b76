// Sign-in with a password, and the end of every way to sign in: an account, a session, a page.

import type { FastifyRequest } from 'fastify'
import type { Tx } from '../db/database.ts'
import { emailKey } from '../lib/email.ts'
import { toId } from '../lib/ids.ts'
import { removeLinks } from '../links/links.service.ts'
import { endAuthorizationsOf } from '../resources/authorizations/authorizations.service.ts'
import { setCookie } from './cookies.ts'
import { HashQueueFull } from './passwords.ts'
import { dbOf, ownCaller, startSession } from './sessions.ts'
import { normalizePassword, SESSION_DAYS } from './sign-in.rules.ts'
import {
  type Account,
  deleteSessions,
  findAccount,
  listUsersByEmail,
  type SignInMethod,
  updatePassword,
} from './sign-in.store.ts'
import { deviceCookie, TooManyFailures, takeAttempt } from './throttle.ts'
import { PageProblem, type SignInApp, type Visit } from './visit.ts'

const DAY_SECONDS = 86_400
const DEVICE_DAYS = 180

/** Queue and limits refuse with a page. */
export async function withinLimits<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TooManyFailures) throw tooMany(error.wait_ms)
    if (!(error instanceof HashQueueFull)) throw error
    if (error.is_by_client) throw tooMany(2_000)
    throw new PageProblem(503, 'Too many people are signing in at the moment. Try again in a few seconds.', {
      'retry-after': '5',
    })
  }
}

function tooMany(wait_ms: number): PageProblem {
  const seconds = Math.max(1, Math.ceil(wait_ms / 1000))
  const wait = seconds < 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  return new PageProblem(429, `Too many attempts from your network. Try again in ${wait}.`, {
    'retry-after': String(seconds),
  })
}

/** The users with this address and password, one for each tenant. Unknown addresses take as long as known ones. */
export function checkPassword(visit: Visit, email: string, password: string): Promise<Account[]> {
  const { app, client, device } = visit
  const email_key = emailKey(email.trim())
  return withinLimits(async () => {
    app.passwords.checkRoom(client)
    const forgive = await takeAttempt(app, { client, email_key, device })
    const users = await listUsersByEmail(app.db, email_key)
    const hashes = users.map(({ password_hash }) => password_hash)
    const matches = await app.passwords
      .verify(client, normalizePassword(password), hashes)
      .catch(async (error: unknown) => {
        // The password was not checked.
        await forgive()
        throw error
      })
    const matching = users.filter((_, i) => matches[i])
    if (matching.length === 0) {
      app.log.warn('sign-in failed', { request_id: visit.request.context.request_id, address: visit.request.ip })
      return []
    }
    await forgive()
    return readAccounts(app, visit.request, matching)
  })
}

export async function readAccounts(
  app: SignInApp,
  request: FastifyRequest,
  users: readonly { tenant: string; user: string }[],
): Promise<Account[]> {
  const accounts: Account[] = []
  for (const { tenant, user } of users) {
    const account = await findAccount(dbOf(app, request, tenant), user)
    if (account) accounts.push(account)
  }
  return accounts
}

/** Starts a session and sets its cookie. */
export async function signIn(visit: Visit, user: Account, method: SignInMethod): Promise<void> {
  const { app, request, reply } = visit
  const { base_url, keyring } = app.config
  if (user.is_suspended)
    throw new PageProblem(403, `Your account at ${user.tenant_name} is suspended. Ask an administrator to resume it.`)
  const value = await startSession(app, request, { user, method, earlier: visit.session })
  setCookie(reply, base_url, { name: 'session', value, seconds: SESSION_DAYS * DAY_SECONDS })
  setCookie(reply, base_url, { name: 'visit', value: '', seconds: 0 })
  setCookie(reply, base_url, {
    name: 'device',
    value: deviceCookie(keyring, user.email_key),
    seconds: DEVICE_DAYS * DAY_SECONDS,
  })
  app.log.info('signed in', {
    request_id: request.context.request_id,
    tenant_id: toId('ten', user.tenant),
    user_id: toId('usr', user.user),
    kind: method,
  })
}

/** A hash for a new password of this address. */
export async function hashPassword(visit: Visit, email_key: string, password: string): Promise<string> {
  const others = await listUsersByEmail(visit.app.db, email_key)
  const hashes = others.flatMap(({ password_hash }) => password_hash ?? [])
  return withinLimits(() => visit.app.passwords.hash(visit.client, normalizePassword(password), hashes))
}

/**
 * Ends the user's sessions, except `kept`, the access of all applications and all reset links: someone else may have
 * used the earlier password.
 */
export async function replacePassword(tx: Tx, user: string, hash: string, kept: string | null): Promise<void> {
  updatePassword(tx, user, hash)
  deleteSessions(tx, user, kept)
  removeLinks(tx, user, 'password_reset')
  await endAuthorizationsOf(tx, user)
}

export async function setPassword(visit: Visit, user: Account, password: string, kept: string | null): Promise<void> {
  const hash = await hashPassword(visit, user.email_key, password)
  await visit.app.db.transaction(ownCaller(visit.request, user), (tx) => replacePassword(tx, user.user, hash, kept))
}
