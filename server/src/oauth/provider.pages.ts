// The pages that oidc-provider shows by itself: errors, and the code of a device.

import type { IncomingMessage } from 'node:http'
import type { Configuration, ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { isPassing, unavailable } from '../db/errors.ts'
import { Html, html } from '../lib/html.ts'
import { renderPage } from '../sign-in/page.ts'
import { problemNote } from '../sign-in/sign-in.pages.ts'
import type { OauthNeeds } from './subjects.ts'

const WRONG_CODE = 'This code is wrong or has expired. Check it, or start again on the device.'

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

type PageContext = Pick<KoaContextWithOIDC, 'set' | 'body' | 'status'>

function show({ config }: OauthNeeds, ctx: PageContext, title: string, body: Html): void {
  const page = renderPage(config.base_url, { title, body })
  ctx.set(page.headers)
  ctx.body = page.text
}

/** The first attribute with this name in a form of oidc-provider, whose input has no label. */
const attributeOf = (form: string, name: string): Html =>
  new Html(new RegExp(`${name}="([^"]*)"`).exec(form)?.[1] ?? '')

export function renderError(app: OauthNeeds, ctx: KoaContextWithOIDC, out: ErrorOut, cause: Error): void {
  if (isPassing(cause)) {
    const { status, headers } = unavailable(cause)
    ctx.status = status
    ctx.set(headers)
    const text = 'The server cannot reach its database. Try again in a moment.'
    show(app, ctx, 'Error', html`<h1>Octavo is not available</h1><p>${text}</p>`)
    return
  }
  const { error, error_description = 'The request cannot be processed.' } = out
  const body = html`<h1>The application made a mistake</h1>
<p>${error_description}</p>
<p>Go back to the application and start again. If the problem persists, send its developer the code <code>${error}</code>.</p>`
  show(app, ctx, 'Error', body)
}

/** The form for a code, from one of oidc-provider that has the same fields. */
function inputPage(app: OauthNeeds, ctx: PageContext, form: string, problem: string | null): void {
  const body = html`<h1>Connect a device</h1>
<p class="quiet">Enter the code that <code>octavo login</code> shows in the terminal.</p>
${problemNote(problem)}
<form method="post" action="${attributeOf(form, 'action')}">
<input type="hidden" name="xsrf" value="${attributeOf(form, 'name="xsrf" value')}">
<label for="user_code">Code</label>
<input id="user_code" class="code" name="user_code" value="${codeIn(form)}" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
<button>Continue</button>
</form>`
  show(app, ctx, 'Connect a device', body)
}

const codeIn = (form: string): Html => {
  const [, before, after] = /<input\s+value="([^"]*)"|name="user_code" value="([^"]*)"/.exec(form) ?? []
  return new Html(before ?? after ?? '')
}

/** A link with the code in it: oidc-provider would send the form by a script, which the policy of our pages forbids. */
export function renderFilledInput(app: OauthNeeds, ctx: PageContext): void {
  if (typeof ctx.body === 'string') inputPage(app, ctx, ctx.body, null)
}

export function renderTooManyCodes(app: OauthNeeds, ctx: PageContext, wait_ms: number): void {
  const body = html`<h1>Too many wrong codes</h1>
<p>Too many wrong codes came from your network. Try again in ${minutesOf(wait_ms)}, with a new code.</p>`
  showLimit(app, ctx, { title: 'Too many wrong codes', body, wait_ms })
}

export function renderTooManyPages(app: OauthNeeds, ctx: PageContext, wait_ms: number): void {
  const body = html`<h1>Too many requests</h1>
<p>Too many requests for this page came from your network. Try again in ${minutesOf(wait_ms)}.</p>`
  showLimit(app, ctx, { title: 'Too many requests', body, wait_ms })
}

function minutesOf(wait_ms: number): string {
  const minutes = Math.ceil(wait_ms / 60_000)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

function showLimit(app: OauthNeeds, ctx: PageContext, page: { title: string; body: Html; wait_ms: number }): void {
  ctx.status = 429
  ctx.set('retry-after', String(Math.ceil(page.wait_ms / 1000)))
  show(app, ctx, page.title, page.body)
}

export function deviceFlow(app: OauthNeeds, onWrongCode: (request: IncomingMessage) => void): DeviceFlow {
  return {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    userCodeInputSource: (ctx, form, out, error) => {
      if (error && 'userCode' in error) onWrongCode(ctx.req)
      inputPage(app, ctx, form, (out ?? error) ? WRONG_CODE : null)
    },
    userCodeConfirmSource: (ctx, form, client, _device, code) => {
      const body = html`<h1>Is this your device?</h1>
<p>${client.clientName ?? client.clientId} asks for access to Octavo on your behalf. Continue only if it shows this code:</p>
<p class="code">${code}</p>
${new Html(form)}
<button type="submit" form="op.deviceConfirmForm">Continue</button>
<button type="submit" form="op.deviceConfirmForm" value="yes" name="abort" class="second">Cancel</button>`
      show(app, ctx, 'Connect a device', body)
    },
    successSource: (ctx) => {
      show(
        app,
        ctx,
        'Connected',
        html`<h1>The device is connected</h1>
<p>You can close this page. To end the access, revoke it on your <a href="${app.config.base_url}/sign-in/account">account page</a>.</p>`,
      )
    },
  }
}
