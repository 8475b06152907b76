// The texts and forms of the sign-in pages.

import { type Html, html } from '../lib/html.ts'
import { type PageView, prefixOf } from './page.ts'
import { offerPasskey, type PasskeyOffer } from './passkeys.ts'
import { MIN_PASSWORD } from './sign-in.rules.ts'
import type { Account } from './sign-in.store.ts'
import type { Visit } from './visit.ts'

export const problemNote = (problem: string | null): Html | null =>
  problem === null ? null : html`<p class="note bad" role="alert">${problem}</p>`

const withQuery = (path: string, return_to: string | null): string =>
  return_to === null ? path : `${path}?${new URLSearchParams({ return_to })}`

export function signInPage(visit: Visit, given: { email: string; problem: string | null }): PageView {
  const prefix = prefixOf(visit.app.config.base_url)
  const { return_to } = visit
  return {
    title: 'Sign in',
    status: given.problem === null ? 200 : 422,
    body: html`<h1>Sign in</h1>
${problemNote(given.problem)}
<form method="post" action="${prefix}/sign-in">
${visit.hidden}
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${given.email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024">
<button>Sign in</button>
${passkeyButton(offerPasskey(visit), { kind: 'get', label: 'Sign in with a passkey', action: `${prefix}/sign-in/passkey` })}
</form>
${providerLink(visit, withQuery('/sign-in/provider', return_to))}
<p class="links"><a href="${prefix}${withQuery('/sign-in/reset', return_to)}">Forgot your password?</a></p>`,
  }
}

/** A link to the external provider, if there is one. */
export function providerLink(visit: Visit, path: string): Html | null {
  const { oidc, base_url } = visit.app.config
  return oidc && html`<a class="button second" href="${prefixOf(base_url)}${path}">Continue with ${oidc.name}</a>`
}

/** Shown by the script of the page, where the browser supports passkeys. */
export function passkeyButton(
  offer: PasskeyOffer | null,
  button: { kind: 'get' | 'create'; label: string; action: string },
): Html | null {
  if (offer === null) return null
  return html`<input type="hidden" name="challenge" value="${offer.challenge}">
<input type="hidden" name="credential" value="">
<button type="button" class="second" data-passkey="${button.kind}" data-options="${offer.options}" formaction="${button.action}" hidden>${button.label}</button>
<p data-passkey-status role="status" class="quiet"></p>`
}

/** After the password: the address has an account in several tenants. */
export function choicePage(visit: Visit, accounts: readonly Account[], choice: string): PageView {
  const prefix = prefixOf(visit.app.config.base_url)
  const items = accounts.map(
    ({ tenant_name, role, user }) => html`<li><span>${tenant_name}<span class="hint">${role}</span></span>
<form method="post" action="${prefix}/sign-in/choice">
${visit.hidden}
<input type="hidden" name="choice" value="${choice}">
<button class="small" name="user" value="${user}">Sign in<span hidden> to ${tenant_name}</span></button>
</form></li>`,
  )
  return {
    title: 'Choose an account',
    body: html`<h1>Choose an account</h1>
<p class="quiet">Your email address has an account in ${accounts.length} tenants.</p>
<ul class="list">${items}</ul>`,
  }
}

/** Chromium applies `form-action` to redirects after a form, so a page and not a redirect leads to the consent page. */
export function continuePage(visit: Visit, path: string): PageView {
  const prefix = prefixOf(visit.app.config.base_url)
  return {
    title: 'Signed in',
    continue_to: prefix + path,
    body: html`<h1>Signed in</h1>
<p>You will be taken back in a moment.</p>
<a class="button" href="${prefix}${path}">Continue</a>`,
  }
}

/** Leads to the identity provider after a form. */
export const leavePage = (url: string, name: string): PageView => ({
  title: 'Continue',
  continue_to: url,
  body: html`<h1>Continue with ${name}</h1>
<a class="button" href="${url}">Continue</a>`,
})

export function problemPage(
  visit: { app: { config: { base_url: string } } },
  status: number,
  problem: string,
): PageView {
  const prefix = prefixOf(visit.app.config.base_url)
  return {
    title: 'This did not work',
    status,
    body: html`<h1>This did not work</h1>
${problemNote(problem)}
<p class="links"><a href="${prefix}/sign-in">Go to sign-in</a></p>`,
  }
}

/** Two fields that must agree, with a hint. */
export const newPasswordFields = (
  email: string,
): Html => html`<input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="new-password">New password</label>
<input id="new-password" name="new_password" type="password" autocomplete="new-password" required minlength="${MIN_PASSWORD}" maxlength="256" aria-describedby="password-hint">
<span class="hint" id="password-hint">At least ${MIN_PASSWORD} characters. A few unrelated words are easy to remember and hard to guess.</span>`
