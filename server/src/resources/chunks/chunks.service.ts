import { setImmediate } from 'node:timers/promises'
import type { Block, Chunk } from '@octavo/contract'
import type { Db, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { tokenCounter } from '../../lib/tokens.ts'
import * as rules from './chunks.rules.ts'
import * as store from './chunks.store.ts'

export type Heading = rules.Heading

const CHUNKS_AT_ONCE = 32

/** A page whose chunks are wanted. `path`: the headings that are open where it begins. */
interface PageToCut {
  page_number: number
  text: string
  blocks: readonly Block[] | null
  path: readonly Heading[]
}

/** What a page is cut into, before it is stored: not in a transaction, since counting tokens takes its time. */
export interface CutPage {
  chunks: Omit<store.ChunkRow, keyof store.PagePlace>[]
  /** The headings that are open at the end of the page. */
  path: Heading[]
}

export async function cutPage(page: PageToCut): Promise<CutPage> {
  const { chunks, path } = rules.chunkPage(page, page.path)
  if (chunks.length === 0) return { chunks: [], path }
  const countTokens = await tokenCounter()
  const points = [...page.text]
  const rows: CutPage['chunks'] = []
  for (const [i, { start, end, heading_path }] of chunks.entries()) {
    // A page may be as long as a book, and others wait for this process meanwhile.
    if (i % CHUNKS_AT_ONCE === CHUNKS_AT_ONCE - 1) await setImmediate()
    const token_count = countTokens(points.slice(start, end).join(''))
    rows.push({ page_number: page.page_number, number: i + 1, start_offset: start, end_offset: end, heading_path, token_count })
  }
  return { chunks: rows, path }
}

/** Of pages that have none yet. */
export const createChunks = (tx: Tx, pages: readonly (store.PagePlace & { cut: CutPage })[]): Promise<void> =>
  store.insertChunks(
    tx,
    pages.flatMap(({ document_id, page_id, project_id, cut }) =>
      cut.chunks.map((chunk) => ({ ...chunk, document_id, page_id, project_id })),
    ),
  )

export const forgetChunks = (tx: Tx, page: store.PagePlace): void => store.deleteChunks(tx, page)

export function replaceChunks(tx: Tx, page: store.PagePlace & { cut: CutPage }): Promise<void> {
  store.deleteChunks(tx, page)
  return createChunks(tx, [page])
}

export const listChunks = (db: Db, document_id: string, filters: store.ChunkFilters, page: PageRequest): Promise<Chunk[]> =>
  store.listChunks(db, document_id, filters, page)
