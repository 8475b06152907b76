// The scores of all files → what is promised, a table for readers, and what falls short.

import { round } from '../lib/proof.ts'
import { cellF1 } from './measure.ts'
import { rulings } from './model.ts'
import type { Score } from './score.ts'

export const goals = {
  recall: 0.99,
  order_of_columns: 0.99,
  clean_error: 0.01,
  worn_error: 0.02,
  ruled_f1: 0.9,
  other_f1: 0.75,
  /** Formats that say what is a cell. */
  told_f1: 0.9,
  files: 60,
  languages: 8,
  tables: 40,
} as const

const LATIN = new Set(['en', 'de', 'fr', 'es', 'pl'])
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const digits = (value: number, count = 3): string => (Number.isNaN(value) ? '' : value.toFixed(count))
const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
const head = (...names: string[]): string[] => [line(names), line(names.map(() => '---'))]

const isText = ({ scan }: Score): boolean => scan === null
/** Tables are scored by their cells instead. */
const isProseScan = ({ scan, tables }: Score): boolean => scan !== null && tables.length === 0

/** Each cell of a stray table is one that was found and is not there. */
const f1Of = (scores: readonly Score[], ruling?: string): number =>
  cellF1([
    ...scores.flatMap(({ tables }) =>
      tables.filter((table) => !ruling || table.ruling === ruling).map(({ counts }) => counts),
    ),
    ...scores
      .filter(({ tables }) => tables.length > 0 && (!ruling || tables[0]!.ruling === ruling))
      .map(({ stray_cells }) => ({ expected: 0, found: stray_cells, right: 0 })),
  ])

function formatRows(scores: readonly Score[]): string[] {
  const rows = [...Map.groupBy(scores.filter(isText), ({ format }) => format)].map(([format, own]) => {
    const structures = own.flatMap(({ structure }) => (structure === null ? [] : [structure]))
    return line([
      format,
      own.length,
      [...new Set(own.map(({ language }) => language))].sort().join(' '),
      own.filter(({ page_count }) => page_count.expected === page_count.found).length,
      digits(Math.min(...own.map(({ recall }) => recall))),
      digits(Math.min(...own.map(({ order }) => order))),
      digits(mean(own.map(({ surplus }) => surplus))),
      structures.length > 0 ? digits(mean(structures), 2) : '',
      own.some(({ tables }) => tables.length > 0) ? digits(f1Of(own), 2) : '',
      own.reduce((sum, { wrong_boxes }) => sum + wrong_boxes, 0),
    ])
  })
  const names = ['format', 'files', 'languages', 'page count exact', 'word recall, least', 'in order, least']
  return [...head(...names, 'other words', 'blocks whole', 'cells F1', 'boxes outside'), ...rows]
}

const errorOf = (scores: readonly Score[]): number => mean(scores.map(({ character_error }) => character_error))

function scanRows(scores: readonly Score[]): string[] {
  const groups = Map.groupBy(
    scores.filter(isProseScan),
    ({ scan, language }) => `${scan}|${LATIN.has(language) ? 'Latin' : language}`,
  )
  const rows = [...groups].map(([key, own]) => {
    const formats = [...new Set(own.map(({ format }) => format))].join(' ')
    return line([
      ...key.split('|'),
      own.length,
      formats,
      digits(errorOf(own), 4),
      digits(Math.max(...own.map((one) => one.character_error)), 4),
    ])
  })
  return [...head('scan', 'script', 'files', 'formats', 'character error', 'worst file'), ...rows.sort()]
}

const countTables = (scores: readonly Score[]): number => scores.flatMap(({ tables }) => tables).length

function tableRows(scores: readonly Score[]): string[] {
  const pdfs = scores.filter(({ format, scan }) => format === 'pdf' && scan === null)
  const rows = rulings.map((ruling) => {
    const own = pdfs.flatMap(({ tables }) => tables).filter((table) => table.ruling === ruling).length
    return line([`PDF, ${ruling}`, own, own > 0 ? digits(f1Of(pdfs, ruling)) : ''])
  })
  const told = scores.filter(({ format, scan }) => format !== 'pdf' && scan === null)
  const scans = scores.filter(({ scan }) => scan !== null)
  return [
    ...head('tables', 'how many', 'cells F1'),
    ...rows,
    line(['formats that say what is a cell', countTables(told), digits(f1Of(told))]),
    line(['scans, ruled', countTables(scans), countTables(scans) > 0 ? digits(f1Of(scans)) : '']),
  ]
}

