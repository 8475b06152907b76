// Chunks belong to one page each and are written in the transaction of its text, so that they always fit it.

import type { Tx } from '../../db/database.ts'
import { chunkText } from './chunks.rules.ts'
import * as store from './chunks.store.ts'

interface PageText extends store.PagePlace {
  text: string
}

/** Of new pages of one document. */
export function createChunks(tx: Tx, pages: readonly PageText[]): Promise<void> {
  return store.insertChunks(tx, pages.flatMap(chunksOf))
}

export function replaceChunks(tx: Tx, page: PageText): Promise<void> {
  store.deleteChunks(tx, page)
  return store.insertChunks(tx, chunksOf(page))
}

function chunksOf({ text, ...place }: PageText): store.ChunkRow[] {
  return chunkText(text).map(({ start, end }, i) => ({ ...place, number: i + 1, start_offset: start, end_offset: end }))
}
