// A model → HTML, and → Markdown with tables.

import { type CorpusModel, type CorpusPiece, cellRows, isRightToLeft, type ModelTable } from './model.ts'

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const spans = (row_span: number, column_span: number): string =>
  `${row_span > 1 ? ` rowspan="${row_span}"` : ''}${column_span > 1 ? ` colspan="${column_span}"` : ''}`

function htmlOfTable(table: ModelTable): string {
  const rows = cellRows(table).map((cells, index) => {
    const name = index < table.head_rows ? 'th' : 'td'
    const written = cells.map(
      (cell) => `<${name}${spans(cell.row_span, cell.column_span)}>${escapeXml(cell.text)}</${name}>`,
    )
    return `  <tr>${written.join('')}</tr>`
  })
  return `<table>\n${rows.join('\n')}\n</table>`
}

function htmlOfPiece(piece: CorpusPiece): string {
  if (piece.type === 'title') return `<h1>${escapeXml(piece.text)}</h1>`
  if (piece.type === 'heading') return `<h2>${escapeXml(piece.text)}</h2>`
  if (piece.type === 'paragraph') return `<p>${escapeXml(piece.text)}</p>`
  if (piece.type === 'table') return htmlOfTable(piece.table)
  return `<ul>\n${piece.items.map((item) => `  <li>${escapeXml(item)}</li>`).join('\n')}\n</ul>`
}

/** With what a page from the web has around its text. */
export function makeHtml(model: CorpusModel, charset = 'utf-8'): string {
  const dir = isRightToLeft(model.language) ? ' dir="rtl"' : ''
  const body = model.pages.flat().map(htmlOfPiece).join('\n')
  const head = `<meta charset="${charset}"><style>p { margin: 1em }</style><script>document.title += '!'</script>`
  return `<!DOCTYPE html>\n<html lang="${model.language}"${dir}>\n<head>${head}</head>\n<body>\n<main>\n${body}\n</main>\n</body>\n</html>\n`
}

function markdownOfTable(table: ModelTable): string {
  const lines = cellRows(table).map((cells) => `| ${cells.map(({ text }) => text).join(' | ')} |`)
  lines.splice(1, 0, `|${table.is_number.map((is_number) => (is_number ? ' ---: |' : ' --- |')).join('')}`)
  return lines.join('\n')
}

function markdownOfPiece(piece: CorpusPiece): string {
  if (piece.type === 'title') return `# ${piece.text}`
  if (piece.type === 'heading') return `## ${piece.text}`
  if (piece.type === 'paragraph') return piece.text
  if (piece.type === 'table') return markdownOfTable(piece.table)
  return piece.items.map((item) => `- ${item}`).join('\n')
}

/** Tables may have no spans and one row of head. */
export const makeMarkdown = (model: CorpusModel): string => `${model.pages.flat().map(markdownOfPiece).join('\n\n')}\n`
