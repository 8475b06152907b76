// Sessions of the sign-in pages. The cookie holds 256 random bits; the database holds their hash.

import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Needs } from '../app.ts'
import { hashSecret } from '../auth/credential.ts'
import type { Database, Db } from '../db/database.ts'
import { type Caller, operator } from '../lib/caller.ts'
import { newUuid } from '../lib/ids.ts'
import { readCookie } from './cookies.ts'
import {
  type Account,
  deleteSession,
  findAccount,
  findSessionRow,
  insertSession,
  type SignInMethod,
  touchSession,
  updateSignedIn,
} from './sign-in.store.ts'

export interface CurrentSession {
  /** uuid. */
  session: string
  user: Account
  method: SignInMethod
  signed_in_at: Date
}

/** `last_used_at` is exact to this. */
const TOUCH_MS = 60 * 60_000
const MAX_USER_AGENT = 400

export const newSessionSecret = (): string => randomBytes(32).toString('base64url')

/** Sign-in acts for one tenant, within the deadline of its request. */
export const callerOf = (request: FastifyRequest, tenant: string): Caller => ({
  ...operator(tenant, []),
  request: request.context.request,
  deadline: request.context,
})
/** The user without any scope: sees and changes only what belongs to every user. */
export const ownCaller = (request: FastifyRequest, { tenant, user }: Account): Caller => ({
  ...callerOf(request, tenant),
  actor: { type: 'user', id: user },
})
export const dbOf = (app: { db: Database }, request: FastifyRequest, tenant: string): Db =>
  app.db.for(callerOf(request, tenant))

/** The session in the cookie of a request, if its user and tenant are still active. */
export async function currentSession(
  app: Needs<'config' | 'db'>,
  request: FastifyRequest,
): Promise<CurrentSession | null> {
  const secret = readCookie(request, app.config.base_url, 'session')
  if (secret === null || !/^[\w-]{43}$/.test(secret)) return null
  const row = await findSessionRow(app.db, hashSecret(secret))
  if (!row) return null
  const db = dbOf(app, request, row.tenant)
  const user = await findAccount(db, row.user)
  if (!user || user.is_suspended) return null
  if (Date.now() - Date.parse(row.last_used_at) > TOUCH_MS) await touchSession(db, row.session)
  return { session: row.session, user, method: row.method, signed_in_at: new Date(row.created_at) }
}

/** Where to send a browser without a session. `return_to` is a path of this server below its base URL. */
export function signInUrl(base_url: string, return_to: string, options: { is_repeated?: boolean } = {}): string {
  const query = new URLSearchParams({ return_to, ...(options.is_repeated ? { again: 'true' } : {}) })
  return `${base_url}/sign-in?${query}`
}

/** Ends the session that the browser had and returns the secret of a new one. */
export async function startSession(
  app: Needs<'db'>,
  request: FastifyRequest,
  begin: { user: Account; method: SignInMethod; earlier: CurrentSession | null },
): Promise<string> {
  const { user, method, earlier } = begin
  const secret = newSessionSecret()
  const user_agent = (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT)
  if (earlier) await endSession(app, request, earlier, earlier.session)
  await app.db.transaction(callerOf(request, user.tenant), async (tx) => {
    insertSession(tx, {
      user: user.user,
      session: newUuid(),
      hash: hashSecret(secret),
      method,
      user_agent,
      address: request.ip,
    })
    updateSignedIn(tx, user.user)
  })
  return secret
}

/** Ends one session of the same user. */
export async function endSession(
  app: Needs<'db'>,
  request: FastifyRequest,
  current: CurrentSession,
  session: string,
): Promise<void> {
  const { tenant, user } = current.user
  await app.db.transaction(callerOf(request, tenant), async (tx) => deleteSession(tx, user, session))
}
