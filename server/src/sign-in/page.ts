// The frame of every page for people: one style sheet, no inline script, and headers that keep other sites out.

import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { type Html, html } from '../lib/html.ts'

export interface PageView {
  title: string
  body: Html
  status?: number
  /** For pages with lists. */
  is_wide?: boolean
  /** A path or an address that the browser opens by itself. */
  continue_to?: string
}

/** A page, a path below the base URL to open next, or the address of the identity provider. */
export type PageResult = PageView | { redirect_to: string } | { leave_to: string }

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-language': 'en',
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}
export const STYLE = readFileSync(new URL('./assets/style.css', import.meta.url), 'utf8')
export const SCRIPT = readFileSync(new URL('./assets/passkeys.js', import.meta.url), 'utf8')

/** The path of the base URL, without a slash at its end: the beginning of every link. */
export const prefixOf = (base_url: string): string => new URL(base_url).pathname.replace(/\/$/, '')

export function sendPage(reply: FastifyReply, base_url: string, view: PageView): FastifyReply {
  const { text, headers } = renderPage(base_url, view)
  return reply
    .code(view.status ?? 200)
    .headers(headers)
    .send(text)
}

/** For pages that another server of HTTP sends. */
export function renderPage(base_url: string, view: PageView): { text: string; headers: Record<string, string> } {
  const prefix = prefixOf(base_url)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${view.continue_to === undefined ? null : html`<meta http-equiv="refresh" content="0;url=${view.continue_to}">`}
<title>${view.title} · Octavo</title>
<link rel="stylesheet" href="${prefix}/sign-in/style.css">
<script type="module" src="${prefix}/sign-in/passkeys.js"></script>
</head>
<body${view.is_wide ? html` class="wide"` : null}>
<header>Octavo</header>
<main>
${view.body}
</main>
</body>
</html>
`
  return { text: page.text, headers: HEADERS }
}
