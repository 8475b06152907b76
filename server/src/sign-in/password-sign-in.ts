// The sign-in form, and the choice between accounts with the same address.

import { recordOf } from '@octavo/base/unknown.ts'
import { seal, unseal } from '../lib/keyring.ts'
import type { PageResult } from './page.ts'
import { checkPasskey } from './passkeys.ts'
import { choicePage, continuePage, signInPage } from './sign-in.pages.ts'
import { checkPassword, readAccounts, signIn } from './sign-in.service.ts'
import type { Account, SignInMethod } from './sign-in.store.ts'
import { PageProblem, type Visit } from './visit.ts'

const WRONG = 'The email address or the password is wrong. Check both, or reset your password.'
const CHOICE_MS = 10 * 60_000
const ACCOUNT = '/sign-in/account'

export function showSignIn(visit: Visit): PageResult {
  if (visit.session && visit.query('again') === null) return { redirect_to: visit.return_to ?? ACCOUNT }
  return signInPage(visit, { email: visit.session?.user.email ?? '', problem: null })
}

export async function submitPassword(visit: Visit): Promise<PageResult> {
  const [email, password] = [visit.field('email').slice(0, 254), visit.field('password').slice(0, 1_024)]
  const accounts = await checkPassword(visit, email, password)
  if (accounts.length === 0) return signInPage(visit, { email, problem: WRONG })
  return finishSignIn(visit, accounts, 'password')
}

export const submitPasskey = async (visit: Visit): Promise<PageResult> =>
  finishSignIn(visit, await checkPasskey(visit), 'passkey')

/** Signs in, or asks for the tenant if there are several. */
export async function finishSignIn(
  visit: Visit,
  accounts: readonly Account[],
  method: SignInMethod,
  return_to = visit.return_to,
): Promise<PageResult> {
  const active = accounts.filter(({ is_suspended }) => !is_suspended)
  const [account, second] = active.length > 0 ? active : accounts
  if (account === undefined) throw new PageProblem(403, 'This account no longer exists.')
  if (second !== undefined && active.length > 1) return choicePage(visit, active, sealChoice(visit, active, method))
  await signIn(visit, account, method)
  return afterSignIn(visit, return_to)
}

export function afterSignIn(visit: Visit, path = visit.return_to): PageResult {
  return path?.startsWith('/oauth') ? continuePage(visit, path) : { redirect_to: path ?? ACCOUNT }
}

function sealChoice(visit: Visit, accounts: readonly Account[], method: SignInMethod): string {
  const users = accounts.map(({ tenant, user }) => ({ tenant, user }))
  const text = JSON.stringify({ users, method, ends_ms: Date.now() + CHOICE_MS })
  return seal(visit.app.config.keyring, 'sign_in', text, `choice ${visit.form_secret}`).toString('base64url')
}

export async function chooseAccount(visit: Visit): Promise<PageResult> {
  const sealed = Buffer.from(visit.field('choice'), 'base64url')
  const text = unseal(visit.app.config.keyring, 'sign_in', sealed, `choice ${visit.form_secret}`)
  const { users, method, ends_ms } = recordOf(text && JSON.parse(text.toString()))
  const list: unknown[] = Array.isArray(users) ? users : []
  const chosen = list.map(recordOf).find(({ user }) => user === visit.field('user'))
  if (chosen === undefined || typeof ends_ms !== 'number' || ends_ms < Date.now())
    throw new PageProblem(403, 'This choice has expired. Sign in again.')
  const accounts = await readAccounts(visit.app, visit.request, [
    { tenant: String(chosen['tenant']), user: String(chosen['user']) },
  ])
  return finishSignIn(visit, accounts, method === 'provider' ? 'provider' : 'password')
}
