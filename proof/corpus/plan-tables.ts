// Files with tables: in PDF with and without lines, elsewhere as the format has them.

import { makeHtml, makeMarkdown } from './html.ts'
import { type CorpusModel, type CorpusPiece, type Language, newModel, type Ruling, rulings } from './model.ts'
import { byHand, byOffice, byPandoc, byTypst, type Order, order } from './orders.ts'
import { makeSeparated } from './plain.ts'
import { makeFodp, makeFods } from './sheets.ts'
import { newTable, type TableKind, tableKinds } from './tables.ts'
import { readProse } from './texts.ts'

const SIMPLE = ['plain', 'lines', 'gaps', 'dates', 'prose'] as const
const SPANNED = ['head_span', 'row_span', 'both_spans', 'wide'] as const

/** Tables between paragraphs. */
export function tabular(
  name: string,
  language: Language,
  kinds: readonly TableKind[],
  ruling: Ruling | { on_page: number },
): CorpusModel {
  const { pieces, words } = readProse(language)
  const paragraphs = pieces.filter(({ type }) => type === 'paragraph')
  const look = typeof ruling === 'string' ? { ruling, on_page: 2 } : { ruling: 'ruled' as const, ...ruling }
  const pages: CorpusPiece[][] = []
  kinds.forEach((kind, index) => {
    if (index % look.on_page === 0) pages.push([])
    const table = newTable(`${name} ${kind}`, kind, look.ruling, language)
    pages
      .at(-1)!
      .push({ type: 'heading', text: `${words[index]} ${index + 1}` }, paragraphs[index % paragraphs.length]!, {
        type: 'table',
        table,
      })
  })
  return newModel(language, pages)
}

/** A table on each page and nothing else. */
function bare(name: string, language: Language, kinds: readonly TableKind[]): CorpusModel {
  return newModel(
    language,
    kinds.map((kind) => [{ type: 'table', table: newTable(`${name} ${kind}`, kind, 'ruled', language) }]),
  )
}

const tablesIn = (model: CorpusModel) =>
  model.pages.flat().flatMap((piece) => (piece.type === 'table' ? [piece.table] : []))

function pdfs(): Order[] {
  const orders: Order[] = []
  for (const ruling of rulings) {
    orders.push(byTypst(`pdf/typst-tables-${ruling}-en.pdf`, tabular('typst', 'en', SIMPLE, ruling)))
    orders.push(byTypst(`pdf/typst-tables-${ruling}-spans-fr.pdf`, tabular('typst', 'fr', SPANNED, ruling)))
    orders.push(byOffice(`pdf/office-tables-${ruling}-de.pdf`, tabular('office', 'de', tableKinds, ruling)))
  }
  return orders
}

const sheets = (path: string, language: Language, kinds: readonly TableKind[]): Order => {
  const model = bare(path, language, kinds)
  return order(path, model, { by: 'soffice', source: makeFods(tablesIn(model), language), ending: 'fods' })
}

const slides = (path: string, language: Language, kinds: readonly TableKind[]): Order => {
  const model = tabular(path, language, kinds, { on_page: 1 })
  return order(path, model, { by: 'soffice', source: makeFodp(model), ending: 'fodp' })
}

function office(): Order[] {
  return [
    byOffice('docx/office-tables-en.docx', tabular('docx', 'en', tableKinds, 'ruled')),
    byOffice('docx/office-tables-unruled-ru.docx', tabular('docx', 'ru', SIMPLE, 'unruled')),
    byPandoc('docx/pandoc-tables-es.docx', tabular('docx', 'es', SIMPLE, 'ruled')),
    // With more on a page LibreOffice notes breaks in the file that it does not make.
    byOffice('odt/office-tables-pl.odt', tabular('odt', 'pl', tableKinds, { on_page: 1 })),
    byOffice('rtf/office-tables-de.rtf', tabular('rtf', 'de', tableKinds, 'ruled')),
    sheets('xlsx/office-en.xlsx', 'en', ['plain', 'dates', 'gaps', 'lines']),
    sheets('xlsx/office-spans-ru.xlsx', 'ru', SPANNED),
    sheets('ods/office-de.ods', 'de', ['plain', 'dates', 'gaps', 'lines']),
    sheets('ods/office-spans-zh.ods', 'zh', SPANNED),
    slides('pptx/office-tables-en.pptx', 'en', ['plain', 'head_span', 'gaps', 'row_span']),
    slides('odp/office-tables-fr.odp', 'fr', ['plain', 'head_span', 'gaps', 'row_span']),
  ]
}

const separated = (path: string, language: Language, separator: ',' | ';' | '\t', encoding: string): Order => {
  const model = bare(path, language, ['gaps'])
  return byHand(path, model, () => makeSeparated(tablesIn(model)[0]!, separator, encoding))
}

function plain(): Order[] {
  const html = tabular('html', 'en', tableKinds, 'unruled')
  const markdown = tabular('md', 'es', SIMPLE, 'ruled')
  return [
    byHand('html/own-tables-en.html', html, () => makeHtml(html)),
    byPandoc('epub/pandoc-tables-de.epub', tabular('epub', 'de', SIMPLE, 'ruled')),
    byHand('md/own-tables-es.md', markdown, () => makeMarkdown(markdown)),
    separated('csv/comma-en.csv', 'en', ',', 'utf-8'),
    separated('csv/semicolon-de.csv', 'de', ';', 'windows-1252'),
    separated('csv/comma-zh.csv', 'zh', ',', 'utf-8'),
    separated('tsv/tab-ru.tsv', 'ru', '\t', 'utf-8'),
    separated('tsv/tab-ja.tsv', 'ja', '\t', 'utf-16le'),
  ]
}

export const planTables = (): Order[] => [...pdfs(), ...office(), ...plain()]
