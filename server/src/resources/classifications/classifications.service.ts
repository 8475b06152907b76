import type { NewClassification } from '@octavo/contract'
import { DEFAULT_THRESHOLD } from '../../ai/built-in/labels.ts'
import type { ModelCard } from '../../ai/model.ts'
import { PROMPT_VERSION } from '../../ai/prompt.ts'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import { invalidValue } from '../../lib/failure.ts'
import { embedHere, readEmbedder } from '../embeddings/batches.service.ts'
import { chooseModel } from '../models/choosing.service.ts'
import { createOutcome, type Given, type Made } from '../outcomes/creating.service.ts'
import { makeHere } from '../outcomes/here.service.ts'
import { LOCAL_LABEL_MODEL, LOCAL_SEARCH_MODEL } from '../outcomes/local.service.ts'
import type { OutcomeRow } from '../outcomes/outcomes.service.ts'
import { type Reading, readReading, type Wanted } from '../outcomes/wanting.service.ts'
import { type AskedLabel, CLASSIFICATION_VERSION } from './classifications.prompt.ts'
import { findRepeated } from './classifications.rules.ts'
import { type Asked, compareLabels } from './comparing.service.ts'
import { countLabels, roomForLabels } from './making.service.ts'

type App = Needs<'models' | 'jobs' | 'limiter' | 'config'>
/** Within the request, labels and examples included. */
const MOST_CHARACTERS_HERE = 20_000
const MOST_LABEL_TEXTS_HERE = 128
export const CLASSIFICATION_PROMPT = `${PROMPT_VERSION}.${CLASSIFICATION_VERSION}`

/** What can be made within the request is made before the transaction begins. */
export async function prepareClassification(
  app: App,
  db: Db,
  input: NewClassification,
): Promise<{ value: Made | null }> {
  const wanted = await understand(app, db, input)
  const asked = wanted.request as unknown as Asked
  if (wanted.model.provider !== 'built_in' || !isSmall(wanted.reading.texts, asked.labels)) return { value: null }
  const embedder = readEmbedder(app, wanted.model)
  const value = await makeHere(db, wanted, async (sources, { cite, run }) => {
    const { embed, spent } = embedHere(embedder, run.signal)
    const result = await compareLabels(sources, asked, { embed: { labels: embed, passages: embed }, embedder, cite })
    return { result, method: 'embedding', spent }
  })
  return { value }
}

function isSmall(texts: readonly string[], labels: readonly AskedLabel[]): boolean {
  const label_texts = labels.flatMap(({ description, examples }) => [description ?? '', ...examples])
  const characters = [...texts, ...label_texts].reduce((sum, text) => sum + text.length, 0)
  return texts.length > 0 && label_texts.length <= MOST_LABEL_TEXTS_HERE && characters <= MOST_CHARACTERS_HERE
}

export const createClassification = async (
  app: App,
  tx: Tx,
  input: NewClassification,
  given?: Given,
): Promise<OutcomeRow> => createOutcome(app, tx, await understand(app, tx, input), given)

async function understand(app: App, db: Reader, input: NewClassification): Promise<Wanted> {
  const { text, document_id, project_id, multi_label = false, threshold = DEFAULT_THRESHOLD, model, ...rest } = input
  const { labels: given, ...asked } = rest
  const texts = text === undefined ? undefined : [text]
  const document_ids = document_id === undefined ? undefined : [document_id]
  const reading = await readReading(
    db,
    { document_ids, texts, project_id },
    { documents: 'document_id', texts: 'text' },
  )
  if (text?.trim() === '') throw invalidValue('text', 'too_short', 'There is nothing in it to work on.')
  const labels = given.map(({ name, description = null, examples = [] }) => ({ name, description, examples }))
  checkLabels(labels)
  const card = await readModel(app, db, { model, reading })
  if (card.kind === 'generator') await checkRoom(card, labels)
  return {
    object: 'classification',
    reading,
    request: { labels, multi_label, threshold },
    empty: { label: null, results: [] },
    model: card,
    prompt_version: CLASSIFICATION_PROMPT,
    ...asked,
  }
}

function checkLabels(labels: readonly AskedLabel[]): void {
  const repeated = findRepeated(labels.map(({ name }) => name))
  if (repeated >= 0)
    throw invalidValue(`labels[${repeated}].name`, 'duplicate_items', 'Each label must have a name of its own.')
  const blank = labels.findIndex(({ name }) => name.trim() === '')
  if (blank >= 0) throw invalidValue(`labels[${blank}].name`, 'too_short', 'A name needs a character that can be seen.')
}

/** Examples may be left out; what a label is may not. */
async function checkRoom(card: ModelCard, labels: readonly AskedLabel[]): Promise<void> {
  const [tokens, room] = [await countLabels(labels), roomForLabels(card)]
  if (tokens > room)
    throw invalidValue(
      'labels',
      'too_long',
      `Names and descriptions have ${tokens} tokens, and the model '${card.id}' has room for ${room}. Take fewer or shorter ones, or a model for embeddings.`,
    )
}

/** By vectors where that can be done, else by a generative model. */
async function readModel(
  app: App,
  db: Reader,
  { model, reading }: { model: string | undefined; reading: Pick<Reading, 'project_id' | 'documents'> },
): Promise<ModelCard> {
  const project_ids = [reading.project_id, ...reading.documents.map(({ project_id }) => project_id)]
  const choose = (role: 'labels' | 'embedder' | 'generator', capability: 'embed' | 'generate' | 'classify') =>
    chooseModel(app, db, { model, capability, role, project_ids })
  const kind = model === undefined ? null : (app.models.find(model)?.kind ?? null)
  if (kind === 'engine') await choose('labels', 'classify')
  const card =
    kind === 'engine'
      ? findBuiltIn(app)
      : kind === 'generator'
        ? await choose('generator', 'generate')
        : ((await choose('labels', 'embed')) ??
          (await choose('embedder', 'embed')) ??
          (await choose('generator', 'generate')))
  if (card) return card
  throw invalidValue(
    'model',
    'capability_missing',
    'This needs a model for embeddings or a generative one, and there is none that may be used here. GET /models lists what there is.',
  )
}

/** The engine, asked for by its name, compares vectors of its own models. */
const findBuiltIn = (app: App): ModelCard | null =>
  [LOCAL_LABEL_MODEL, LOCAL_SEARCH_MODEL]
    .map((id) => app.models.embedder(id)?.card ?? null)
    .find((card) => card !== null) ?? null
