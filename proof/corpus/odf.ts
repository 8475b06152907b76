// A model → flat OpenDocument files, which LibreOffice turns into all the formats it knows. First: texts.

import type { Cell } from '@octavo/contract'
import { escapeXml } from './html.ts'
import { type CorpusModel, type CorpusPiece, cellRows, isRightToLeft, type Language, type ModelTable } from './model.ts'

const COUNTRIES: Record<Language, string> = {
  en: 'GB',
  de: 'DE',
  fr: 'FR',
  es: 'ES',
  pl: 'PL',
  ru: 'RU',
  ar: 'EG',
  zh: 'CN',
  ja: 'JP',
}
const names = ['office', 'style', 'text', 'table', 'drawing', 'presentation'].map((name) => [
  name === 'drawing' ? 'draw' : name,
  `urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`,
])
const compatible = ['xsl-fo', 'svg'].map((name) => [
  name.replace('xsl-', ''),
  `urn:oasis:names:tc:opendocument:xmlns:${name}-compatible:1.0`,
])
const numbers = ['number', 'urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0']
const NAMESPACES = [...names, ...compatible, numbers]
  .map(([prefix, address]) => `xmlns:${prefix}="${address}"`)
  .join(' ')

export type CorpusKind = 'text' | 'spreadsheet' | 'presentation'

export interface OdfParts {
  styles: string
  automatic: string
  masters: string
  body: string
}

export const makeOdf = (kind: CorpusKind, { styles, automatic, masters, body }: OdfParts): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${NAMESPACES} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}">
<office:styles>${styles}</office:styles>
<office:automatic-styles>${automatic}</office:automatic-styles>
<office:master-styles>${masters}</office:master-styles>
<office:body><office:${kind}>${body}</office:${kind}></office:body>
</office:document>
`

export const fontOf = (language: Language): string => {
  const country = `fo:language="${language}" fo:country="${COUNTRIES[language]}"`
  const asian = `style:language-asian="${language}" style:country-asian="${COUNTRIES[language]}"`
  const complex = `style:language-complex="${language}" style:country-complex="${COUNTRIES[language]}"`
  const asian_font = `style:font-family-asian="${language === 'ja' ? 'Noto Serif CJK JP' : 'Noto Serif CJK SC'}"`
  return `fo:font-family="Liberation Serif" ${asian_font} style:font-family-complex="Noto Naskh Arabic" ${country} ${asian} ${complex}`
}

const sized = (size: number): string =>
  `fo:font-size="${size}pt" style:font-size-asian="${size}pt" style:font-size-complex="${size}pt"`

const mode = (language: Language): string => (isRightToLeft(language) ? ' style:writing-mode="rl-tb"' : '')

const spansOf = ({ row_span, column_span }: Cell): string =>
  `${row_span > 1 ? ` table:number-rows-spanned="${row_span}"` : ''}${column_span > 1 ? ` table:number-columns-spanned="${column_span}"` : ''}`

const covers = ({ row, column, row_span, column_span }: Cell, r: number, c: number): boolean =>
  r >= row && r < row + row_span && c >= column && c < column + column_span

/** Rows with a covered cell at every place that a span covers, as OpenDocument wants it. */
export function odfRows(table: ModelTable, write: (cell: Cell, attributes: string) => string): string {
  const written = cellRows(table).map((cells, index) => {
    const row = index + 1
    const places = Array.from({ length: table.columns }, (_, place) => {
      const own = cells.find(({ column }) => column === place + 1)
      if (own) return write(own, spansOf(own))
      return table.cells.some((cell) => covers(cell, row, place + 1))
        ? '<table:covered-table-cell/>'
        : '<table:table-cell/>'
    })
    return `<table:table-row>${places.join('')}</table:table-row>`
  })
  return written.join('')
}

function textTable(table: ModelTable, number: number): { body: string; automatic: string } {
  const total = table.widths.reduce((sum, width) => sum + width, 0)
  const columns = table.widths.map((width, index) => ({
    name: `T${number}.${index}`,
    cm: ((16 * width) / total).toFixed(2),
  }))
  const automatic = columns.map(
    ({ name, cm }) =>
      `<style:style style:name="${name}" style:family="table-column"><style:table-column-properties style:column-width="${cm}cm"/></style:style>`,
  )
  const body = odfRows(table, (cell, attributes) => {
    const end = cell.row + cell.row_span - 1
    const is_edge = cell.row === 1 || end === table.head_rows || end === table.rows
    const is_lined = table.ruling === 'rows' || (table.ruling === 'header' && is_edge)
    const edge = cell.row > 1 ? 'bottom' : table.ruling === 'rows' || end === table.head_rows ? 'both' : 'top'
    const style = table.ruling === 'ruled' ? 'cell_ruled' : is_lined ? `cell_${edge}` : 'cell_plain'
    const paragraph = cell.column_span > 1 ? 'centred' : table.is_number[cell.column - 1] ? 'right' : 'left'
    return `<table:table-cell table:style-name="${style}"${attributes}><text:p text:style-name="${paragraph}">${escapeXml(cell.text)}</text:p></table:table-cell>`
  })
  const named = columns.map(({ name }) => `<table:table-column table:style-name="${name}"/>`).join('')
  return {
    body: `<table:table table:name="T${number}" table:style-name="table">${named}${body}</table:table>`,
    automatic: automatic.join(''),
  }
}

const CELLS = {
  ruled: 'border="0.5pt solid #000000"',
  plain: 'border="none"',
  top: 'border-top="0.8pt solid #000000"',
  bottom: 'border-bottom="0.8pt solid #000000"',
}
const cellStyle = (name: string, border: string): string =>
  `<style:style style:name="cell_${name}" style:family="table-cell"><style:table-cell-properties fo:padding="0.1cm" ${border}/></style:style>`
const paragraphStyle = (name: string, properties: string): string =>
  `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties ${properties}/></style:style>`

function automaticStyles(language: Language): string {
  const cells = Object.entries(CELLS).map(([name, border]) => cellStyle(name, `fo:${border}`))
  return [
    ...cells,
    cellStyle('both', `fo:${CELLS.top} fo:${CELLS.bottom}`),
    '<style:style style:name="table" style:family="table"><style:table-properties style:width="16cm" table:align="left"/></style:style>',
    paragraphStyle('break', 'fo:break-before="page"'),
    ...['left', 'right', 'centred'].map((name) =>
      paragraphStyle(name, `fo:margin-bottom="0cm" fo:text-align="${name === 'centred' ? 'center' : name}"`),
    ),
    '<style:style style:name="two" style:family="section"><style:section-properties>',
    '<style:columns fo:column-count="2" fo:column-gap="0.8cm"/></style:section-properties></style:style>',
    `<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2.2cm"${mode(language)}/></style:page-layout>`,
  ].join('')
}

