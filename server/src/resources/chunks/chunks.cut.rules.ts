// The chunks of a page with everything that is indexed. Runs in the text thread: a page can be as long as a book.

import { setImmediate } from 'node:timers/promises'
import type { Block } from '@octavo/contract'
import type { Heading } from '../../text/headings.ts'
import { findOpenTable, type OpenTable } from '../../text/open-tables.ts'
import { tokenCounter } from '../../text/tokens.ts'
import { configOf, spaceWords } from '../../text/words.ts'
import { expandChunk, placeTables } from './chunks.expand.rules.ts'
import { passageOf } from './chunks.passages.rules.ts'
import { chunkPage } from './chunks.rules.ts'

/** A page to cut into chunks. `path` and `open_table`: what goes on where it begins. */
export interface PageToCut {
  page_number: number
  text: string
  blocks: readonly Block[] | null
  path: readonly Heading[]
  open_table?: OpenTable | null
  /** The document's title. */
  title: string
  language: string | null
}

const CHUNKS_AT_ONCE = 32

export interface CutChunk {
  page_number: number
  number: number
  start_offset: number
  end_offset: number
  heading_path: readonly string[]
  expanded_text: string | null
  token_count: number
  config: string
  words: string
  passage: string
}

export interface CutText {
  chunks: CutChunk[]
  /** The headings that are open at the end of the page. */
  path: Heading[]
  /** The table that the page ends with. */
  open_table: OpenTable | null
}

export async function cutIntoChunks(page: PageToCut): Promise<CutText> {
  const tables = placeTables(page)
  const { chunks, path } = chunkPage({ ...page, tables }, page.path)
  const open_table = findOpenTable(page.blocks ?? [], page.open_table ?? null)
  if (chunks.length === 0) return { chunks: [], path, open_table }
  const countTokens = await tokenCounter()
  const points = [...page.text]
  const config = configOf(page.language)
  const rows: CutChunk[] = []
  for (const [i, { start, end, heading_path }] of chunks.entries()) {
    // A worker has no thread for this, so it handles other jobs in between.
    if (i % CHUNKS_AT_ONCE === CHUNKS_AT_ONCE - 1) await setImmediate()
    const text = points.slice(start, end).join('')
    const expanded_text = expandChunk(points, tables, { start, end })
    const passage = passageOf({ title: page.title, heading_path, text, expanded_text })
    rows.push({
      page_number: page.page_number,
      number: i + 1,
      start_offset: start,
      end_offset: end,
      heading_path,
      expanded_text,
      token_count: countTokens(text),
      config,
      words: spaceWords(passage),
      passage,
    })
  }
  return { chunks: rows, path, open_table }
}
