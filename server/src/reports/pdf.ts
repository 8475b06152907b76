// The page by Typst. The template is ours and fixed; all texts reach it as JSON, which it prints and never reads as code.

import { readFileSync } from 'node:fs'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { plainText } from './formatted.ts'
import type { ReportPage } from './page.ts'

const TEMPLATE = readFileSync(new URL('report.typ', import.meta.url), 'utf8')
const RIGHT_TO_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const BREAK = '\u200b'
/** In a column whose width is given, longer words would run over the next: nothing else says where they may break. */
const LONG_WORD = /[^\s\u200b]{17,}/gu
const PIECE = /.{12}(?=.)/gsu
/** Names of files and media types break between their parts, if these are short enough. */
const JOINT = /(?<=[./_-])(?=[^./_-])/u
const SHORT_PART = 22
/** Columns of short texts, such as ids, are as wide as these, as long as enough is left for the others. */
const SHORT = 32
const WIDE_FROM = 6
const LINE = { upright: 95, wide: 145 }
const SHARE = 0.7
const LONGEST = 60

interface PdfColumnSize {
  longest: number
  weight: number
  is_fixed: boolean
}

/** A row must fit on a page. */
const MOST_LINES = 12

const fewLines = (text: string): string => {
  const lines = text.split(/\s*\n\s*/)
  return lines.length <= MOST_LINES ? lines.join('\n') : `${lines.slice(0, MOST_LINES).join('\n')}…`
}
const breakWord = (word: string): string =>
  word
    .split(JOINT)
    .map((part) => (part.length > SHORT_PART ? part.replace(PIECE, `$&${BREAK}`) : part))
    .join(BREAK)
const breakWords = (text: string): string => text.replace(LONG_WORD, breakWord)
const cellOf = (text: string) => ({ text, rtl: RIGHT_TO_LEFT.test(text) })
const textLine = (text: string) => cellOf(breakWords(text))

function columnSize(title: string, cells: readonly string[]): PdfColumnSize {
  let longest = title.length
  let sum = 0
  for (const text of cells) {
    longest = Math.max(longest, text.length)
    sum += Math.min(text.length, LONGEST)
  }
  return { longest, weight: Math.max(8, title.length, sum / Math.max(1, cells.length)), is_fixed: longest <= SHORT }
}

/** A column is fixed, at the width of its longest text, or has a share of what the fixed ones leave. */
function sizesOf(columns: ReportPage['columns'], cells: readonly string[][]): PdfColumnSize[] {
  const sizes = columns.map(({ title }, at) =>
    columnSize(
      title,
      cells.map((row) => row[at] ?? ''),
    ),
  )
  const room = (columns.length >= WIDE_FROM ? LINE.wide : LINE.upright) * SHARE
  let taken = sizes.reduce((sum, { is_fixed, longest }) => sum + (is_fixed ? longest + 3 : 0), 0)
  for (const size of sizes.toSorted((a, b) => b.longest - a.longest)) {
    if (taken <= room) break
    if (!size.is_fixed) continue
    size.is_fixed = false
    taken -= size.longest + 3
  }
  return sizes
}

function dataOf(page: ReportPage, pictures: readonly string[]) {
  const cells = page.cells.map((row) =>
    row.map((text, at) => fewLines(page.columns[at]?.kind === 'markdown' ? plainText(text) : text)),
  )
  const sizes = sizesOf(page.columns, cells)
  return {
    title: textLine(page.title),
    generated_at: page.generated_at,
    date: page.generated_at.match(/\d+/g)?.slice(0, 3).map(Number) ?? null,
    note: page.note,
    row_count: page.row_count.toLocaleString('en-US'),
    is_wide: page.columns.length >= WIDE_FROM,
    summary: page.summary.map(({ label, value }) => ({ label: textLine(label), value: textLine(value) })),
    charts: page.charts.map(({ title, kind, x, y }, at) => ({
      title: textLine(title),
      alt: `${kind} chart: ${y} by ${x}`,
      svg: pictures[at],
    })),
    columns: page.columns.map(({ title, is_number }, at) => ({ title, is_number, ...sizes[at] })),
    cells: cells.map((row) => row.map((text, at) => cellOf(sizes[at]?.is_fixed ? text : breakWords(text)))),
  }
}

export function makePdf(page: ReportPage, pictures: readonly string[]): Uint8Array {
  const compiler = NodeCompiler.create()
  const compiled = compiler.compile({
    mainFileContent: TEMPLATE,
    inputs: { data: JSON.stringify(dataOf(page, pictures)) },
  })
  if (!compiled.result)
    throw new Error(`Typst refuses the page: ${JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics)}`)
  return compiler.pdf(compiled.result)
}
