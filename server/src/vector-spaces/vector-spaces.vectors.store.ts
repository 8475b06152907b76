import type { Reader, Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import { uuidOf } from '../lib/ids.ts'

/** A vector is about 3,000 characters on its way. */
const BATCH = 200

/** For chunks that this transaction inserts. */
const INSERT_NEW = sql(
  `insert into chunk_vectors (tenant_id, chunk_id, space_id, document_id, project_id, vector, in_graph)
  select $1, v.chunk_id, $3, $7, $8, v.vector, $6 from unnest($4::uuid[], $5::halfvec[]) as v (chunk_id, vector)`,
)
/** Skips chunks that were deleted since they were embedded, and waits for deletions in progress. */
const INSERT_LATE = sql(
  `insert into chunk_vectors (tenant_id, chunk_id, space_id, document_id, project_id, vector, in_graph)
  select $1, c.id, $3, c.document_id, c.project_id, v.vector, $6 from unnest($4::uuid[], $5::halfvec[]) as v (chunk_id, vector)
  join chunks c on c.tenant_id = $1 and c.id = v.chunk_id for key share of c
  on conflict (tenant_id, chunk_id, space_id) do update set vector = excluded.vector`,
)
const INSERT_GAP = sql(
  `insert into embedding_gaps (tenant_id, space_id, document_id) values ($1, $3, $4) on conflict do nothing`,
)
const INSERT_GAPS = sql(
  `insert into embedding_gaps (tenant_id, space_id, document_id) select distinct $1::uuid, $3::uuid, document_id from chunks where tenant_id = $1
  on conflict do nothing`,
)
const INSERT_STALE = sql(
  `insert into embedding_gaps (tenant_id, space_id, document_id, is_stale) values ($1, $3, $4, true)
  on conflict (tenant_id, space_id, document_id) do update set is_stale = true`,
)
const GAP = `select g.space_id as uuid, g.document_id, g.is_stale from embedding_gaps g where g.tenant_id = $1`
const FIND_GAP = sql(`${GAP} and g.space_id = $3 limit 1`)
const FIND_SETTLED_GAP = sql(
  `${GAP} and g.space_id = $3 and not exists (
    select from documents d where d.tenant_id = $1 and d.id = g.document_id and d.status = 'processing') limit 1`,
)
const FIND_GAP_OF = sql(`${GAP} and g.space_id = $3 and g.document_id = $4`)
const LIST_GAPS = sql(`${GAP} and g.document_id = $3`)
const DELETE_GAP = sql(`delete from embedding_gaps where tenant_id = $1 and space_id = $3 and document_id = $4`)
/**
 * Documents go from one to the next, and a document's chunks in their order. The texts are cut after the limit: each cut
 * reads a whole page, and a document can have tens of thousands of chunks.
 */
const LIST_UNEMBEDDED = sql(
  `with next_chunks as materialized (
    select c.id, c.document_id, c.project_id, c.position, c.heading_path, c.expanded_text, c.config, c.page_id, c.start_offset, c.end_offset, d.title
    from chunks c join documents d on d.tenant_id = $1 and d.id = c.document_id
    where c.tenant_id = $1 and (c.document_id, c.position) > ($4, $5) and ($6::uuid is null or c.document_id = $6) and d.deleted_at is null
    and ($8 or not exists (select from chunk_vectors v where v.tenant_id = $1 and v.chunk_id = c.id and v.space_id = $3))
    order by c.document_id, c.position limit $7)
  select c.id as uuid, c.document_id, c.project_id, c.position, c.heading_path, c.expanded_text, c.config, c.title,
    substr(p.text, (c.start_offset + 1)::int, (c.end_offset - c.start_offset)::int) as text
  from next_chunks c join pages p on p.tenant_id = $1 and p.document_id = c.document_id and p.id = c.page_id
  order by c.document_id, c.position`,
)
const DELETE_SOME = sql(
  `delete from chunk_vectors where ctid = any (array(select ctid from chunk_vectors where tenant_id = $1 and space_id = $3 limit $4)) and tenant_id = $1 returning 1 as one`,
)
const FLAG_SOME = sql(
  `update chunk_vectors set in_graph = true where tenant_id = $1 and space_id = $3 and not in_graph
  and chunk_id = any (array(select chunk_id from chunk_vectors where tenant_id = $1 and space_id = $3 and not in_graph limit $4)) returning 1 as one`,
)
const UNFLAG_SOME = sql(
  `update chunk_vectors set in_graph = false where tenant_id = $1 and space_id = $3 and in_graph
  and chunk_id = any (array(select chunk_id from chunk_vectors where tenant_id = $1 and space_id = $3 and in_graph limit $4)) returning 1 as one`,
)
const COUNT = sql(
  `select count(*) as count from (select from chunk_vectors where tenant_id = $1 and space_id = $3 and ($2::uuid[] is null or project_id = any($2)) limit $4) as v`,
)

/** Half a number has three digits; more would only travel. */
const DIGITS = 4
export const textOfVector = (vector: Float32Array): string =>
  `[${Array.from(vector, (value) => Number(value.toPrecision(DIGITS))).join()}]`

export interface VectorRow {
  chunk_id: string
  vector: Float32Array
}
export interface VectorPlace {
  id: string
  in_graph: boolean
}

/** `parent`: the document whose chunks are new; null: of any documents, and some may be gone. */
export async function insertVectors(
  tx: Tx,
  space: VectorPlace,
  rows: readonly VectorRow[],
  parent: { document_id: string; project_id: string | null } | null,
): Promise<void> {
  for (let first = 0; first < rows.length; first += BATCH) {
    const some = rows.slice(first, first + BATCH)
    const vectors = some.map(({ vector }) => textOfVector(vector))
    const values = [space.id, some.map(({ chunk_id }) => chunk_id), vectors, space.in_graph]
    if (!parent) await tx.rows(INSERT_LATE, values)
    else
      await tx.rows(INSERT_NEW, [
        ...values,
        uuidOf('doc', parent.document_id),
        parent.project_id && uuidOf('proj', parent.project_id),
      ])
  }
}

export const insertGap = (tx: Tx, space_id: string, document_id: string): void =>
  tx.queue(INSERT_GAP, [space_id, uuidOf('doc', document_id)])
export const insertStale = (tx: Tx, space_id: string, document_id: string): void =>
  tx.queue(INSERT_STALE, [space_id, uuidOf('doc', document_id)])
/** For all documents that have chunks. */
export const insertGaps = (tx: Tx, space_id: string): void => tx.queue(INSERT_GAPS, [space_id])
export const deleteGap = (tx: Tx, space_id: string, document_id: string): void =>
  tx.queue(DELETE_GAP, [space_id, uuidOf('doc', document_id)])
export interface Gap {
  /** uuid of the space. */
  uuid: string
  document_id: string
  is_stale: boolean
}
export const findGap = (db: Reader, space_id: string): Promise<Gap | null> => db.find<Gap>(FIND_GAP, [space_id])
export const findGapOf = (db: Reader, space_id: string, document_id: string): Promise<Gap | null> =>
  db.find<Gap>(FIND_GAP_OF, [space_id, uuidOf('doc', document_id)])
/** A gap of a document that is not being read: ingestion adds the vectors of the others itself. */
export const findSettledGap = (db: Reader, space_id: string): Promise<Gap | null> =>
  db.find<Gap>(FIND_SETTLED_GAP, [space_id])
export const listGaps = (db: Reader, document_id: string): Promise<Gap[]> =>
  db.rows<Gap>(LIST_GAPS, [uuidOf('doc', document_id)])

/** Position of a walk over chunks. */
export interface FillPosition {
  document_id: string | null
  position: number
}
export interface ChunkWithoutVector {
  uuid: string
  document_id: string
  project_id: string | null
  position: number
  heading_path: string[]
  expanded_text: string | null
  config: string
  title: string
  text: string
}
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Chunks behind a place that a space has no vectors of, or all where those are stale; of one document or of all. */
export function listUnembedded(
  db: Reader,
  space_id: string,
  after: FillPosition,
  { document_id, is_stale = false, limit }: { document_id: string | null; is_stale?: boolean; limit: number },
): Promise<ChunkWithoutVector[]> {
  const from = after.document_id === null ? FIRST : uuidOf('doc', after.document_id)
  const within = document_id === null ? null : uuidOf('doc', document_id)
  return db.rows<ChunkWithoutVector>(LIST_UNEMBEDDED, [space_id, from, after.position, within, limit, is_stale])
}

/** Say how many. */
export const deleteVectors = async (tx: Tx, space_id: string, limit: number): Promise<number> =>
  (await tx.rows(DELETE_SOME, [space_id, limit])).length
export const flagVectors = async (tx: Tx, space_id: string, limit: number): Promise<number> =>
  (await tx.rows(FLAG_SOME, [space_id, limit])).length
export const unflagVectors = async (tx: Tx, space_id: string, limit: number): Promise<number> =>
  (await tx.rows(UNFLAG_SOME, [space_id, limit])).length

/** Up to a bound. */
export async function countVectors(db: Reader, space_id: string, most: number): Promise<number> {
  return (await db.one<{ count: number }>(COUNT, [space_id, most])).count
}

const UPDATE_TERMS = sql(
  `update chunks c set terms = t.terms, frequencies = t.frequencies, word_count = coalesce((select sum(f) from unnest(t.frequencies) as f), 0)
  from unnest($3::uuid[], $4::text[], $5::text[]) as n (id, config, words) cross join lateral chunk_terms($1, n.config, n.words) as t
  where c.tenant_id = $1 and c.id = n.id and ($2::uuid[] is null or c.project_id = any($2))`,
)
/** Updates the search terms of chunks whose indexed text has changed. */
export const updateTerms = (tx: Tx, rows: readonly { uuid: string; config: string; words: string }[]): void =>
  tx.queue(UPDATE_TERMS, [
    rows.map(({ uuid }) => uuid),
    rows.map(({ config }) => config),
    rows.map(({ words }) => words),
  ])
