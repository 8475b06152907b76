import type { NewEmbedding } from '@octavo/contract'
import type { ModelCard } from '../../ai/model.ts'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { invalidValue } from '../../lib/failure.ts'
import { chooseModel } from '../models/choosing.service.ts'
import { fromBase64 } from '../outcomes/asking.service.ts'
import { createOutcome, type Given, type Made } from '../outcomes/creating.service.ts'
import { makeHere } from '../outcomes/here.service.ts'
import { listOutcomes, type OutcomeFilters, type OutcomeRow } from '../outcomes/outcomes.service.ts'
import { type Reading, readReading, type Wanted } from '../outcomes/wanting.service.ts'
import { embedHere, readEmbedder } from './batches.service.ts'
import { embedInputs } from './making.service.ts'

type App = Needs<'models' | 'jobs' | 'limiter' | 'config'>
/** Within the request. */
const MOST_INPUTS_HERE = 16
const MOST_CHARACTERS_HERE = 40_000
/** No prompt, but another way to cut texts or to join vectors gives other vectors. */
export const EMBEDDING_VERSION = '1'

/** Few texts are embedded within the request, before its transaction begins. */
export async function prepareEmbedding(app: App, db: Db, input: NewEmbedding): Promise<{ value: Made | null }> {
  const wanted = await understand(app, db, input)
  const { texts } = wanted.reading
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  if (wanted.model.provider !== 'built_in' || texts.length === 0) return { value: null }
  if (texts.length > MOST_INPUTS_HERE || characters > MOST_CHARACTERS_HERE) return { value: null }
  const embedder = readEmbedder(app, wanted.model)
  const value = await makeHere(db, wanted, async (_, { run }) => {
    const { embed, spent } = embedHere(embedder, run.signal)
    const warnings: string[] = []
    return { result: await embedInputs(texts, { embed, embedder, warnings }), method: 'embedding', spent, warnings }
  })
  return { value }
}

export const createEmbedding = async (app: App, tx: Tx, input: NewEmbedding, given?: Given): Promise<OutcomeRow> =>
  createOutcome(app, tx, await understand(app, tx, input), given)

async function understand(app: App, db: Reader, input: NewEmbedding): Promise<Wanted> {
  const { inputs, document_id, project_id, dimensions, encoding_format = 'float', model, ...asked } = input
  const document_ids = document_id === undefined ? undefined : [document_id]
  const reading = await readReading(
    db,
    { document_ids, texts: inputs, project_id },
    { documents: 'document_id', texts: 'inputs' },
  )
  const blank = reading.texts.findIndex((text) => text.trim() === '')
  if (blank >= 0) throw invalidValue(`inputs[${blank}]`, 'too_short', 'There is nothing in it to embed.')
  const card = await readModel(app, db, { model, reading })
  if (dimensions !== undefined && dimensions !== card.dimensions)
    throw invalidValue(
      'dimensions',
      'not_allowed_value',
      `The model '${card.id}' gives ${card.dimensions} dimensions. Leave it out.`,
    )
  return {
    object: 'embedding',
    reading,
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
  app: App,
  db: Reader,
  { model, reading }: { model: string | undefined; reading: Pick<Reading, 'project_id' | 'documents'> },
): Promise<ModelCard> {
  const project_ids = [reading.project_id, ...reading.documents.map(({ project_id }) => project_id)]
  const card = await chooseModel(app, db, { model, capability: 'embed', role: 'embedder', project_ids })
  if (card) return card
  throw invalidValue(
    'model',
    'capability_missing',
    'This needs a model for embeddings, and there is none that may be used here. GET /models lists what there is.',
  )
}

/** Without their vectors. */
export async function listEmbeddings(db: Db, filters: OutcomeFilters, page: PageRequest): Promise<OutcomeRow[]> {
  return (await listOutcomes(db, 'embedding', filters, page)).map((row) => ({ ...row, data: [] }))
}

interface StoredVector {
  index: number
  vector: string
  chunk_id: string | null
}

/** As the request wanted its vectors. */
export function showVectors(row: OutcomeRow): OutcomeRow {
  if (row.encoding_format !== 'float') return row
  const data = (row.data as StoredVector[]).map((one) => ({ ...one, vector: numbersOf(fromBase64(one.vector)) }))
  return { ...row, data }
}

/** A float32 has no more digits than these; as a number of JavaScript it would be written with seventeen. */
function numbersOf(vector: Float32Array): number[] {
  const numbers: number[] = []
  for (let i = 0; i < vector.length; i++) numbers.push(Math.round(vector[i]! * 1e9) / 1e9)
  return numbers
}
