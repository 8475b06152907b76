// Passages → what could answer a question: sentences, fields with a label, and cells of tables. Headings are no candidates.

import { textFromBlocks } from '@octavo/base/blocks.ts'
import type { Block } from '@octavo/contract'
import { authorsIn } from './answer-authors.ts'
import { contactsIn, isOfPage, textBefore } from './answer-contacts.ts'
import { type FoundValue, fieldsIn, lineFieldsIn, stackedFieldsIn } from './answer-fields.ts'
import { isLabeledPhone } from './answer-kinds.ts'
import { joinContinued } from './answer-lists.ts'
import { cellsOf } from './answer-tables.ts'
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

/** `start` and `end` are the place in the page, in code points. */
export interface Candidate extends FoundValue {
  /** The first passage that contains it, from 0. */
  passage: number
}

/** A passage that is a large table leaves room for the others. */
const MAX_PASSAGE_CANDIDATES = 200
const MAX_CANDIDATES = 1_000
/** Colon and space between a label and its value. */
const MAX_BETWEEN = 6

export function candidatesOf(passages: readonly Passage[]): Candidate[] {
  const seen = new Set<string>()
  const pages = new Map<PageText, ReturnType<typeof readPage>>()
  const candidates: Candidate[] = []
  const add = (found: readonly FoundValue[], passage: number, { page }: Passage): void => {
    let count = 0
    for (const one of found) {
      const key = `${one.kind} ${one.start} ${one.end} ${one.label} ${page.text.length} ${one.text}`
      if (seen.has(key) || count >= MAX_PASSAGE_CANDIDATES || candidates.length >= MAX_CANDIDATES) continue
      seen.add(key)
      count++
      candidates.push({ ...one, passage })
    }
  }
  for (const [index, passage] of passages.entries()) {
    const page = pages.getOrInsertComputed(passage.page, readPage)
    const end = passage.start + [...passage.text].length
    const overlapping = page.blocks.filter((block) => block.start < end && passage.start < block.end)
    const values = page.blocks.length > 0 ? overlapping.flatMap((block) => block.values()) : fieldsOfText(passage)
    const fields = values.filter(isValue)
    // A line that is nothing but a field is no sentence as well.
    const isField = (one: FoundValue): boolean =>
      fields.some(
        ({ start, end: last, label, text }) =>
          one.start <= start && last <= one.end && one.text.length <= label.length + text.length + MAX_BETWEEN,
      )
    const sentences = sentencesIn(passage, page.blocks).filter((one) => !isField(one) && !isFieldList(one, fields))
    add([...fields, ...sentences], index, passage)
  }
  // The head of a page says whose it is, and a search for its subject finds other parts of it.
  for (const [index, passage] of passages.entries()) {
    const blocks = pages.get(passage.page)?.blocks ?? []
    pages.delete(passage.page)
    add(blocks.flatMap((block) => block.values()).filter(isOfPage), index, passage)
  }
  return candidates
}

/** "SUMMARY: The agency proposes …" is a sentence with a label, not a value. */
const isValue = ({ kind, text }: FoundValue): boolean => kind !== 'field' || !isFullSentence(text)

interface PlacedBlock extends Span {
  type: string
  values(): FoundValue[]
}

/** Blocks with their places, in code points. */
function readPage({ text, blocks }: PageText): { blocks: PlacedBlock[] } {
  if (!blocks) return { blocks: [] }
  const derived = textFromBlocks(blocks)
  // A page that was edited has its own text.
  if (derived.text !== text) return { blocks: [] }
  const toPoint = positionsOf(text)
  const authors = authorsIn(text)
  return {
    blocks: blocks.map((block, i) => {
      const span = derived.spans[i]!
      let values: FoundValue[] | null = null
      const read = (): FoundValue[] =>
        valuesOf(block, text.slice(span.start, span.end)).map((one) => ({
          ...one,
          near: isLabeledPhone(one) ? textBefore(text, span.start + one.start) : one.near,
          start: toPoint(span.start + one.start),
          end: toPoint(span.start + one.end),
        }))
      const onPage = (): FoundValue[] =>
        [
          ...contactsIn(text, span),
          ...(block.type === 'table' ? [] : stackedFieldsIn(text, span)),
          ...authors.filter(({ start }) => span.start <= start && start < span.end),
        ].map((one) => ({
          ...one,
          start: toPoint(one.start),
          end: toPoint(one.end),
        }))
      return {
        type: block.type,
        start: toPoint(span.start),
        end: toPoint(span.end),
        values: () => (values ??= [...read(), ...onPage()]),
      }
    }),
  }
}

/** Places in UTF-16 units of the block's text. */
function valuesOf(block: Block, text: string): FoundValue[] {
  if (block.type === 'table' && block.table) return cellsOf(block.table, text)
  return lineFieldsIn(text)
}

function fieldsOfText({ text, start }: Passage): FoundValue[] {
  const toPoint = positionsOf(text)
  return fieldsIn(text).map((one) => ({ ...one, start: start + toPoint(one.start), end: start + toPoint(one.end) }))
}

/** Several fields on one line. A sentence can contain a colon too, but ends with a full stop. */
const isFieldList = ({ text, start, end }: FoundValue, fields: readonly FoundValue[]): boolean =>
  !isFullSentence(text) &&
  !HAS_VERB.test(text) &&
  new Set(fields.flatMap((one) => (start <= one.start && one.end <= end ? [one.start] : []))).size > 1

/** A line of a letter or a notice may lack its full stop. */
const HAS_VERB = /(?:\p{Ll}{2,} ){2}(?:is|are|was|were|will|shall) \p{Ll}/u

const SENTENCE = { kind: 'sentence', label: '', head: '', row: '', rivals: '', names: [] } as const
const MIN_SENTENCE_WORDS = 6
const isFullSentence = (text: string): boolean =>
  /[.!?。！？]["'”’)]?\s*$/.test(text) && text.trim().split(/\s+/).length >= MIN_SENTENCE_WORDS

function sentencesIn(passage: Passage, blocks: readonly PlacedBlock[]): FoundValue[] {
  const typed = sentencesOf(passage.text, passage.page.language).map((one) => {
    const from = passage.start + one.start
    return { ...one, type: blocks.find(({ start, end }) => start <= from && from < end)?.type ?? null }
  })
  const found: FoundValue[] = []
  let before = ''
  for (const { text, start, end, type } of joinContinued(passage.text, typed)) {
    // A reader can take a line on its own for a heading; a sentence with a full stop is none.
    const isHeading = (type === 'title' || type === 'heading') && !isFullSentence(text)
    if (!isHeading && type !== 'table' && text.trim() !== '')
      found.push({ ...SENTENCE, text, near: before, start: passage.start + start, end: passage.start + end })
    before = text
  }
  return found
}
