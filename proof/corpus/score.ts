// One file as it was read, beside what is in it.

import type { Block } from '@octavo/contract'
import { textFromBlocks } from '../../base/src/blocks.ts'
import {
  type CellCounts,
  characterError,
  countCells,
  isBoxWithin,
  matchTables,
  normalise,
  orderedRecall,
  recall,
  splitWords,
} from './measure.ts'
import type { CorpusSpecimen, Language, Ruling } from './model.ts'
import type { ReadFile } from './read.ts'

export interface Score {
  path: string
  format: string
  language: Language
  scan: CorpusSpecimen['scan']
  columns: 1 | 2
  /** Why it could not be read; everything else is then as if nothing had been found. */
  error: string | null
  page_count: { expected: number; found: number }
  recall: number
  /** Words in the right order. */
  order: number
  /** Words that are not in the file, for each that is. */
  surplus: number
  character_error: number
  tables: { name: string; ruling: Ruling; counts: CellCounts }[]
  /** Cells of tables that are not in the file. */
  stray_cells: number
  /**
   * Share of paragraphs, headings and items that are separate blocks of the right kind; null if the format has no
   * blocks.
   */
  structure: number | null
  wrong_boxes: number
  seconds: number
}

const PLACED = new Set(['pdf', 'png', 'jpg', 'tif', 'webp'])

const kindOf = ({ type }: Block): string => (type === 'title' ? 'heading' : type)

const keys = (all: readonly { kind: string; text: string }[]): string[] =>
  all.map(({ kind, text }) => `${kind} ${normalise(text)}`)

function structureOf(pieces: CorpusSpecimen['pieces'], blocks: readonly Block[]): number {
  return recall(keys(pieces), keys(blocks.map((block) => ({ kind: kindOf(block), text: block.text }))))
}

/** The texts have running headers and footers, which are blocks but not part of a page's text. */
const withRunning = (page: readonly Block[]): Block[] => page.map((block) => ({ ...block, is_running: false }))

export function score(specimen: CorpusSpecimen, file: ReadFile | null, error: string | null, seconds: number): Score {
  const { path, format, language, scan, columns, text, tables } = specimen
  const blocks = file?.pages.flat() ?? []
  const found_text = (file?.pages ?? []).map((page) => textFromBlocks(withRunning(page)).text).join('\n\n')
  const expected = splitWords(text, language)
  const found = splitWords(found_text, language)
  const hit = recall(expected, found)
  const found_tables = blocks.flatMap(({ table }) => (table ? [table] : []))
  const matched = matchTables(tables, found_tables)
  const strays = found_tables.filter((table) => !matched.includes(table))
  return {
    path,
    format,
    language,
    scan,
    columns,
    error,
    page_count: { expected: specimen.page_count, found: file?.page_count ?? 0 },
    recall: hit,
    order: orderedRecall(expected, found),
    surplus: (found.length - hit * expected.length) / expected.length,
    character_error: characterError(text, found_text, language),
    tables: tables.map(({ name, ruling, ...table }, index) => ({
      name,
      ruling,
      counts: countCells([table], matched[index] ? [matched[index]] : []),
    })),
    stray_cells: countCells([], strays).found,
    structure: specimen.pieces.length === 0 ? null : structureOf(specimen.pieces, blocks),
    wrong_boxes: PLACED.has(format) ? blocks.filter((block) => !isBoxWithin(block)).length : 0,
    seconds,
  }
}
