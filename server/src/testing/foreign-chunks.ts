// Chunks of other tenants, many and quickly: written past the checks of the tables, as only a superuser can.

import pg from 'pg'

const CHUNKS_OF_A_TENANT = 10_000
const CHUNKS_OF_A_DOCUMENT = 100
const BATCH = 100_000
const WORDS = 50
const TEMPLATES = 2_000
/** Built at once they take a fraction of the time. */
const INDEXES = ['chunks_terms', 'chunks_words', 'chunk_vectors_by_space', 'chunk_vectors_by_document']

/** Words are drawn as in a language: few of them often. */
const PREPARE = `
create temporary table templates as select n, terms, array_fill(1::smallint, array[cardinality(terms)]) as frequencies, l2_normalize(vector) as vector
  from (select n, array(
    select distinct hashtextextended('w' || floor(exp(random() * ln(30000)))::int, 7) from generate_series(1, ${WORDS}) where n > 0
  ) as terms, (select array_agg(random() - 0.5) from generate_series(1, 384) where n > 0)::halfvec as vector
  from generate_series(1, ${TEMPLATES}) as n) as made`
/** Ids ascend, as those of the product do. */
const ID = (kind: number, number: string): string =>
  `('0000000${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`
const ROWS = `select i, md5('t' || i / ${CHUNKS_OF_A_TENANT})::uuid as tenant, ${ID(1, 'i')} as chunk,
    ${ID(2, `i / ${CHUNKS_OF_A_DOCUMENT}`)} as document from generate_series($1::bigint, $2::bigint) as i`
/** The numbers of a tenant's terms are its own, as chunk_terms makes them. */
const CHUNKS = `
insert into chunks (tenant_id, document_id, page_id, id, number, start_offset, end_offset, position, page_number, config, terms, frequencies, word_count)
  with salted as materialized (
    select tenant, n, array(select term # hashtextextended('salt', tenant) as own from unnest(terms) as term order by own) as terms, frequencies
    from generate_series($1::bigint / ${CHUNKS_OF_A_TENANT}, $2::bigint / ${CHUNKS_OF_A_TENANT}) as tenant cross join templates)
  select c.tenant, c.document, c.document, c.chunk, i, 0, 1000, i, 1, 'english', s.terms, s.frequencies, cardinality(s.terms)
  from (${ROWS}) as c join salted s on s.tenant = i / ${CHUNKS_OF_A_TENANT} and n = 1 + i % ${TEMPLATES} order by i`
const VECTORS = `
insert into chunk_vectors (tenant_id, chunk_id, space_id, document_id, vector)
  select tenant, chunk, tenant, document, vector from (${ROWS}) as c join templates on n = 1 + i % ${TEMPLATES} order by i`

/** `between` comes after each part of them: what is written then lies among them. */
export async function addForeignChunks(
  admin_url: string,
  count: number,
  between: (share: number) => Promise<void> = async () => {},
): Promise<void> {
  const client = new pg.Client({ connectionString: admin_url })
  await client.connect()
  try {
    await client.query(`set session_replication_role = replica`)
    // Rows are ordered by tenant, so a term index builds fastest in small chunks.
    await client.query(`set maintenance_work_mem = '32MB'`)
    await client.query(
      `insert into tenants (id, name, tier, created_at, updated_at)
      select md5('t' || n)::uuid, 'Foreign', 'free', now(), now() from generate_series(0, ($1 - 1) / ${CHUNKS_OF_A_TENANT}) as n`,
      [count],
    )
    await client.query(PREPARE)
    const { rows } = await client.query<{ definition: string; name: string }>(
      `select indexdef as definition, indexname as name from pg_indexes where indexname = any ($1)`,
      [INDEXES],
    )
    for (const { name } of rows) await client.query(`drop index ${name}`)
    for (let first = 0; first < count; first += BATCH) {
      const last = Math.min(count, first + BATCH) - 1
      await client.query(CHUNKS, [first, last])
      await client.query(VECTORS, [first, last])
      await between((last + 1) / count)
    }
    for (const { definition } of rows) await client.query(definition)
    await client.query('vacuum (analyze) chunks')
    await client.query('vacuum (analyze) chunk_vectors')
  } finally {
    await client.end()
  }
}
