import type { NewEmbedding } from '@octavo/contract'
import type { ModelCard } from '../../ai/model.ts'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { invalidValue } from '../../lib/failure.ts'
import { fromBase64 } from '../../outcomes/model-calls.ts'
import { type CreateOptions, createOutcome, type PreparedOutcome } from '../../outcomes/outcomes.create.ts'
import { runInline } from '../../outcomes/outcomes.inline.ts'
import { type OutcomeRequest, type OutcomeSources, readSources } from '../../outcomes/outcomes.request.ts'
import { listOutcomes, type OutcomeFilters, type OutcomeRow } from '../../outcomes/outcomes.service.ts'
import { selectModel } from '../models/models.select.ts'
import { embedInline, readEmbedder } from './embeddings.batches.ts'
import { embedInputs } from './embeddings.generate.ts'

type EmbeddingNeeds = Needs<'models' | 'jobs' | 'limiter' | 'config'>
/** Within the request. */
const MOST_INPUTS_HERE = 16
const MOST_CHARACTERS_HERE = 40_000
/** No prompt, but another way to cut texts or to join vectors gives other vectors. */
export const EMBEDDING_VERSION = '1'

/** Few texts are embedded within the request, before its transaction begins. */
export async function prepareEmbedding(
  app: EmbeddingNeeds,
  db: Db,
  input: NewEmbedding,
): Promise<{ value: PreparedOutcome<'embedding'> }> {
  const outcomeRequest = await resolveRequest(app, db, input)
  const { texts } = outcomeRequest.sources
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  const isSmall = texts.length > 0 && texts.length <= MOST_INPUTS_HERE && characters <= MOST_CHARACTERS_HERE
  if (outcomeRequest.model.provider !== 'built_in' || !isSmall) return { value: { outcomeRequest, made: null } }
  const embedder = readEmbedder(app, outcomeRequest.model)
  const made = await runInline(db, outcomeRequest, async (_, { run }) => {
    const { embed, spent } = embedInline(embedder, run.signal)
    const warnings: string[] = []
    return { result: await embedInputs(texts, { embed, embedder, warnings }), method: 'embedding', spent, warnings }
  })
  return { value: { outcomeRequest, made } }
}

export const createEmbedding = async (
  app: EmbeddingNeeds,
  tx: Tx,
  input: NewEmbedding,
  given?: CreateOptions<'embedding'>,
): Promise<OutcomeRow<'embedding'>> => createOutcome(app, tx, await resolveRequest(app, tx, input), given)

async function resolveRequest(
  app: EmbeddingNeeds,
  db: Reader,
  input: NewEmbedding,
): Promise<OutcomeRequest<'embedding'>> {
  const { inputs, document_id, project_id, dimensions, encoding_format = 'float', model, ...asked } = input
  const document_ids = document_id === undefined ? undefined : [document_id]
  const sources = await readSources(
    db,
    { document_ids, texts: inputs, project_id },
    { documents: 'document_id', texts: 'inputs' },
  )
  const blank = sources.texts.findIndex((text) => text.trim() === '')
  if (blank >= 0) throw invalidValue(`inputs[${blank}]`, 'too_short', 'The text is empty.')
  const card = await readModel(app, db, { model, sources })
  if (dimensions !== undefined && dimensions !== card.dimensions)
    throw invalidValue(
      'dimensions',
      'not_allowed_value',
      `The model '${card.id}' has ${card.dimensions} dimensions. Remove this field.`,
    )
  return {
    object: 'embedding',
    sources,
    request: { encoding_format },
    // The same vectors, however they are shown; of a document there may be too many for one way.
    ...(document_id === undefined ? { parameters: { encoding_format: null } } : {}),
    empty: { dimensions: card.dimensions, data: [] },
    model: card,
    prompt_version: EMBEDDING_VERSION,
    ...asked,
  }
}

async function readModel(
  app: EmbeddingNeeds,
  db: Reader,
  { model, sources }: { model: string | undefined; sources: Pick<OutcomeSources, 'project_id' | 'documents'> },
): Promise<ModelCard> {
  const project_ids = [sources.project_id, ...sources.documents.map(({ project_id }) => project_id)]
  const card = await selectModel(app, db, { model, capability: 'embed', role: 'embedder', project_ids })
  if (card) return card
  throw invalidValue(
    'model',
    'capability_missing',
    'This needs an embedding model, and none is available to you. GET /models lists the available models.',
  )
}

/** Without their vectors. */
export async function listEmbeddings(
  db: Db,
  filters: OutcomeFilters,
  page: PageRequest,
): Promise<OutcomeRow<'embedding'>[]> {
  return (await listOutcomes(db, 'embedding', filters, page)).map((row) => ({ ...row, data: [] }))
}

/** As the request wanted its vectors. */
export function showVectors(row: OutcomeRow<'embedding'>): OutcomeRow<'embedding'> {
  if (row.encoding_format !== 'float') return row
  const data = row.data.map(({ vector, ...one }) => ({
    ...one,
    vector: typeof vector === 'string' ? numbersOf(fromBase64(vector)) : vector,
  }))
  return { ...row, data }
}

/** A float32 has no more digits than these; as a number of JavaScript it would be written with seventeen. */
function numbersOf(vector: Float32Array): number[] {
  const numbers: number[] = []
  for (let i = 0; i < vector.length; i++) numbers.push(Math.round((vector[i] ?? 0) * 1e9) / 1e9)
  return numbers
}
