// The pages behind links: an invitation, a new password.

import { html } from '../lib/html.ts'
import type { OpenInvitation } from '../resources/invitations/invitations.redeem.ts'
import { type PageView, prefixOf } from './page.ts'
import type { PasskeyOffer } from './passkeys.ts'
import { newPasswordFields, passkeyButton, problemNote, providerLink } from './sign-in.pages.ts'
import type { Account } from './sign-in.store.ts'
import type { Visit } from './visit.ts'

interface InvitationView {
  invitation: OpenInvitation
  offer: PasskeyOffer | null
  name: string
  problem: string | null
}

export function invitationPage(visit: Visit, { invitation, offer, name, problem }: InvitationView): PageView {
  const action = `${prefixOf(visit.app.config.base_url)}/sign-in/invitations/${visit.parameter('secret')}`
  return {
    title: 'Accept the invitation',
    status: problem === null ? 200 : 422,
    body: html`<h1>Join ${invitation.tenant_name}</h1>
<p class="quiet">You are invited as ${invitation.email} with the role ${invitation.role}.</p>
${problemNote(problem)}
<form method="post" action="${action}">
${visit.hidden}
<label for="name">Your name</label>
<input id="name" name="name" autocomplete="name" required maxlength="100" value="${name}" data-passkey-needs>
${newPasswordFields(invitation.email)}
<button>Create account</button>
${passkeyButton(offer, { kind: 'create', label: 'Use a passkey instead of a password', action })}
</form>
${providerLink(visit, `/sign-in/provider?invitation=${visit.parameter('secret')}`)}`,
  }
}

export function newPasswordPage(visit: Visit, account: Account, problem: string | null): PageView {
  const action = `${prefixOf(visit.app.config.base_url)}/sign-in/resets/${visit.parameter('secret')}`
  return {
    title: 'Choose a new password',
    status: problem === null ? 200 : 422,
    body: html`<h1>Choose a new password</h1>
<p class="quiet">For ${account.email} at ${account.tenant_name}. All your sessions will end, and you must connect your applications and the command line again.</p>
${problemNote(problem)}
<form method="post" action="${action}">
${visit.hidden}
${newPasswordFields(account.email)}
<button>Save password</button>
</form>`,
  }
}

export function resetRequestPage(visit: Visit): PageView {
  const prefix = prefixOf(visit.app.config.base_url)
  return {
    title: 'Forgot your password?',
    body: html`<h1>Forgot your password?</h1>
<p class="quiet">We will email you a link to choose a new password.</p>
<form method="post" action="${prefix}/sign-in/reset">
${visit.hidden}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254">
<button>Send the link</button>
</form>
<p class="links"><a href="${prefix}/sign-in">Back to sign-in</a></p>`,
  }
}

export function resetSentPage(visit: Visit): PageView {
  const prefix = prefixOf(visit.app.config.base_url)
  return {
    title: 'Check your email',
    body: html`<h1>Check your email</h1>
<p>If this address has an account with a password, you will get a link in a moment. It works once, for 24 hours.</p>
<p class="links"><a href="${prefix}/sign-in">Back to sign-in</a></p>`,
  }
}

export function resetHelpPage(visit: Visit): PageView {
  const prefix = prefixOf(visit.app.config.base_url)
  return {
    title: 'Forgot your password?',
    body: html`<h1>Forgot your password?</h1>
<p>Ask an administrator for a link to choose a new password. The link works once.</p>
<p class="links"><a href="${prefix}/sign-in">Back to sign-in</a></p>`,
  }
}
