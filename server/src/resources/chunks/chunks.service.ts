import { firstOf } from '@octavo/base/required.ts'
import type { Chunk } from '@octavo/contract'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { notFound } from '../../lib/failure.ts'
import { newUuid } from '../../lib/ids.ts'
import { inThread } from '../../text/thread.ts'
import { type SpaceVectors, writeVectors } from '../../vector-spaces/vector-spaces.vectors.ts'
import type * as cut from './chunks.cut.rules.ts'
import * as passages from './chunks.passages.rules.ts'
import * as store from './chunks.store.ts'

export type PageToCut = cut.PageToCut
/** The text that a chunk is indexed by. */
export const passageOf = (chunk: passages.Passage): string => passages.passageOf(chunk)

/** The chunks of a page before they are stored. */
export interface CutPage extends Omit<cut.CutText, 'open_table'> {
  /** Vectors of the passages, if they are embedded already. */
  vectors?: SpaceVectors[]
}

/** Outside a transaction if possible, because counting tokens takes time. */
export const cutPage = inThread<typeof cut.cutIntoChunks>(
  new URL('./chunks.cut.rules.ts', import.meta.url),
  'cutIntoChunks',
)

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
