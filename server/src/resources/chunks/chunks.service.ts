import { setImmediate } from 'node:timers/promises'
import type { Block, Chunk } from '@octavo/contract'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { notFound } from '../../lib/failure.ts'
import { newUuid } from '../../lib/ids.ts'
import { firstOf } from '../../lib/required.ts'
import { tokenCounter } from '../../text/tokens.ts'
import { configOf, spaceWords } from '../../text/words.ts'
import { type SpaceVectors, writeVectors } from '../../vector-spaces/vector-spaces.vectors.ts'
import { expandChunk, placeTables } from './chunks.expand.rules.ts'
import * as passages from './chunks.passages.rules.ts'
import * as rules from './chunks.rules.ts'
import * as store from './chunks.store.ts'

export type Heading = rules.Heading
/** The text that a chunk is indexed by. */
export const passageOf = (chunk: passages.Passage): string => passages.passageOf(chunk)

const CHUNKS_AT_ONCE = 32

/** A page to cut into chunks. `path`: the headings that are open where it begins. */
interface PageToCut {
  page_number: number
  text: string
  blocks: readonly Block[] | null
  path: readonly Heading[]
  /** The document's title. */
  title: string
  language: string | null
}

/** The chunks of a page before they are stored. Made outside a transaction, because counting tokens takes time. */
export interface CutPage {
  chunks: (Omit<store.ChunkRow, keyof store.PagePlace | 'id'> & { passage: string })[]
  /** The headings that are open at the end of the page. */
  path: Heading[]
  /** Vectors of the passages, if they are embedded already. */
  vectors?: SpaceVectors[]
}

export async function cutPage(page: PageToCut): Promise<CutPage> {
  const tables = placeTables(page)
  const { chunks, path } = rules.chunkPage({ ...page, tables }, page.path)
  if (chunks.length === 0) return { chunks: [], path }
  const countTokens = await tokenCounter()
  const points = [...page.text]
  const rows: CutPage['chunks'] = []
  for (const [i, { start, end, heading_path }] of chunks.entries()) {
    // A page may be as long as a book, so let the process handle other requests in between.
    if (i % CHUNKS_AT_ONCE === CHUNKS_AT_ONCE - 1) await setImmediate()
    const text = points.slice(start, end).join('')
    const expanded_text = expandChunk(points, tables, { start, end })
    const passage = passageOf({ title: page.title, heading_path, text, expanded_text })
    const { page_number } = page
    const found = { config: configOf(page.language), words: spaceWords(passage), passage }
    rows.push({
      page_number,
      number: i + 1,
      start_offset: start,
      end_offset: end,
      heading_path,
      expanded_text,
      token_count: countTokens(text),
      ...found,
    })
  }
  return { chunks: rows, path }
}

/** The pages belong to one document and have no chunks yet. */
export async function createChunks(tx: Tx, pages: readonly (store.PagePlace & { cut: CutPage })[]): Promise<void> {
  const rows = pages.flatMap(({ document_id, page_id, project_id, cut }) =>
    cut.chunks.map((chunk) => ({ ...chunk, id: newUuid(), document_id, page_id, project_id })),
  )
  if (rows.length === 0) return
  await store.insertChunks(tx, rows)
  const { document_id, project_id } = firstOf(rows)
  const vectors = mergeVectors(pages.map(({ cut }) => cut))
  await writeVectors(tx, { document_id, project_id, chunk_ids: rows.map(({ id }) => id), vectors })
}

/** One list for each space, in the order of the chunks; null where a chunk has none. */
function mergeVectors(cuts: readonly CutPage[]): SpaceVectors[] {
  const spaces = new Set(cuts.flatMap(({ vectors = [] }) => vectors.map(({ space_id }) => space_id)))
  return [...spaces].map((space_id) => ({
    space_id,
    vectors: cuts.flatMap(
      (cut) => cut.vectors?.find((one) => one.space_id === space_id)?.vectors ?? cut.chunks.map(() => null),
    ),
  }))
}

export const forgetChunks = (tx: Tx, page: store.PagePlace): void => store.deleteChunks(tx, page)

export function replaceChunks(tx: Tx, page: store.PagePlace & { cut: CutPage }): Promise<void> {
  store.deleteChunks(tx, page)
  return createChunks(tx, [page])
}

export async function readChunk(db: Reader, document_id: string, id: string): Promise<Chunk> {
  const chunk = await store.findChunk(db, document_id, id)
  if (!chunk) throw notFound()
  return chunk
}

export const listChunks = (
  db: Db,
  document_id: string,
  filters: store.ChunkFilters,
  page: PageRequest,
): Promise<Chunk[]> => store.listChunks(db, document_id, filters, page)
