// Accepting an invitation: the bearer of the link chooses a name and a password or a passkey, and is signed in.

import { emailKey } from '../lib/email.ts'
import { newUuid, uuidOf } from '../lib/ids.ts'
import { findLink } from '../links/links.service.ts'
import {
  findOpenInvitation,
  type OpenInvitation,
  redeemInvitation,
} from '../resources/invitations/invitations.redeem.ts'
import { invitationPage } from './link.pages.ts'
import type { PageResult } from './page.ts'
import { insertPasskey } from './passkeys.store.ts'
import { offerNewPasskey, readNewPasskey } from './passkeys.ts'
import { afterSignIn } from './password-sign-in.ts'
import { callerOf } from './sessions.ts'
import { passwordProblem } from './sign-in.rules.ts'
import { hashPassword, readAccounts, signIn } from './sign-in.service.ts'
import { PageProblem, type Visit } from './visit.ts'

const MAX_NAME = 100
const UNUSABLE =
  'This invitation was used, has expired or is incomplete. Ask for a new one, or sign in if you have an account.'

export async function showInvitation(visit: Visit): Promise<PageResult> {
  return renderInvitation(visit, await readInvitation(visit), null)
}

async function readInvitation(visit: Visit): Promise<OpenInvitation> {
  const invitation = await findOpenInvitation(visit.app, visit.parameter('secret'))
  if (!invitation) throw new PageProblem(404, UNUSABLE)
  return invitation
}

function renderInvitation(visit: Visit, invitation: OpenInvitation, problem: string | null): PageResult {
  const name = visit.field('name').slice(0, MAX_NAME)
  const offer = offerNewPasskey(visit, { handle: newUuid(), email: invitation.email, name: invitation.email }, [])
  return invitationPage(visit, { invitation, offer, name, problem })
}

export async function acceptInvitation(visit: Visit): Promise<PageResult> {
  const { app, request } = visit
  const secret = visit.parameter('secret')
  const invitation = await readInvitation(visit)
  const name = visit.field('name').trim().slice(0, MAX_NAME)
  const password = visit.field('new_password')
  const hasPasskey = visit.field('credential') !== ''
  if (name === '') return renderInvitation(visit, invitation, 'Enter your name.')
  const problem = hasPasskey ? null : passwordProblem(password, invitation.email)
  if (problem !== null) return renderInvitation(visit, invitation, problem)
  // Both are checked before the link is used up.
  const passkey = hasPasskey ? await readNewPasskey(visit) : null
  const password_hash = hasPasskey ? null : await hashPassword(visit, emailKey(invitation.email), password)
  const link = await findLink(app, secret, 'invitation')
  if (!link) throw new PageProblem(404, UNUSABLE)
  const { id } = await redeemInvitation(app, secret, { name, password_hash })
  const user = uuidOf('usr', id)
  if (passkey) await app.db.transaction(callerOf(request, link.tenant), (tx) => insertPasskey(tx, { ...passkey, user }))
  const [account] = await readAccounts(app, request, [{ tenant: link.tenant, user }])
  if (!account) throw new PageProblem(404, UNUSABLE)
  await signIn(visit, account, passkey ? 'passkey' : 'password')
  return afterSignIn(visit)
}
