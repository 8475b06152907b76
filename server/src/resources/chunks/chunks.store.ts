import { firstOf } from '@octavo/base/required.ts'
import type { Chunk } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { type Condition, idIn, listRows, type PageRequest } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { uuidOf } from '../../lib/ids.ts'

export interface PagePlace {
  document_id: string
  page_id: string
  project_id: string | null
}
export interface ChunkRow extends PagePlace {
  /** uuid. */
  id: string
  page_number: number
  number: number
  start_offset: number
  end_offset: number
  heading_path: readonly string[]
  /** null: the same as the text. */
  expanded_text: string | null
  token_count: number
  /** The indexed text, and the text search configuration that stems it. */
  words: string
  config: string
}

/** Reducing words takes PostgreSQL about a third of a millisecond for each. */
const BATCH = 500
/** Upper bound. Chunk positions multiply page numbers by it, so that a page's chunks are adjacent and in order. */
const CHUNKS_OF_A_PAGE = 2 ** 20

const INSERT = sql(
  `insert into chunks (tenant_id, document_id, page_id, project_id, id, number, start_offset, end_offset, page_number, position, heading_path, expanded_text, token_count,
    config, terms, frequencies, word_count)
  select $1, $3, page_id, $4, id, number, start_offset, end_offset, page_number, page_number * ${CHUNKS_OF_A_PAGE} + number, heading_path, nullif(expanded_text, ''), token_count,
    config, t.terms, t.frequencies, coalesce((select sum(f) from unnest(t.frequencies) as f), 0)
  from unnest($5::uuid[], $6::uuid[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::jsonb[], $12::bigint[], $13::text[], $14::text[], $15::text[])
    as chunk (page_id, id, number, start_offset, end_offset, page_number, heading_path, token_count, config, words, expanded_text)
  cross join lateral chunk_terms($1, config, words) as t`,
)
const INSERT_CONFIGS = sql(
  `insert into chunk_configs (tenant_id, config) select $1, unnest($3::text[]) on conflict do nothing`,
)
const DELETE = sql(
  `delete from chunks where tenant_id = $1 and document_id = $3 and page_id = $4 and ($2::uuid[] is null or project_id = any($2))`,
)

/** Chunks of pages of one document; in several statements, so that none of them takes long. */
export async function insertChunks(tx: Tx, chunks: readonly ChunkRow[]): Promise<void> {
  for (let first = 0; first < chunks.length; first += BATCH) {
    const some = chunks.slice(first, first + BATCH)
    const { document_id, project_id } = firstOf(some)
    await tx.rows(INSERT, [
      uuidOf('doc', document_id),
      project_id === null ? null : uuidOf('proj', project_id),
      some.map((chunk) => uuidOf('page', chunk.page_id)),
      some.map((chunk) => chunk.id),
      some.map((chunk) => chunk.number),
      some.map((chunk) => chunk.start_offset),
      some.map((chunk) => chunk.end_offset),
      some.map((chunk) => chunk.page_number),
      some.map((chunk) => JSON.stringify(chunk.heading_path)),
      some.map((chunk) => chunk.token_count),
      some.map((chunk) => chunk.config),
      some.map((chunk) => chunk.words),
      some.map((chunk) => chunk.expanded_text ?? ''),
    ])
  }
  // Two writers of the same new names would wait for each other if they came in different orders.
  tx.queue(INSERT_CONFIGS, [[...new Set(chunks.map((chunk) => chunk.config))].toSorted()])
}

export const deleteChunks = (tx: Tx, page: PagePlace): void =>
  tx.queue(DELETE, [uuidOf('doc', page.document_id), uuidOf('page', page.page_id)])

export interface ChunkFilters {
  page_id?: string
}

/** The text is a part of the page's, which PostgreSQL counts in code points as well. */
const COLUMNS = `id, 'chunk' as object, document_id, page_id, page_number, position, start_offset as start, end_offset as "end",
  (select substr(p.text, (c.start_offset + 1)::int, (c.end_offset - c.start_offset)::int) from pages p
    where p.tenant_id = $1 and p.document_id = c.document_id and p.id = c.page_id) as text,
  heading_path, expanded_text, token_count`

const FIND = sql(
  `select ${COLUMNS} from chunks c where tenant_id = $1 and document_id = $3 and id = $4 and ($2::uuid[] is null or project_id = any($2))`,
  'chk',
)
export const findChunk = (db: Reader, document_id: string, id: string): Promise<Chunk | null> =>
  db.find<Chunk>(FIND, [uuidOf('doc', document_id), uuidOf('chk', id)])

export function listChunks(
  db: Reader,
  document_id: string,
  filters: ChunkFilters,
  page: PageRequest,
): Promise<Chunk[]> {
  const conditions: Condition[] = [
    ['document_id = $', uuidOf('doc', document_id)],
    ...idIn('page_id', 'page', filters.page_id),
  ]
  return listRows<Chunk>(
    db,
    { table: 'chunks c', columns: COLUMNS, prefix: 'chk', key: 'position', visible: 'project_id = any($2)' },
    conditions,
    page,
  )
}
