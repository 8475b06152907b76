// The two statements that a hybrid search consists of, prepared, on connections that know their tenant; and nothing else.

import pg from 'pg'
import { NEAREST } from '../../server/src/resources/searches/searches.retrieve.store.ts'
import { adminUrl } from '../lib/admin.ts'
import { POOL } from './scene.ts'

const KEYWORD = 'select chunk_id, score from search_chunks($1, $2, $3, $4, $5, $6, $7, $8, $9)'
/** As the server asks for them. */
const CANDIDATES = 200
const NO_FILTERS = [null, null, null, null, null]

interface Statements {
  chunks: number
  termsOf(question: string): Promise<string[]>
  /** Both at once, on separate connections. */
  search(terms: readonly string[], vector: string): Promise<void>
  close(): Promise<void>
}

export async function openStatements(database: string, tenant: string): Promise<Statements> {
  // Session settings, and a superuser, who bypasses row security: this measures only the statements.
  const options = `-c app.tenant=${tenant} -c app.projects=* -c random_page_cost=1.1`
  const pool = new pg.Pool({ connectionString: adminUrl(database), max: POOL, options })
  pool.on('error', () => {})
  const find = async <T>(text: string): Promise<T> => (await pool.query(text, [tenant])).rows[0] as T
  const { id: space } = await find<{ id: string }>(
    `select id from embedding_spaces where tenant_id = $1 and status = 'active'`,
  )
  const { chunks, words_mean } = await find<{ chunks: number; words_mean: number }>(
    'select count(*)::int as chunks, avg(word_count)::float8 as words_mean from chunks where tenant_id = $1',
  )
  return {
    chunks,
    termsOf: async (question) =>
      ((await pool.query('select search_terms($1)::text[] as terms', [question])).rows as { terms: string[] }[])[0]!
        .terms,
    async search(terms, vector) {
      const [words, nearest] = await Promise.all([
        pool.query({ name: 'keyword', text: KEYWORD, values: [terms, chunks, words_mean, ...NO_FILTERS, CANDIDATES] }),
        pool.query({
          name: 'nearest',
          text: NEAREST.text,
          values: [tenant, null, space, vector, ...NO_FILTERS, CANDIDATES],
        }),
      ])
      if (words.rowCount === 0 || nearest.rowCount !== CANDIDATES) throw new Error('the statements have found nothing')
    },
    close: () => pool.end(),
  }
}
