import type { Tx } from '../../db/database.ts'
import { sql } from '../../db/statement.ts'
import { newUuid, uuidOf } from '../../lib/ids.ts'

export interface PagePlace {
  document_id: string
  page_id: string
  project_id: string | null
}
export interface ChunkRow extends PagePlace {
  number: number
  start_offset: number
  end_offset: number
}

const BATCH = 5_000

const INSERT = sql(
  `insert into chunks (tenant_id, document_id, page_id, project_id, id, number, start_offset, end_offset)
  select $1, $3, page_id, $4, id, number, start_offset, end_offset
  from unnest($5::uuid[], $6::uuid[], $7::bigint[], $8::bigint[], $9::bigint[]) as chunk (page_id, id, number, start_offset, end_offset)`,
)
const DELETE = sql(
  `delete from chunks where tenant_id = $1 and document_id = $3 and page_id = $4 and ($2::uuid[] is null or project_id = any($2))`,
)

/** Chunks of pages of one document; in several statements, so that none of them takes long. */
export async function insertChunks(tx: Tx, chunks: readonly ChunkRow[]): Promise<void> {
  for (let first = 0; first < chunks.length; first += BATCH) {
    const some = chunks.slice(first, first + BATCH)
    const { document_id, project_id } = some[0]!
    await tx.rows(INSERT, [
      uuidOf('doc', document_id),
      project_id === null ? null : uuidOf('proj', project_id),
      some.map((chunk) => uuidOf('page', chunk.page_id)),
      some.map(() => newUuid()),
      some.map((chunk) => chunk.number),
      some.map((chunk) => chunk.start_offset),
      some.map((chunk) => chunk.end_offset),
    ])
  }
}

export const deleteChunks = (tx: Tx, page: PagePlace): void =>
  tx.later(DELETE, [uuidOf('doc', page.document_id), uuidOf('page', page.page_id)])
