// The account page: sessions, applications, passkeys, password, sign-out.

import { isOneOf } from '@octavo/base/unknown.ts'
import { type Authorization, scopeNames, scopes as scopeWords } from '@octavo/contract'
import { html } from '../lib/html.ts'
import { type PageView, prefixOf } from './page.ts'
import type { ListedPasskey } from './passkeys.store.ts'
import { type PasskeyOffer, supportsPasskeys } from './passkeys.ts'
import type { CurrentSession } from './sessions.ts'
import { newPasswordFields, passkeyButton, problemNote } from './sign-in.pages.ts'
import { describeBrowser } from './sign-in.rules.ts'
import type { ListedSession } from './sign-in.store.ts'
import type { Visit } from './visit.ts'

type ShownAuthorization = Pick<
  Authorization,
  'id' | 'client_name' | 'scopes' | 'created_at' | 'last_used_at' | 'expires_at'
>

export interface AccountView {
  session: CurrentSession
  sessions: readonly ListedSession[]
  passkeys: readonly ListedPasskey[]
  authorizations: readonly ShownAuthorization[]
  /** Id of the last one shown, if there are older ones. */
  older_than: string | null
  /** null: the browser cannot have one here, or the sign-in is too long ago. */
  offer: PasskeyOffer | null
  problem: string | null
  note: string | null
}

const METHODS = { password: 'password', passkey: 'passkey', provider: 'single sign-on' } as const
const timeText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

export function accountPage(visit: Visit, view: AccountView): PageView {
  const prefix = prefixOf(visit.app.config.base_url)
  const { user } = view.session
  return {
    title: 'Your account',
    status: view.problem === null ? 200 : 422,
    is_wide: true,
    body: html`<div class="row"><div><h1>${user.name}</h1>
<p class="quiet">${user.email} · ${user.role} at ${user.tenant_name}</p></div>
<form method="post" action="${prefix}/sign-in/sign-out">${visit.hidden}<button class="small second">Sign out</button></form></div>
${problemNote(view.problem)}
${view.note === null ? null : html`<p class="note" role="status">${view.note}</p>`}
${sessionsSection(visit, view, prefix)}
${authorizationsSection(visit, view, prefix)}
${passkeysSection(visit, view, prefix)}
${providerSection(visit, prefix)}
${passwordSection(visit, view, prefix)}`,
  }
}

function sessionsSection(visit: Visit, { session, sessions }: AccountView, prefix: string) {
  const items = sessions.map((one) => {
    const isThis = one.session === session.session
    return html`<li><span>${describeBrowser(one.user_agent)}${isThis ? html` <strong>(this one)</strong>` : null}
<span class="hint">${one.address} · last used ${timeText(one.last_used_at)}<br>signed in ${timeText(one.created_at)} with ${METHODS[one.method]}</span></span>
${
  isThis
    ? null
    : html`<form method="post" action="${prefix}/sign-in/account/sessions">${visit.hidden}
<button class="small second" name="session" value="${one.session}" aria-label="End the session of ${describeBrowser(one.user_agent)}, signed in ${timeText(one.created_at)}">End</button></form>`
}</li>`
  })
  return html`<h2>Where you are signed in</h2>
<ul class="list">${items}</ul>
${
  sessions.length < 2
    ? null
    : html`<form method="post" action="${prefix}/sign-in/account/sessions">${visit.hidden}
<button class="small second" name="session" value="others">End all other sessions</button></form>`
}`
}

function authorizationsSection(visit: Visit, { authorizations, older_than }: AccountView, prefix: string) {
  const items = authorizations.map(
    ({ id, client_name, scopes, created_at, last_used_at, expires_at }) => html`<li><span>${client_name}
<span class="hint">${permissionsText(scopes)}</span>
<span class="hint">given ${timeText(created_at)} · ${last_used_at === null ? 'not used yet' : `last used ${timeText(last_used_at)}`}<br>until ${timeText(expires_at)} at the latest</span></span>
<form method="post" action="${prefix}/sign-in/account/authorizations">${visit.hidden}
<button class="small second" name="authorization" value="${id}" aria-label="Revoke the access of ${client_name}, given ${timeText(created_at)}">Revoke</button></form></li>`,
  )
  return html`<h2>Applications with access</h2>
${
  items.length === 0
    ? html`<p class="quiet">No application has access to your account.</p>`
    : html`<p class="quiet">They act in your name, within your role. Revoking ends the access at once.</p>
<ul class="list">${items}</ul>`
}
${older_than === null ? null : html`<p><a href="${prefix}/sign-in/account?older_than=${older_than}">Show older ones</a></p>`}`
}

function permissionsText(scopes: readonly string[]): string {
  if (scopes.length === scopeNames.length) return 'Everything that your role allows'
  return scopes.map((scope) => (isOneOf(scopeNames, scope) ? scopeWords[scope] : scope)).join(' · ')
}

function passkeysSection(visit: Visit, { passkeys, offer }: AccountView, prefix: string) {
  const { base_url } = visit.app.config
  if (!supportsPasskeys(base_url) && passkeys.length === 0) return null
  const items = passkeys.map(
    ({ passkey, name, created_at, last_used_at }) => html`<li><span>${name}
<span class="hint">added ${timeText(created_at)} · ${last_used_at === null ? 'not used yet' : `last used ${timeText(last_used_at)}`}</span></span>
<form method="post" action="${prefix}/sign-in/account/passkeys/removal">${visit.hidden}
<button class="small second" name="passkey" value="${passkey}" aria-label="Remove the passkey of ${name}, added ${timeText(created_at)}">Remove</button></form></li>`,
  )
  const again = `${prefix}/sign-in?${new URLSearchParams({ return_to: '/sign-in/account', again: 'true' })}`
  const action = `${prefix}/sign-in/account/passkeys`
  return html`<h2>Passkeys</h2>
<p class="quiet">Sign in with your fingerprint, face or PIN instead of a password.</p>
${items.length === 0 ? null : html`<ul class="list">${items}</ul>`}
${
  offer === null
    ? html`<p><a href="${again}">Sign in again</a> to add a passkey.</p>`
    : html`<form method="post" action="${action}">${visit.hidden}
${passkeyButton(offer, { kind: 'create', label: 'Add a passkey', action })}
<noscript><p class="quiet">Turn on JavaScript to add a passkey.</p></noscript></form>`
}`
}

function providerSection(visit: Visit, prefix: string) {
  const { oidc } = visit.app.config
  return (
    oidc &&
    html`<h2>Single sign-on</h2>
<p class="quiet">Link your account at ${oidc.name} to sign in with it.</p>
<form method="post" action="${prefix}/sign-in/account/provider">${visit.hidden}<button class="small second">Link an account</button></form>`
  )
}

function passwordSection(visit: Visit, { session }: AccountView, prefix: string) {
  const { user } = session
  const current = html`<label for="current-password">Current password</label>
<input id="current-password" name="current_password" type="password" autocomplete="current-password" required maxlength="1024">`
  return html`<h2>${user.password_hash === null ? 'Set a password' : 'Change your password'}</h2>
<form method="post" action="${prefix}/sign-in/account/password">
${visit.hidden}
${user.password_hash === null ? null : current}
${newPasswordFields(user.email)}
<button class="small">Save password</button>
</form>
<p class="quiet">A new password ends all your other sessions and the access of all applications, including the command line.</p>`
}
