// Search on Cranfield through the API, as one tenant among many chunks of others.

import { type SearchMode, searchModes } from '@octavo/contract'
import { Octavo } from '@octavo/sdk'
import { findUuid } from '../../../server/src/lib/ids.ts'
import { startApi, type TestApi } from '../../../server/src/testing/api.ts'
import { addForeignChunks } from '../../../server/src/testing/foreign-chunks.ts'
import { asAdmin } from '../../lib/admin.ts'
import { eachOf } from '../../lib/call.ts'
import { ndcgOf, readCranfield } from '../cranfield.ts'
import { mean, standardErrorOf } from '../measures.ts'
import type { EvalRow, RowContext, RowFigure } from '../row.ts'

/** Fewer for a quick look: EVAL_FOREIGN_CHUNKS. */
const FOREIGN = Number(process.env.EVAL_FOREIGN_CHUNKS ?? 2_000_000)
/** Passages: the documents of the first ones are ten and more. */
const LIMIT = 50
const AT_ONCE = 8
const GOALS: Record<SearchMode, number | null> = { hybrid: 0.424, semantic: 0.39, keyword: 0.37 }
const MODELS: Record<SearchMode, string> = {
  hybrid: 'all-minilm-l6-v2 and BM25, by reciprocal rank',
  semantic: 'all-minilm-l6-v2',
  keyword: 'BM25',
}

export const row: EvalRow = {
  about: `Cranfield, all 225 questions over 1,400 documents: uploaded through the SDK and searched with \`POST /searches\`, with ${FOREIGN.toLocaleString('en')} chunks of other tenants in the same tables; nDCG@10 over the documents of the passages. Every question counts; none was held out.`,
  weak: null,
  measure,
}

async function measure({ say }: RowContext): Promise<RowFigure[]> {
  const ends: (() => Promise<void>)[] = []
  try {
    const began = performance.now()
    const api = await startApi({ after: (end: () => Promise<void>) => void ends.push(end) }, async ({ admin_url }) => {
      if (FOREIGN > 0) await addForeignChunks(admin_url!, FOREIGN)
      return { OCTAVO_MODELS_DIR: process.env.OCTAVO_MODELS_DIR ?? '', RATE_LIMITS: 'off', DATABASE_POOL: '20' }
    })
    say(`search: the chunks of others took ${seconds(began)} s`)
    const uploading = performance.now()
    const { numbers, questions, relevant } = await upload(api)
    say(`search: ${numbers.size} documents took ${seconds(uploading)} s`)
    const { own, others, other_vectors } = await count(api)
    say(`search: ${own} chunks of the tenant, ${others} chunks and ${other_vectors} vectors of others`)
    if (others !== FOREIGN || other_vectors !== FOREIGN)
      throw new Error(`there are ${others} chunks of others, not ${FOREIGN}`)
    const figures: RowFigure[] = []
    for (const mode of searchModes) {
      const times: number[] = []
      const each: number[] = []
      for (const { number, text } of questions) {
        const begun = performance.now()
        const { results, warnings } = await api.owner.searches.create({ query: text, mode, limit: LIMIT })
        times.push(performance.now() - begun)
        if (warnings.length > 0) throw new Error(warnings.join(' '))
        const found = [...new Set(results.map(({ document_id }) => numbers.get(document_id)!))]
        each.push(ndcgOf(found, relevant.get(number) ?? new Set()))
      }
      const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
      say(`search: ${mode}, median of ${times.length} requests ${median.toFixed(1)} ms`)
      figures.push(figureOf(mode, each))
    }
    return figures
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

const seconds = (began: number): number => Math.round((performance.now() - began) / 1000)

async function upload({ url, owner_key }: TestApi) {
  const { documents, questions, relevant } = readCranfield()
  const numbers = new Map<string, number>()
  const client = new Octavo({ base_url: url, api_key: owner_key, max_retries: 8 })
  await eachOf(documents, AT_ONCE, async ({ number, title, text }) => {
    const source = { type: 'text', text: text === '' ? title || '-' : text } as const
    const { id } = await client.documents.createAndWait({ title: title || `Document ${number}`, source })
    numbers.set(id, number)
  })
  return { numbers, questions, relevant }
}

const COUNT = `select count(*) filter (where tenant_id = $1)::int as own, count(*) filter (where tenant_id <> $1)::int as others,
  (select count(*)::int from chunk_vectors where tenant_id <> $1) as other_vectors from chunks`

interface SearchCount {
  own: number
  others: number
  other_vectors: number
}
const count = ({ database, owner_tenant }: TestApi): Promise<SearchCount> =>
  asAdmin(
    database.name,
    async (client) => (await client.query<SearchCount>(COUNT, [findUuid('ten', owner_tenant)])).rows[0]!,
  )

const figureOf = (mode: SearchMode, each: readonly number[]): RowFigure => ({
  what: `search, ${mode}, nDCG@10`,
  model: MODELS[mode],
  value: mean(each),
  standard_error: standardErrorOf(each, mean),
  items: each.length,
  goal: GOALS[mode],
  baseline:
    mode === 'keyword'
      ? 'ts_rank .339, websearch_to_tsquery .023 (measured before)'
      : 'BM25 .379–.383 (measured before)',
})
