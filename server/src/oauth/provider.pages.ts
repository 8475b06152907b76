// The pages that oidc-provider shows by itself: errors, and the code of a device.

import type { Configuration, ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { Html, html } from '../lib/html.ts'
import { renderPage } from '../sign-in/page.ts'
import { problemNote } from '../sign-in/sign-in.pages.ts'
import type { OauthNeeds } from './subjects.ts'

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

function show({ config }: OauthNeeds, ctx: KoaContextWithOIDC, title: string, body: Html): void {
  const page = renderPage(config.base_url, { title, body })
  ctx.set(page.headers)
  ctx.body = page.text
}

/** The first attribute with this name in a form of oidc-provider, whose input has no label. */
const attributeOf = (form: string, name: string): Html =>
  new Html(new RegExp(`${name}="([^"]*)"`).exec(form)?.[1] ?? '')

export function renderError(app: OauthNeeds, ctx: KoaContextWithOIDC, out: ErrorOut): void {
  const { error, error_description = 'The request cannot be answered.' } = out
  const body = html`<h1>The application made a mistake</h1>
<p>${error_description}</p>
<p>Go back to the application and start again. If the problem remains, tell its developer the code <code>${error}</code>.</p>`
  show(app, ctx, 'Error', body)
}

export function deviceFlow(app: OauthNeeds): DeviceFlow {
  return {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    userCodeInputSource: (ctx, form, out, error) => {
      const isWrong = Boolean(out ?? error)
      const body = html`<h1>Connect a device</h1>
${problemNote(isWrong ? 'This code is wrong or has expired. Check it, or start again on the device.' : null)}
<form method="post" action="${attributeOf(form, 'action')}">
<input type="hidden" name="xsrf" value="${attributeOf(form, 'name="xsrf" value')}">
<label for="user_code">Code that the device shows</label>
<input id="user_code" name="user_code" value="${attributeOf(form, '<input\\s+value')}" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
<button>Continue</button>
</form>`
      show(app, ctx, 'Connect a device', body)
    },
    userCodeConfirmSource: (ctx, form, client, _device, code) => {
      const body = html`<h1>Is this your device?</h1>
<p>${client.clientName ?? client.clientId} asks for access to Octavo in your name. Continue only if it shows this code:</p>
<p><code>${code}</code></p>
${new Html(form)}
<button type="submit" form="op.deviceConfirmForm">Continue</button>
<button type="submit" form="op.deviceConfirmForm" value="yes" name="abort" class="second">Cancel</button>`
      show(app, ctx, 'Connect a device', body)
    },
    successSource: (ctx) => {
      show(app, ctx, 'Connected', html`<h1>The device is connected</h1><p>You can close this page.</p>`)
    },
  }
}
