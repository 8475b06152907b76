// Tables → a flat OpenDocument spreadsheet, one sheet each; models → a presentation, one slide for each page.

import type { Cell } from '@octavo/contract'
import { escapeXml } from './html.ts'
import type { CorpusModel, CorpusPiece, Language, ModelTable } from './model.ts'
import { fontOf, makeOdf, odfRows } from './odf.ts'

const NUMBERS = [
  '<number:number-style style:name="n_whole"><number:number number:min-integer-digits="1" number:decimal-places="0" number:grouping="true"/></number:number-style>',
  '<number:number-style style:name="n_money"><number:number number:min-integer-digits="1" number:decimal-places="2" number:min-decimal-places="2" number:grouping="true"/></number:number-style>',
  '<number:percentage-style style:name="n_share"><number:number number:min-integer-digits="1" number:decimal-places="1" number:min-decimal-places="1"/><number:text>%</number:text></number:percentage-style>',
  '<number:date-style style:name="n_date"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style>',
]
const styled = ['whole', 'money', 'share', 'date'].map(
  (name) => `<style:style style:name="c_${name}" style:family="table-cell" style:data-style-name="n_${name}"/>`,
)

/** Numbers are stored as numbers: what a person sees is made by their format. */
function typeOf(text: string): string {
  const value = Number(text.replace(/[,%]/g, ''))
  if (/^\d{4}-\d\d-\d\d$/.test(text))
    return `table:style-name="c_date" office:value-type="date" office:date-value="${text}"`
  if (/^[\d.]+%$/.test(text))
    return `table:style-name="c_share" office:value-type="percentage" office:value="${(value / 100).toFixed(4)}"`
  if (/^[\d,]+$/.test(text)) return `table:style-name="c_whole" office:value-type="float" office:value="${value}"`
  if (/^[\d,]+\.\d\d$/.test(text)) return `table:style-name="c_money" office:value-type="float" office:value="${value}"`
  return 'office:value-type="string"'
}

const sheetCell = (cell: Cell, attributes: string): string =>
  cell.text === ''
    ? `<table:table-cell${attributes}/>`
    : `<table:table-cell ${typeOf(cell.text)}${attributes}><text:p>${escapeXml(cell.text)}</text:p></table:table-cell>`

export function makeFods(tables: readonly ModelTable[], language: Language): string {
  const body = tables.map(
    (table, index) =>
      `<table:table table:name="Sheet${index + 1}"><table:table-column table:number-columns-repeated="${table.columns}"/>${odfRows(table, sheetCell)}</table:table>`,
  )
  const styles = `<style:default-style style:family="table-cell"><style:text-properties ${fontOf(language)}/></style:default-style>`
  return makeOdf('spreadsheet', {
    styles,
    automatic: [...NUMBERS, ...styled].join(''),
    masters: '',
    body: body.join(''),
  })
}

const frame = (top: number, height: number, inner: string, rest = ''): string =>
  `<draw:frame draw:style-name="gr" svg:x="1.5cm" svg:y="${top}cm" svg:width="25cm" svg:height="${height}cm"${rest}>${inner}</draw:frame>`

const cell = ({ text }: Cell, attributes: string): string =>
  `<table:table-cell${attributes}><text:p>${escapeXml(text)}</text:p></table:table-cell>`

function slidePieces(pieces: readonly CorpusPiece[]): string {
  const heading = pieces.find(({ type }) => type === 'title' || type === 'heading')
  const rest = pieces.filter((piece) => piece !== heading)
  const text = rest.flatMap((piece) =>
    piece.type === 'table' ? [] : piece.type === 'list' ? piece.items : [piece.text],
  )
  const paragraphs = text.map((line) => `<text:p>${escapeXml(line)}</text:p>`).join('')
  const tables = rest.flatMap((piece) => (piece.type === 'table' ? [piece.table] : []))
  const title =
    heading && 'text' in heading ? `<draw:text-box><text:p>${escapeXml(heading.text)}</text:p></draw:text-box>` : ''
  return [
    title === '' ? '' : frame(1, 2.5, title, ' presentation:class="title"'),
    paragraphs === '' ? '' : frame(4, 7, `<draw:text-box>${paragraphs}</draw:text-box>`),
    ...tables.map((table) => {
      const columns = `<table:table-column table:number-columns-repeated="${table.columns}"/>`
      return frame(paragraphs === '' ? 4 : 12, 8, `<table:table>${columns}${odfRows(table, cell)}</table:table>`)
    }),
  ].join('')
}

export function makeFodp(model: CorpusModel): string {
  const slides = model.pages.map(
    (pieces, index) =>
      `<draw:page draw:name="page${index + 1}" draw:master-page-name="Default">${slidePieces(pieces)}</draw:page>`,
  )
  const layout =
    '<style:page-layout style:name="slide"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm" style:print-orientation="landscape"/></style:page-layout>'
  const font = `<style:text-properties ${fontOf(model.language)} fo:font-size="14pt" style:font-size-asian="14pt" style:font-size-complex="14pt"/>`
  const graphic = `<style:style style:name="gr" style:family="graphic"><style:graphic-properties draw:stroke="none" draw:fill="none"/>${font}</style:style>`
  return makeOdf('presentation', {
    styles: '',
    automatic: layout + graphic,
    masters: '<style:master-page style:name="Default" style:page-layout-name="slide"/>',
    body: slides.join(''),
  })
}
