// Passages → what could answer a question: sentences, fields with a label, and cells of tables. Headings are no candidates.

import type { Block, Table } from '@octavo/contract'
import { textFromBlocks } from '../../text/blocks.ts'
import { positionsOf, type Span } from './positions.ts'
import { sentencesOf } from './sentences.ts'

export interface Passage {
  /** The text that a search found, and its place in the page. */
  text: string
  start: number
  title: string
  headings: readonly string[]
  /** Passages of the same document have the same. */
  document: string
  page: PageText
}
export interface PageText {
  text: string
  language: string | null
  blocks: readonly Block[] | null
}

export interface Candidate extends Span {
  kind: 'sentence' | 'field' | 'cell'
  /** The answer itself. `start` and `end` are its place in the page, in code points. */
  text: string
  /** The label of a field, or the row and the head of a cell. Empty for a sentence. */
  label: string
  /** The rest of the row, or the sentence before. */
  near: string
  /** The first passage that contains it, from 0. */
  passage: number
}

const MAX_CANDIDATES = 400
/** Longer cells are text, not values. */
const MAX_VALUE = 80
const MAX_LABEL = 60
/** "Label: value", also several on one line. */
const FIELD_LINE =
  /(?:^|[^\S\n])(\p{Lu}[\p{L}\p{M} .#/()&-]{0,50}?)[^\S\n]*[:：][^\S\n]*(\S[^\n]{0,199}?)(?=[^\S\n]+\p{Lu}\p{L}[\p{L} ]{0,30}[:：]|[^\S\n]*$)/gmu
/** "TOTAL  $821.14": a line with only a label and a number. */
const VALUE_LINE =
  /^[^\S\n]*(\p{L}[\p{L}\p{M} .()%#&/-]{1,40}?)[^\S\n]+((?:[A-Z]{3} |[$€£¥] ?)?-?\d[\d.,'’ ]*(?: ?(?:%|[€$£¥]|[A-Z]{3}))?)[^\S\n]*$/gmu

/** Colon and space between a label and its value. */
const MAX_BETWEEN = 6
const MAX_INLINE = 1_500
const INLINE_LABEL_WORDS = 3
/** A date, a sum, a number with its unit, or a code. */
const INLINE_VALUE =
  /(?:[A-Z]{3} |[$€£¥] ?)?(?<![\w.,-])-?\d[\d.,'’:/]*\d(?: ?(?:%|[€$£¥]|[ap]m\b|[AP]M\b|mg\/dL))?(?![\w-])|(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Z0-9][\w-]{3,}/gu

export function candidatesOf(passages: readonly Passage[]): Candidate[] {
  const seen = new Set<string>()
  const pages = new Map<PageText, ReturnType<typeof readPage>>()
  const candidates: Candidate[] = []
  for (const [index, passage] of passages.entries()) {
    const page = pages.getOrInsertComputed(passage.page, readPage)
    const end = passage.start + [...passage.text].length
    const overlapping = page.blocks.filter((block) => block.start < end && passage.start < block.end)
    const fields = page.blocks.length > 0 ? overlapping.flatMap((block) => block.values()) : fieldsOfText(passage)
    // A line that is nothing but a field is no sentence as well.
    const isField = (one: Found): boolean =>
      fields.some(
        ({ start, end: last, label, text }) =>
          one.start <= start && last <= one.end && one.text.length <= label.length + text.length + MAX_BETWEEN,
      )
    const sentences = sentencesIn(passage, page.blocks).filter((one) => !isField(one))
    const found = [...fields, ...sentences]
    for (const one of found) {
      const key = `${one.kind} ${one.start} ${one.end} ${one.label} ${passage.page.text.length} ${one.text}`
      if (seen.has(key) || candidates.length >= MAX_CANDIDATES) continue
      seen.add(key)
      candidates.push({ ...one, passage: index })
    }
  }
  return candidates
}

type Found = Omit<Candidate, 'passage'>
interface PlacedBlock extends Span {
  type: string
  values(): Found[]
}

/** Blocks with their places, in code points. */
function readPage({ text, blocks }: PageText): { blocks: PlacedBlock[] } {
  if (!blocks) return { blocks: [] }
  const derived = textFromBlocks(blocks)
  // A page that was edited has its own text.
  if (derived.text !== text) return { blocks: [] }
  const toPoint = positionsOf(text)
  return {
    blocks: blocks.map((block, i) => {
      const span = derived.spans[i]!
      let values: Found[] | null = null
      const read = (): Found[] =>
        valuesOf(block, text.slice(span.start, span.end)).map((one) => ({
          ...one,
          start: toPoint(span.start + one.start),
          end: toPoint(span.start + one.end),
        }))
      return {
        type: block.type,
        start: toPoint(span.start),
        end: toPoint(span.end),
        values: () => (values ??= read()),
      }
    }),
  }
}

/** Places in UTF-16 units of the block's text. */
function valuesOf(block: Block, text: string): Found[] {
  if (block.type === 'table' && block.table) return cellsOf(block.table, text)
  return [...fieldsIn(text), ...inlineFieldsIn(text)]
}

function fieldsIn(text: string): Found[] {
  return [...text.matchAll(FIELD_LINE), ...text.matchAll(VALUE_LINE)]
    .map((match) => {
      const [line, label, value] = match as unknown as [string, string, string]
      const start = match.index + line.lastIndexOf(value)
      return { kind: 'field' as const, text: value.trim(), label, near: '', start, end: start + value.trimEnd().length }
    })
    .filter(({ label }) => label.length <= MAX_LABEL && !/https?$/.test(label))
}

/** "Claim # SF-1008 Policy # POL-2022-555": a form whose fields run together. Prose, which ends with a full stop, has none. */
function inlineFieldsIn(text: string): Found[] {
  if (text.length > MAX_INLINE || /[.!?。！？]["'”’)]?\s*$/.test(text) || !/\p{L}/u.test(text)) return []
  const found: Found[] = []
  let from = 0
  for (const match of text.matchAll(INLINE_VALUE)) {
    const [value] = match
    const words = text.slice(from, match.index).trim().split(/\s+/)
    from = match.index + value.length
    // The label's first word is not known, so each length is a candidate.
    for (let count = 1; count <= Math.min(INLINE_LABEL_WORDS, words.length); count++) {
      const label = words.slice(-count).join(' ')
      if (/\p{L}{2}/u.test(label))
        found.push({ kind: 'field', text: value, label, near: text, start: match.index, end: from })
    }
  }
  return found
}

function fieldsOfText({ text, start }: Passage): Found[] {
  const toPoint = positionsOf(text)
  return fieldsIn(text).map((one) => ({ ...one, start: start + toPoint(one.start), end: start + toPoint(one.end) }))
}

interface PlacedCell extends Span {
  row: number
  column: number
  text: string
}

/** The text of a table is a line for each row with tabs between cells (text/blocks.ts). */
function placeCells(table: Table, text: string): PlacedCell[] {
  const lines = text.split('\n')
  const byRow = Map.groupBy(table.cells, ({ row }) => row)
  const placed: PlacedCell[] = []
  let at = 0
  for (const [i, line] of lines.entries()) {
    const parts = line.split('\t')
    const cells = byRow.get(i + 1) ?? []
    let start = at
    for (const [j, part] of parts.entries()) {
      const cell = cells[j]
      if (cell && part !== '')
        placed.push({ row: cell.row, column: cell.column, text: part, start, end: start + part.length })
      start += part.length + 1
    }
    at += line.length + 1
  }
  return placed
}

function cellsOf(table: Table, text: string): Found[] {
  const cells = placeCells(table, text)
  const rows = Map.groupBy(cells, ({ row }) => row)
  const headOf = headsOf(table)
  const found: Found[] = []
  for (const cell of cells) {
    for (const field of fieldsIn(cell.text))
      found.push({ ...field, start: cell.start + field.start, end: cell.start + field.end })
    for (const field of inlineFieldsIn(cell.text))
      found.push({ ...field, start: cell.start + field.start, end: cell.start + field.end })
    if (cell.text.length > MAX_VALUE || /[:：]$/.test(cell.text)) continue
    const row = rows.get(cell.row)!
    const others = row.filter((other) => other !== cell)
    const left = row.filter(({ column }) => column < cell.column).at(-1)
    const names = rowNames(row, cells).filter((name) => name !== cell)
    const head = headOf(cell)
    const near = others.map((other) => other.text).join(' ')
    const { start, end, text: value } = cell
    // The label beside it, as in a form; or the head of its column with the name of its row.
    if (left && left.text.length <= MAX_LABEL && /\p{L}/u.test(left.text))
      found.push({ kind: 'cell', text: value, label: left.text, near: `${near} ${head}`, start, end })
    if (head && cell.row > 1)
      for (const name of names.length > 0 ? names : [undefined])
        found.push({ kind: 'cell', text: value, label: `${head} ${name?.text ?? ''}`.trim(), near, start, end })
  }
  return found
}

/** The first cell names its row. If it is a number, so does the first cell of words, unless other rows have it too. */
function rowNames(row: readonly PlacedCell[], cells: readonly PlacedCell[]): PlacedCell[] {
  const [first] = row
  if (!first || /\p{L}{2}/u.test(first.text)) return row.slice(0, 1)
  const words = row.find(({ text }) => /\p{L}{3}/u.test(text) && !/\d/.test(text))
  const isUnique = words && cells.every((cell) => cell === words || cell.text !== words.text)
  return isUnique ? [first, words] : [first]
}

/** The texts above a cell in the rows of heads: the first row, and those below it while they hold no number. */
function headsOf({ cells, rows }: Table): (cell: PlacedCell) => string {
  const byRow = Map.groupBy(cells, ({ row }) => row)
  let heads = 1
  while (
    heads < Math.min(3, rows - 1) &&
    (byRow.get(heads + 1) ?? []).every(({ text }) => !/\d/.test(text) || /^\D*(?:19|20)\d\d\D*$/.test(text))
  )
    heads++
  return ({ row, column }) =>
    cells
      .filter(
        (cell) =>
          cell.row <= heads &&
          cell.row < row &&
          cell.column <= column &&
          column < cell.column + Math.max(1, cell.column_span),
      )
      .map(({ text }) => text.trim())
      .filter(Boolean)
      .join(' ')
}

const MIN_SENTENCE_WORDS = 6
const isFullSentence = (text: string): boolean =>
  /[.!?。！？]["'”’)]?\s*$/.test(text) && text.trim().split(/\s+/).length >= MIN_SENTENCE_WORDS

function sentencesIn(passage: Passage, blocks: readonly PlacedBlock[]): Found[] {
  const found: Found[] = []
  let before = ''
  for (const { text, start, end } of sentencesOf(passage.text, passage.page.language)) {
    const from = passage.start + start
    const block = blocks.find((one) => one.start <= from && from < one.end)
    // A reader can take a line on its own for a heading; a sentence with a full stop is none.
    const isHeading = (block?.type === 'title' || block?.type === 'heading') && !isFullSentence(text)
    if (!isHeading && block?.type !== 'table' && text.trim() !== '')
      found.push({ kind: 'sentence', text, label: '', near: before, start: from, end: passage.start + end })
    before = text
  }
  return found
}
