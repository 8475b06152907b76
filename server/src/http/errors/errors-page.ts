// The page behind `doc_url`: every error code, what it means and what to do; then the codes in details.

import { detailMeanings, errorCodes, oauthErrorMeanings } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const inline = (text: string): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h2{font:600 1.1rem ui-monospace,monospace;margin:2rem 0 .25rem}h2 a{color:inherit;text-decoration:none}p{margin:.25rem 0}
.status{color:#555;font-weight:400}code{background:#f0f0f0;padding:.1em .3em;border-radius:3px}:target{background:#fff3c4}`

function errorsPage(): string {
  const sections = Object.entries(errorCodes).map(
    ([code, { status, when, remedy }]) =>
      `<section id="${code}"><h2><a href="#${code}">${code}</a> <span class="status">${status}</span></h2><p>${inline(when)}</p><p><strong>To fix it:</strong> ${inline(remedy)}</p></section>`,
  )
  const details = Object.entries(detailMeanings).map(
    ([code, meaning]) => `<dt><code>${code}</code></dt><dd>${inline(meaning)}</dd>`,
  )
  const oauth = Object.entries(oauthErrorMeanings).map(
    ([code, meaning]) =>
      `<dt ${code in errorCodes ? '' : `id="${code}"`}><code>${code}</code></dt><dd>${inline(meaning)}</dd>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Octavo: error codes</title><style>${STYLE}</style></head>
<body><h1>Error codes</h1><p>Every error answer has the members <code>code</code>, <code>message</code>, <code>details</code>, <code>request_id</code> and <code>doc_url</code>. Branch on <code>code</code>; <code>message</code> is for people and may change.</p>${sections.join('\n')}
<h1>Codes in details</h1><p>Each entry of <code>details</code> names one field, parameter, header or limit, and says what is wrong with it.</p><dl>${details.join('\n')}</dl>
<h1>Codes of OAuth endpoints</h1><p>Errors of the endpoints under <code>/oauth</code> also have the members <code>error</code> and <code>error_description</code> of RFC 6749.</p><dl>${oauth.join('\n')}</dl></body></html>`
}

export function serveErrorsPage(server: FastifyInstance): void {
  const page = errorsPage()
  server.get('/errors', (_, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .send(page),
  )
}
