// A complete page that loads nothing and runs nothing.

import { createHash } from 'node:crypto'
import { itemAt } from '@octavo/base/required.ts'
import { formatText } from './formatted.ts'
import type { ReportPage } from './page.ts'
import { style } from './style.ts'

const style_hash = createHash('sha256').update(style).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${style_hash}'; base-uri 'none'; form-action 'none'`
/** Longer than an id. An entity is one character, and a tag is not text. */
const LONG_WORD = /(?<![<&/\w])(?:&\w{2,6};|&#\d+;|[^\s<>&]){33,}(?![^<>]*>)/gu
const PIECE = /(?:&\w{2,6};|&#\d+;|[^\s<>&]){16}/gu
/** Names of files and media types break between their parts, if these are short enough. */
const JOINT = /(?<=[./_-])(?=[^./_-])/u
const SHORT_PART = 22
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** Between the tags: what has no place to break would push the columns beside it off the page. */
const breakHtml = (html: string): string =>
  html.replace(LONG_WORD, (word) =>
    word
      .split(JOINT)
      .map((part) => (part.length > SHORT_PART ? part.replace(PIECE, '$&<wbr>') : part))
      .join('<wbr>'),
  )

const writeFigures = (summary: ReportPage['summary']): string =>
  summary.length === 0
    ? ''
    : `<dl>${summary.map(({ label, value }) => `<div><dt dir="auto">${escapeHtml(label)}</dt><dd dir="auto">${escapeHtml(value)}</dd></div>`).join('')}</dl>\n`

function writeCharts({ charts }: ReportPage, pictures: readonly string[]): string {
  if (charts.length === 0) return ''
  const figures = charts.map(({ title, kind, x, y, data }, at) => {
    const told = data.slice(0, 12).map((point) => `${point.x}: ${point.y}`)
    const more = data.length > told.length ? ` and ${data.length - told.length} more` : ''
    const alt = escapeHtml(`${kind === 'bar' ? 'Bar' : 'Line'} chart of ${y} by ${x}. ${told.join(', ')}${more}.`)
    const picture = itemAt(pictures, at).replace('<svg ', `<svg role="img" aria-label="${alt}" `)
    return `<figure><figcaption dir="auto">${escapeHtml(title)}</figcaption>${picture}</figure>\n`
  })
  return `<section aria-label="Charts">\n${figures.join('')}</section>\n`
}

function writeTable({ columns, cells, row_count }: ReportPage): string {
  const head = columns
    .map(({ title, is_number }) => `<th scope="col"${is_number ? ' class="n"' : ''}>${escapeHtml(title)}</th>`)
    .join('')
  const rows = cells.map((row) => {
    const texts = row.map((text, at) => {
      const column = columns[at]
      if (column?.is_number) return `<td class="n">${escapeHtml(text)}</td>`
      if (column?.kind === 'markdown') return `<td dir="auto" class="m">${breakHtml(formatText(text))}</td>`
      return `<td dir="auto"${column?.kind === 'time' ? ' class="t"' : ''}>${breakHtml(escapeHtml(text))}</td>`
    })
    return `<tr>${texts.join('')}</tr>\n`
  })
  const caption = `<caption id="rows">${row_count === 1 ? '1 row' : `${row_count.toLocaleString('en-US')} rows`}</caption>`
  // A region that scrolls sideways must be reachable by keyboard.
  return `<div class="table" role="region" aria-labelledby="rows" tabindex="0">\n<table>${caption}\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join('')}</tbody></table>\n</div>\n`
}

export function writeHtml(page: ReportPage, pictures: readonly string[]): string {
  const title = escapeHtml(page.title)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<header><h1 dir="auto">${title}</h1><p>${escapeHtml(page.generated_at)}. All times are UTC.</p></header>
${writeFigures(page.summary)}${writeCharts(page, pictures)}${page.note ? `<p class="note" role="note">${escapeHtml(page.note)}</p>\n` : ''}${writeTable(page)}</main>
</body>
</html>
`
}
