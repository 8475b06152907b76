// Fields read out of invoices and letters, by the model that CHAT_BASE_URL and CHAT_MODEL name, through the API.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Octavo } from '@octavo/sdk'
import { startApi } from '../../../server/src/testing/api.ts'
import type { EvalPaper } from '../generate/paper.ts'
import { makePapers } from '../generate/papers.ts'
import { halvesOf, standardErrorOf } from '../measures.ts'
import type { EvalRow, RowContext, RowFigure } from '../row.ts'
import { countFields, fieldF1 } from './extraction-score.ts'

/** A small model on two cores takes a minute and more for one: all of the half with EVAL_PAPERS=70. */
const PAPERS = Number(process.env.EVAL_PAPERS ?? 24)
const MOST_SECONDS = 300
const CONTEXT_TOKENS = 4_096

export const row: EvalRow = {
  about: `Invoices and letters, English and German, generated with known fields (\`proof/eval/generate\`); \`extraction\` of \`POST /documents/{document_id}/analysis\` with a JSON Schema, ${PAPERS} papers spread over the held-out half; dates and amounts are compared by value. A failed analysis counts as finding nothing. The figures apply to the model that the command was given; another model gives other figures.`,
  weak: 'The quality depends only on the model; the built-in engine cannot extract fields. Octavo guarantees only that the result satisfies the schema or that the analysis fails with an error code.',
  measure,
}

async function measure({ say }: RowContext): Promise<RowFigure[]> {
  const { CHAT_BASE_URL = '', CHAT_MODEL = '', CHAT_API_KEY = '' } = process.env
  if (CHAT_BASE_URL === '' || CHAT_MODEL === '') {
    say('extraction: not measured, since CHAT_BASE_URL and CHAT_MODEL name no model')
    return []
  }
  const ends: (() => Promise<void>)[] = []
  try {
    const folder = await mkdtemp(join(tmpdir(), 'octavo-models-'))
    ends.push(() => rm(folder, { recursive: true }))
    const file = join(folder, 'models.json')
    await writeFile(file, JSON.stringify(modelsOf(CHAT_BASE_URL, CHAT_MODEL)))
    const env = { MODELS_FILE: file, CHAT_API_KEY, RATE_LIMITS: 'off' }
    const { owner } = await startApi({ after: (end: () => Promise<void>) => void ends.push(end) }, env)
    const failures = new Map<string, number>()
    const extract = extractThrough(owner, (code) => failures.set(code, (failures.get(code) ?? 0) + 1))
    const figures = await measureExtraction(async (paper) => {
      const began = performance.now()
      const read = await extract(paper)
      say(`extraction: a paper took ${Math.round((performance.now() - began) / 1000)} s${read ? '' : ' and failed'}`)
      return read
    }, PAPERS)
    const named = [...failures].map(([code, times]) => `${times} × ${code}`).join(', ') || 'none'
    say(
      `extraction: precision ${figures.precision.toFixed(3)}, recall ${figures.recall.toFixed(3)}, failures: ${named}`,
    )
    for (const [kind, f1] of Object.entries(figures.by_kind)) say(`extraction: ${kind}: F1 ${f1.toFixed(3)}`)
    return figuresOf(figures, CHAT_MODEL, named)
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

function figuresOf(
  { f1, standard_error, count, failed }: ExtractionFigures,
  model: string,
  named: string,
): RowFigure[] {
  const reported = { model, items: count, goal: null }
  return [
    { ...reported, what: 'fields of invoices and letters, F1', value: f1, standard_error, baseline: 'none' },
    {
      ...reported,
      what: `papers with an answer that satisfies the schema (failures: ${named})`,
      value: (count - failed) / Math.max(1, count),
      standard_error: null,
      baseline: 'none',
    },
  ]
}

/** With more patience than the defaults: a small machine writes some ten tokens a second. */
const modelsOf = (base_url: string, model: string): object => ({
  providers: [{ id: 'chat', base_url, locality: 'local', api_key_env: 'CHAT_API_KEY' }],
  models: [
    {
      id: model,
      provider: 'chat',
      model,
      kind: 'generator',
      context_tokens: CONTEXT_TOKENS,
      timeout_seconds: MOST_SECONDS,
    },
  ],
  defaults: { generator: model },
})

const extractThrough =
  (client: Octavo, onFailure: (code: string) => void): ExtractionExtract =>
  async ({ pages, schema }) => {
    const source = { type: 'pages', pages: pages.map((text) => ({ text })) } as const
    const { id } = await client.documents.createAndWait({ title: 'Paper', source })
    const asked = {
      features: ['extraction' as const],
      schema: schema as Record<string, unknown>,
      timeout_seconds: MOST_SECONDS,
    }
    let made = await client.analysis.create(id, asked)
    while (made.status === 'queued' || made.status === 'running')
      made = await client.analysis.get(id, made.id, {}, { wait_seconds: 30 })
    if (made.status === 'succeeded' || made.status === 'partially_succeeded')
      return made.extraction?.data as Record<string, unknown>
    if (!made.error?.code) throw new Error(`an analysis is ${made.status} and does not say why`)
    onFailure(made.error.code)
    return null
  }

/** Null: it ended in a failure that has a name. Nothing was read then. */
export type ExtractionExtract = (
  paper: Pick<EvalPaper, 'pages' | 'schema' | 'language'>,
) => Promise<Record<string, unknown> | null>

interface ExtractionFigures {
  f1: number
  precision: number
  recall: number
  standard_error: number
  count: number
  failed: number
  by_kind: Record<string, number>
}

/** On the held-out half, or on the first `most` of it where a model is slow. */
async function measureExtraction(
  extract: ExtractionExtract,
  most = Number.POSITIVE_INFINITY,
): Promise<ExtractionFigures> {
  const { held_out } = halvesOf(makePapers())
  const papers = spread(held_out, most)
  const counted: (ReturnType<typeof countFields> & { group: string })[] = []
  let failed = 0
  for (const { pages, schema, language, kind, expected } of papers) {
    const answered = await extract({ pages, schema, language })
    if (answered === null) failed += 1
    counted.push({ ...countFields(answered ?? {}, expected), group: `${kind}, ${language}` })
  }
  const groups = Map.groupBy(counted, ({ group }) => group)
  return {
    ...fieldF1(counted),
    standard_error: standardErrorOf(counted, (some) => fieldF1(some).f1),
    count: papers.length,
    failed,
    by_kind: Object.fromEntries([...groups].map(([group, own]) => [group, fieldF1(own).f1])),
  }
}

/** Evenly over all of them, so that a few are of every kind. */
function spread(papers: readonly EvalPaper[], most: number): EvalPaper[] {
  const count = Math.min(most, papers.length)
  return Array.from({ length: count }, (_, at) => papers[Math.floor((at * papers.length) / count)] as EvalPaper)
}
