// Vectors of chunks, written in the transaction of the chunks.

import type { Tx } from '../db/database.ts'
import * as spaces from './vector-spaces.store.ts'
import * as store from './vector-spaces.vectors.store.ts'

/** Vectors of one space for the given chunks, in their order; null: not embedded yet. */
export interface SpaceVectors {
  space_id: string
  vectors: readonly (Float32Array | null)[]
  /** The text may not be embedded there, now or later. */
  is_excluded?: boolean
}

export interface NewVectors {
  document_id: string
  project_id: string | null
  /** uuids. */
  chunk_ids: readonly string[]
  vectors: readonly SpaceVectors[]
}

export const GRAPH_DIMENSIONS = 384
export const isInGraph = ({ graph, dimensions }: spaces.Space): boolean =>
  dimensions === GRAPH_DIMENSIONS && (graph === 'filling' || graph === 'shared')

/**
 * Records missing vectors as gaps, which are filled in the background; also for a space that was created after the
 * text was embedded.
 */
export async function writeVectors(tx: Tx, { document_id, project_id, chunk_ids, vectors }: NewVectors): Promise<void> {
  for (const space of await spaces.shareWritten(tx)) {
    const given = vectors.find(({ space_id }) => space_id === space.id)
    if (given?.is_excluded) continue
    const rows = chunk_ids.flatMap((chunk_id, i) => {
      const vector = given?.vectors[i]
      return vector ? [{ chunk_id, vector }] : []
    })
    await store.insertVectors(tx, { id: space.id, in_graph: isInGraph(space) }, rows, { document_id, project_id })
    if (rows.length < chunk_ids.length) store.insertGap(tx, space.id, document_id)
  }
}

/** Made again in the background; what is there serves until then. */
export async function renewVectors(tx: Tx, document_id: string): Promise<void> {
  for (const { id } of await spaces.shareWritten(tx)) store.insertStale(tx, id, document_id)
}
