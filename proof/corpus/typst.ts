// A model → PDF by Typst, which comes as an npm package and brings no fonts for most scripts: those of the system are used.

import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { type CorpusModel, type CorpusPiece, cellRows, type Language, type ModelTable } from './model.ts'

const FONT_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts']
const FONTS: Partial<Record<Language, string>> = {
  ar: 'Noto Naskh Arabic',
  zh: 'Noto Serif CJK SC',
  ja: 'Noto Serif CJK JP',
}
/** Two columns are filled one after the other: a short page makes the text reach the second. */
const SHORT_CM = 20
/** Wider columns hold text that is broken into lines. */
const NOTE_WIDTH = 3
const LATIN = 'Liberation Serif'

let compiler: NodeCompiler | undefined

const quoted = (text: string): string => `#${JSON.stringify(text)}`

/** A line between two rows ends at a cell that reaches over both, as Typst does by itself. */
function ruleLines({ ruling, rows, head_rows }: ModelTable): number[] {
  if (ruling === 'header') return [0, head_rows, rows]
  return ruling === 'rows' ? Array.from({ length: rows + 1 }, (_, y) => y) : []
}

function writeTable(table: ModelTable): string {
  const cells = cellRows(table)
    .flat()
    .map(({ row, column, row_span, column_span, text }) => {
      const align = column_span > 1 ? 'center' : table.is_number[column - 1] ? 'right' : 'left'
      return `table.cell(x: ${column - 1}, y: ${row - 1}, rowspan: ${row_span}, colspan: ${column_span}, align: ${align} + top)[${quoted(text)}]`
    })
  const lines = ruleLines(table).map((y) => `table.hline(y: ${y}, stroke: 0.8pt)`)
  const columns = table.widths
    .map((width) => (!table.is_compact ? `${width}fr` : width > NOTE_WIDTH ? '5.5cm' : 'auto'))
    .join(', ')
  const stroke = table.ruling === 'ruled' ? '0.5pt' : 'none'
  return `#table(columns: (${columns}), stroke: ${stroke}, inset: (x: 6pt, y: 4pt), ${[...cells, ...lines].join(', ')})`
}

function writePiece(piece: CorpusPiece, is_spread: boolean): string {
  if (piece.type === 'table') return writeTable(piece.table)
  if (piece.type === 'list') return `#list(${piece.items.map((item) => `[${quoted(item)}]`).join(', ')})`
  if (piece.type === 'heading') return `#heading(level: 1)[${quoted(piece.text)}]`
  if (piece.type === 'paragraph') return `#par[${quoted(piece.text)}]`
  const title = `#text(size: 20pt, weight: "bold")[${quoted(piece.text)}]`
  return is_spread ? `#place(top, scope: "parent", float: true)[${title}]` : `#block[${title}]`
}

function writeSource({ language, pages, columns, is_justified, running }: CorpusModel): string {
  const fonts = [LATIN, FONTS[language]].filter((font) => font !== undefined)
  const running_text = running ? `, header: [${quoted(running.header)}], footer: [${quoted(running.footer)}]` : ''
  const head = [
    `#set page(width: 21cm, height: ${columns === 2 ? SHORT_CM : 29.7}cm, margin: 2.2cm, columns: ${columns}${running_text})`,
    `#set text(font: ${JSON.stringify(fonts).replace('[', '(').replace(']', ',)')}, size: 11pt, lang: "${language}", fallback: false)`,
    `#set par(justify: ${is_justified})`,
  ]
  return [
    ...head,
    pages.map((page) => page.map((piece) => writePiece(piece, columns === 2)).join('\n\n')).join('\n#pagebreak()\n'),
  ].join('\n')
}

export function makePdf(model: CorpusModel): Uint8Array {
  compiler ??= NodeCompiler.create({ fontArgs: [{ fontPaths: FONT_FOLDERS }] })
  const { result, ...compiled } = compileSource(compiler, writeSource(model))
  if (!result) throw new Error(`Typst refuses the document: ${JSON.stringify(compiled)}`)
  if (result.numOfPages !== model.pages.length)
    throw new Error(`Typst made ${result.numOfPages} pages of ${model.pages.length}: the model says too much on one`)
  return compiler.pdf(result)
}

function compileSource(by: NodeCompiler, mainFileContent: string) {
  const compiled = by.compile({ mainFileContent })
  return { result: compiled.result, error: compiled.result ? null : compiled.takeDiagnostics()?.shortDiagnostics }
}