function namedStyles(language: Language): string {
  const heading = (name: string, size: number, level: number): string => {
    const outline = level > 0 ? ` style:default-outline-level="${level}"` : ''
    const display = ` style:display-name="${name.replace('_20_', ' ')}"`
    return `<style:style style:name="${name}"${display} style:family="paragraph" style:parent-style-name="Standard"${outline}><style:paragraph-properties fo:margin-top="0.3cm" fo:margin-bottom="0.2cm"/><style:text-properties ${sized(size)} fo:font-weight="bold"/></style:style>`
  }
  return [
    `<style:default-style style:family="paragraph"><style:paragraph-properties${mode(language)}/><style:text-properties ${fontOf(language)} ${sized(11)}/></style:default-style>`,
    '<style:style style:name="Standard" style:family="paragraph"><style:paragraph-properties fo:margin-bottom="0.2cm"/></style:style>',
    heading('Title', 20, 0),
    heading('Heading_20_1', 14, 1),
    '<text:list-style style:name="List"><text:list-level-style-bullet text:level="1" text:bullet-char="•"><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" fo:text-indent="-0.6cm" fo:margin-left="1.2cm"/></style:list-level-properties></text:list-level-style-bullet></text:list-style>',
  ].join('')
}

function textPiece(piece: CorpusPiece): string {
  if (piece.type === 'title') return `<text:p text:style-name="Title">${escapeXml(piece.text)}</text:p>`
  if (piece.type === 'heading')
    return `<text:h text:style-name="Heading_20_1" text:outline-level="1">${escapeXml(piece.text)}</text:h>`
  if (piece.type === 'paragraph') return `<text:p text:style-name="Standard">${escapeXml(piece.text)}</text:p>`
  if (piece.type === 'table') throw new Error('a table is written with its styles')
  const items = piece.items.map(
    (item) => `<text:list-item><text:p text:style-name="Standard">${escapeXml(item)}</text:p></text:list-item>`,
  )
  return `<text:list text:style-name="List">${items.join('')}</text:list>`
}

export function makeFodt(model: CorpusModel): string {
  const automatic: string[] = [automaticStyles(model.language)]
  const pages = model.pages.map((page, index) => {
    const pieces = page.map((piece) => {
      if (piece.type !== 'table') return textPiece(piece)
      const { body, automatic: own } = textTable(piece.table, automatic.length)
      automatic.push(own)
      return body
    })
    const head = model.columns === 2 ? (pieces.shift() ?? '') : ''
    const text =
      model.columns === 2
        ? `<text:section text:name="S${index}" text:style-name="two">${pieces.join('')}</text:section>`
        : pieces.join('')
    return `${index > 0 ? '<text:p text:style-name="break"/>' : ''}${head}${text}`
  })
  const masters = '<style:master-page style:name="Standard" style:page-layout-name="page"/>'
  return makeOdf('text', {
    styles: namedStyles(model.language),
    automatic: automatic.join(''),
    masters,
    body: pages.join(''),
  })
}
