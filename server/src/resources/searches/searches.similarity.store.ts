// Finding chunks by their vectors.

import type { Step } from '../../db/batch.ts'
import type { Db } from '../../db/database.ts'
import { sql, type Value } from '../../db/statement.ts'
import {
  filtersOf,
  type RetrievalRow,
  type RetrievalScope,
  rankedOf,
  type ScoredChunk,
} from './searches.retrieve.store.ts'

const FILTERED = `($5::uuid is null or v.project_id = $5) and ($6::uuid[] is null or v.document_id = any ($6))
  and ($8::uuid is null or v.document_id >= $8) and ($9::uuid is null or v.document_id < $9)`
const LIVE = `exists (select from documents d where d.tenant_id = $1 and d.id = r.document_id and d.deleted_at is null
  and ($7::jsonb is null or d.metadata @> $7))`
const OWN = `v.tenant_id = $1 and ($2::uuid[] is null or v.project_id = any ($2))`

/** All vectors of the tenant, nearest first. A join can change the order, so the sort comes after it. */
export const NEAREST = sql(
  `with ranked as materialized (
    select v.chunk_id, v.document_id, v.vector <#> $4::halfvec as distance from chunk_vectors v
    where ${OWN} and v.space_id = $3 and ${FILTERED})
  select r.chunk_id as uuid, -r.distance as score from ranked r where ${LIVE} order by r.distance limit $10`,
)

/** A filter that lets no more vectors pass is answered exactly: a graph visits all others first, and misses some. */
export const EXACT_MAX = 5_000
/**
 * Vectors that pass the filters, found through their documents, nearest first; one row without an id if there are too
 * many. `offset 0` keeps the planner from reading all vectors of the tenant.
 */
const NEAREST_OF_FEW = sql(
  `with passing as materialized (
    select r.chunk_id, r.distance from documents d cross join lateral (
      select v.chunk_id, v.document_id, v.vector <#> $4::halfvec as distance from chunk_vectors v
      where ${OWN} and v.document_id = d.id and v.space_id = $3 offset 0) as r
    where d.tenant_id = $1 and d.id = r.document_id and d.deleted_at is null and ($2::uuid[] is null or d.project_id = any ($2))
      and ($5::uuid is null or d.project_id = $5) and ($6::jsonb is null or d.metadata @> $6)
      and ($7::uuid is null or d.id >= $7) and ($8::uuid is null or d.id < $8)
    limit ${EXACT_MAX} + 1),
  size as materialized (select count(*) > ${EXACT_MAX} as is_over from passing)
  (select p.chunk_id as uuid, -p.distance as score from passing p where not (select is_over from size) order by p.distance limit $9)
  union all select null, null from size where is_over`,
)

const IN_GRAPH = sql(`select chunk_id as uuid, score from search_graph($3, $4::halfvec, $5, $6, $7, $8, $9, $10)`)

export interface SearchedSpace {
  id: string
  graph: 'none' | 'filling' | 'shared' | 'own'
}

/** `also`: the rows of the statement that was sent with it. */
export interface VectorRanking<Also> {
  ranked: ScoredChunk[]
  also: Also[]
}

export async function rankBySimilarity<Also>(
  db: Db,
  space: SearchedSpace,
  vector: string,
  asked: RetrievalScope & { most: number; also: Step },
): Promise<VectorRanking<Also>> {
  const rank = async <Row extends RetrievalRow | TooMany>(step: Step) => {
    const [also, rows] = await db.both<Also, Row>(asked.also, step)
    return { also, rows }
  }
  const [project, documents, ...filters] = filtersOf(asked) as [Value, Value, Value, Value, Value]
  // A few documents are quickly looked through, and a graph would lead everywhere else first.
  if (space.graph === 'none' || space.graph === 'filling' || documents !== null)
    return withRanked(
      await rank<RetrievalRow>({
        statement: NEAREST,
        values: [space.id, vector, project, documents, ...filters, asked.most],
      }),
    )
  const isFiltered = db.caller.projects !== null || [project, ...filters].some((one) => one !== null)
  if (isFiltered) {
    const values = [space.id, vector, project, ...filters, asked.most]
    const { also, rows } = await rank<RetrievalRow | TooMany>({ statement: NEAREST_OF_FEW, values })
    if (isComplete(rows)) return { also, ranked: rankedOf(rows) }
  }
  const values = [space.id, vector, space.graph === 'own', project, ...filters, asked.most]
  return withRanked(await rank<RetrievalRow>({ statement: IN_GRAPH, values }))
}

const withRanked = <Also>({ also, rows }: { also: Also[]; rows: RetrievalRow[] }): VectorRanking<Also> => ({
  also,
  ranked: rankedOf(rows),
})

interface TooMany {
  uuid: null
  score: null
}
const isComplete = (rows: (RetrievalRow | TooMany)[]): rows is RetrievalRow[] => rows[0]?.uuid !== null