export const writeReport = (scores: readonly Score[]): string =>
  [formatRows(scores), scanRows(scores), tableRows(scores)].map((rows) => rows.join('\n')).join('\n\n')

/** Figures below their goals, one line each. */
export function findShortfalls(scores: readonly Score[]): string[] {
  const found: string[] = []
  const demand = (is_met: boolean, text: string): void => void (is_met || found.push(text))
  for (const one of scores) {
    const { path, error, page_count, recall, order, wrong_boxes } = one
    demand(error === null, `${path}: ${error}`)
    demand(page_count.expected === page_count.found, `${path}: ${page_count.found} pages, not ${page_count.expected}`)
    demand(wrong_boxes === 0, `${path}: ${wrong_boxes} blocks without a box on the page`)
    if (isText(one)) demand(recall >= goals.recall, `${path}: word recall ${digits(recall)}`)
    if (one.columns === 2)
      demand(order >= (isText(one) ? goals.order_of_columns : 0.95), `${path}: ${digits(order)} of the words in order`)
  }
  const latin = scores.filter((one) => isProseScan(one) && LATIN.has(one.language))
  for (const [scan, own] of Map.groupBy(latin, ({ scan }) => scan ?? ''))
    demand(
      errorOf(own) <= (scan === 'clean' ? goals.clean_error : goals.worn_error),
      `${scan} scans: character error ${digits(errorOf(own), 4)}`,
    )
  return [...found, ...shortTables(scores.filter(isText))]
}

function shortTables(scores: readonly Score[]): string[] {
  const pdfs = scores.filter(({ format }) => format === 'pdf')
  const told = scores.filter(({ format }) => format !== 'pdf')
  const short = rulings
    .map((ruling) => ({ ruling, f1: f1Of(pdfs, ruling), goal: ruling === 'ruled' ? goals.ruled_f1 : goals.other_f1 }))
    .filter(({ f1, goal }) => f1 < goal)
    .map(({ ruling, f1 }) => `tables in PDF, ${ruling}: F1 ${digits(f1)}`)
  return f1Of(told) < goals.told_f1 ? [...short, `tables of other formats: F1 ${digits(f1Of(told))}`] : short
}

/** One line. */
export function figureOf(scores: readonly Score[]): string {
  const texts = scores.filter(isText)
  const pdfs = texts.filter(({ format }) => format === 'pdf')
  const latin = scores.filter((one) => isProseScan(one) && LATIN.has(one.language))
  const errors = [...Map.groupBy(latin, ({ scan }) => scan)].map(([scan, own]) => `${scan} ${round(errorOf(own), 4)}`)
  const f1s = rulings.filter((ruling) => pdfs.some(({ tables }) => tables.some((table) => table.ruling === ruling)))
  const columns = scores.filter(({ columns }) => columns === 2)
  const exact = scores.filter(({ page_count }) => page_count.expected === page_count.found).length
  return [
    `${scores.length} files, ${new Set(scores.map(({ language }) => language)).size} languages`,
    `word recall at least ${round(Math.min(...texts.map(({ recall }) => recall)), 4)}`,
    `two columns in order ${round(Math.min(...columns.map(({ order }) => order)), 3)}`,
    `character error ${errors.join(', ')}`,
    `${exact} page counts exact, ${scores.reduce((sum, { wrong_boxes }) => sum + wrong_boxes, 0)} boxes outside`,
    `cells F1 of ${texts.flatMap(({ tables }) => tables).length} tables: in PDF ${f1s.map((ruling) => `${ruling} ${round(f1Of(pdfs, ruling))}`).join(', ')}, elsewhere ${round(f1Of(texts.filter(({ format }) => format !== 'pdf')))}`,
  ].join('; ')
}
