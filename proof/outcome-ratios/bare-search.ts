// The least that searches: embeds the query and runs the two statements, on connections that know their tenant. A
// superuser bypasses row security, and nothing is stored.

import pg from 'pg'
import { NEAREST } from '../../server/src/resources/searches/searches.similarity.store.ts'
import { textOfVector } from '../../server/src/vector-spaces/vector-spaces.vectors.store.ts'
import { BARE_NAME } from '../lib/backends.ts'
import { embedTexts } from './bare-model.ts'

const KEYWORD = 'select chunk_id, score from search_chunks($1, $2, $3, $4, $5, $6, $7, $8, $9)'
/** As the server asks for them. */
const CANDIDATES = 200
const NO_FILTERS = [null, null, null, null, null]

export interface BareQuestion {
  number: number
  query: string
  terms: string[]
}

export interface BareSettings {
  database_url: string
  tenant: string
  space: string
  chunks: number
  words_mean: number
}

const { database_url, tenant, space, chunks, words_mean } = JSON.parse(process.argv[4] ?? '{}') as BareSettings
const pool = new pg.Pool({
  connectionString: database_url,
  max: 8,
  application_name: BARE_NAME,
  options: `-c app.tenant=${tenant} -c app.projects=* -c random_page_cost=1.1`,
})
pool.on('error', () => {})

async function search({ query, terms }: BareQuestion): Promise<void> {
  const [vector = new Float32Array()] = await embedTexts([query])
  const [words, nearest] = await Promise.all([
    pool.query({ name: 'keyword', text: KEYWORD, values: [terms, chunks, words_mean, ...NO_FILTERS, CANDIDATES] }),
    pool.query({
      name: 'nearest',
      text: NEAREST.text,
      values: [tenant, null, space, textOfVector(vector), ...NO_FILTERS, CANDIDATES],
    }),
  ])
  if (words.rowCount === 0 || nearest.rowCount !== CANDIDATES) throw new Error('the statements have found nothing')
}

process.on('message', (question: BareQuestion) => void search(question).then(() => process.send?.(question.number)))
process.on('disconnect', () => process.exit())
process.send?.('ready')
