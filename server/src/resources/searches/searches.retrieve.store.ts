import type { Db, Reader } from '../../db/database.ts'
import { sql, type Value } from '../../db/statement.ts'
import { floorUuid, uuidOf } from '../../lib/ids.ts'
import { instantOf } from '../../lib/time.ts'

/** Where to look. */
export interface RetrievalScope {
  project_id?: string | null | undefined
  document_ids?: readonly string[] | undefined
  filters?: { metadata?: Record<string, string>; created_after?: string; created_before?: string } | undefined
}

/** Counting stops here: more chunks hardly change the weight of a word. */
const MAX_COUNTED = 2_000_000
const SIZE = sql(
  `select count(*) as chunks, coalesce(avg(word_count), 0)::float8 as words_mean from (
    select word_count from chunks where tenant_id = $1 and ($2::uuid[] is null or project_id = any($2)) limit ${MAX_COUNTED}) as c`,
)
// `words`: those that no text search configuration of the tenant drops. Each configuration can reduce a word to a
// different term, so there may be more terms than words.
// The setting passes the terms to a statement of the same round trip.
const TERMS = sql(
  `select set_config('app.search_terms', search_terms($3)::text, true)::text[] as terms, (
    select count(*) from (select lexeme from unnest(to_tsvector('simple', $3)) order by positions[1] limit 32) as t
    where not exists (select from chunk_configs c where c.tenant_id = $1 and to_tsvector(c.config::regconfig, t.lexeme) = ''::tsvector)
  ) as words, array(select c.config::text from chunk_configs c where c.tenant_id = $1 order by 1) as configs`,
)
const BY_KEYWORD = sql(
  `select chunk_id as uuid, score, weight from search_chunks(current_setting('app.search_terms')::bigint[], $3, $4, $5, $6, $7, $8, $9, $10)`,
)

/** How much there is to find, for this caller. */
export interface Size {
  chunks: number
  words_mean: number
}
export const countChunks = (db: Reader): Promise<Size> => db.one<Size>(SIZE)
export interface QueryTerms {
  terms: string[]
  words: number
  /** Text search configurations of the tenant. */
  configs: string[]
}
const NO_TERMS: QueryTerms = { terms: [], words: 0, configs: [] }
export const findTerms = async (db: Reader, words: string): Promise<QueryTerms> =>
  (await db.find<QueryTerms>(TERMS, [words])) ?? NO_TERMS

export const filtersOf = ({ project_id, document_ids, filters }: RetrievalScope): Value[] => [
  project_id ? uuidOf('proj', project_id) : null,
  document_ids ? document_ids.map((id) => uuidOf('doc', id)) : null,
  filters?.metadata && Object.keys(filters.metadata).length > 0 ? filters.metadata : null,
  filters?.created_after === undefined ? null : floorUuid(instantOf(filters.created_after)),
  filters?.created_before === undefined ? null : floorUuid(instantOf(filters.created_before)),
]

/** `chunk_id` is a uuid. */
export interface ScoredChunk {
  chunk_id: string
  score: number
}
export interface RetrievalRow {
  uuid: string
  score: number
}
export const rankedOf = (rows: RetrievalRow[]): ScoredChunk[] =>
  rows.map(({ uuid, score }) => ({ chunk_id: uuid, score }))

/** `weight`: the score of a chunk of average length that contains every word of the query once. */
export async function rankByKeyword(
  db: Db,
  query: string,
  size: Size,
  asked: RetrievalScope & { most: number },
): Promise<{ terms: QueryTerms; ranked: ScoredChunk[]; weight: number }> {
  const [found, rows] = await db.both<QueryTerms, RetrievalRow & { weight: number }>(
    { statement: TERMS, values: [query] },
    { statement: BY_KEYWORD, values: [size.chunks, size.words_mean, ...filtersOf(asked), asked.most] },
  )
  const reduced = found[0] ?? NO_TERMS
  const { terms, words } = reduced
  const isReduced = words > 0 && words < terms.length
  const weight = (rows[0]?.weight ?? 0) * (isReduced ? words / terms.length : 1)
  return { terms: reduced, ranked: rankedOf(rows), weight }
}

export interface FoundChunk {
  uuid: string
  chunk_id: string
  document_id: string
  document: { title: string; external_id: string | null; metadata: Record<string, string> }
  page_id: string
  page_number: number
  start: number
  end: number
  text: string
  heading_path: string[]
  expanded_text: string | null
}

