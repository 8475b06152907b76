// Damage done to a copy of the built site, each of a kind that the proof must notice.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pages that are looked at when a fault is planted: one of each kind. */
export const SOME_PAGES = ['/', '/quickstart/', '/configuration/', '/api-reference/']

const edit = (file: string, change: (html: string) => string) => (site: string) => {
  const before = readFileSync(join(site, file), 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`Nothing of ${file} was changed.`)
  writeFileSync(join(site, file), after)
}
const add = (html: string) => edit('quickstart/index.html', (page) => page.replace('</main>', `${html}</main>`))

interface Damage {
  what: string
  harm: (site: string) => void
}

export const damages: Readonly<Record<string, Damage>> = {
  foreign_font: {
    what: 'a page fetches a font from another host',
    harm: edit('quickstart/index.html', (page) =>
      page.replace('</head>', '<link rel="stylesheet" href="https://fonts.example.com/a.css"></head>'),
    ),
  },
  open_reference: {
    what: "the API reference is as Scalar's makers ship it",
    harm: edit('api-reference/index.html', (page) =>
      page
        .replace(/configuration = \{.*\};?$/m, 'configuration = { url: "/openapi.json" };')
        .replace(/:root\{--scalar-font:[^}]*\}/, ''),
    ),
  },
  script_error: { what: 'a script of a page fails', harm: add('<script>missing.call()</script>') },
  wide_table: {
    what: 'a table is wider than a phone',
    harm: add('<table><tr><td style="min-width:900px">wide</td></tr></table>'),
  },
  pale_text: {
    what: 'text is too pale to be read',
    harm: add('<p style="color:#bbb;background:#fff">Hardly to be read</p>'),
  },
  dead_link: { what: 'a link leads nowhere', harm: add('<a href="/nowhere/">nowhere</a>') },
  no_index: {
    what: 'the index of the search is gone',
    harm: (site) => rmSync(join(site, 'pagefind'), { recursive: true }),
  },
}