/** Through row-level security, in any order. Chunks that were deleted since are missing. */
const READ = sql(
  `select c.id::text as uuid, c.id as chunk_id, c.document_id, c.page_id, c.page_number, c.start_offset as start, c.end_offset as "end",
    substr(p.text, (c.start_offset + 1)::int, (c.end_offset - c.start_offset)::int) as text, c.heading_path, c.expanded_text,
    jsonb_build_object('title', d.title, 'external_id', d.external_id, 'metadata', d.metadata) as document
  from chunks c join pages p on p.tenant_id = $1 and p.document_id = c.document_id and p.id = c.page_id
  join documents d on d.tenant_id = $1 and d.id = c.document_id and d.deleted_at is null
  where c.tenant_id = $1 and c.id = any ($3::uuid[]) and ($2::uuid[] is null or c.project_id = any ($2))`,
)
export const readChunks = (db: Reader, ids: readonly string[]): Promise<FoundChunk[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.rows<FoundChunk>(READ, [ids])

const DOCUMENTS_OF = sql(
  `select id::text as uuid, document_id::text as document from chunks
  where tenant_id = $1 and id = any ($3::uuid[]) and ($2::uuid[] is null or project_id = any ($2))`,
)
/** The document of each chunk, all as uuids. */
export async function findDocumentsOf(db: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ uuid: string; document: string }>(DOCUMENTS_OF, [ids])
  return new Map(rows.map(({ uuid, document }) => [uuid, document]))
}

export type Neighbor = Pick<FoundChunk, 'chunk_id' | 'page_id' | 'page_number' | 'start' | 'end' | 'text'>
interface NeighborRow extends Neighbor {
  hit: string
  is_after: boolean
}
const NEXT_TO = (is: string, order: string): string =>
  `(select c.* from chunks c where c.tenant_id = $1 and c.document_id = h.document_id and c.position ${is} h.position
    order by c.position ${order} limit $4)`
const NEIGHBORS = sql(
  `select h.id::text as hit, c.position > h.position as is_after, c.id as chunk_id, c.page_id, c.page_number,
    c.start_offset as start, c.end_offset as "end",
    substr(p.text, (c.start_offset + 1)::int, (c.end_offset - c.start_offset)::int) as text
  from chunks h cross join lateral (${NEXT_TO('<', 'desc')} union all ${NEXT_TO('>', 'asc')}) as c
  join pages p on p.tenant_id = $1 and p.document_id = c.document_id and p.id = c.page_id
  where h.tenant_id = $1 and h.id = any ($3::uuid[]) and ($2::uuid[] is null or h.project_id = any ($2))
  order by c.position`,
  'chk',
)
/** The chunks before and after each hit, in the order of the document. */
export async function listNeighbors(
  db: Reader,
  ids: readonly string[],
  count: number,
): Promise<(hit: string) => { before: Neighbor[]; after: Neighbor[] }> {
  const rows = ids.length === 0 || count === 0 ? [] : await db.rows<NeighborRow>(NEIGHBORS, [ids, count])
  const byHit = Map.groupBy(rows, ({ hit }) => hit)
  const sideOf = (hit: string, isAfter: boolean): Neighbor[] =>
    (byHit.get(hit) ?? [])
      .filter(({ is_after }) => is_after === isAfter)
      .map(({ chunk_id, page_id, page_number, start, end, text }) => ({
        chunk_id,
        page_id,
        page_number,
        start,
        end,
        text,
      }))
  return (hit) => ({ before: sideOf(hit, false), after: sideOf(hit, true) })
}

/** A word of letters needs no parser: looking it up in its dictionary takes a fraction of the time. */
const DICTIONARY = (token: string): string =>
  `(select m.mapdict::regdictionary from pg_ts_config_map m join pg_ts_config k on k.oid = m.mapcfg
    join ts_token_type(k.cfgparser) t on t.tokid = m.maptokentype and t.alias = '${token}'
    where m.mapcfg = c.config::regconfig order by m.mapseqno limit 1)`
const TERMS_OF_WORDS = sql(
  `with configs as materialized (
    select c.config::regconfig as config, ${DICTIONARY('asciiword')} as latin, ${DICTIONARY('word')} as letters from chunk_configs c where c.tenant_id = $1)
  select w as word, array(select hashtextextended(lexeme, hashtextextended($1::text, 0)) from configs c
    cross join lateral unnest(case when w ~ '^[A-Za-z]+$' then ts_lexize(c.latin, w)
      when w ~ '^[[:alpha:]]+$' then ts_lexize(c.letters, w) else tsvector_to_array(to_tsvector(c.config, w)) end) as lexeme)::text[] as terms
  from unnest($3::text[]) as w`,
)
/** The terms that each configuration of the tenant reduces a word to. */
export const listTermsOfWords = (db: Reader, words: readonly string[]): Promise<{ word: string; terms: string[] }[]> =>
  db.rows(TERMS_OF_WORDS, [words])
