import type { NewClassification } from '@octavo/contract'
import { DEFAULT_THRESHOLD, DESCRIBED_THRESHOLD } from '../../ai/built-in/labels.ts'
import type { ModelCard } from '../../ai/model.ts'
import { PROMPT_VERSION } from '../../ai/prompt.ts'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import { invalidValue } from '../../lib/failure.ts'
import { type CreateOptions, createOutcome, type PreparedOutcome } from '../../outcomes/outcomes.create.ts'
import { runInline } from '../../outcomes/outcomes.inline.ts'
import { LOCAL_LABEL_MODEL, LOCAL_SEARCH_MODEL } from '../../outcomes/outcomes.local-embedders.ts'
import { type OutcomeRequest, type OutcomeSources, readSources } from '../../outcomes/outcomes.request.ts'
import type { OutcomeRow } from '../../outcomes/outcomes.service.ts'
import { embedInline, readEmbedder } from '../embeddings/embeddings.batches.ts'
import { selectModel } from '../models/models.select.ts'
import { compareLabels } from './classifications.compare.ts'
import { countLabels, roomForLabels } from './classifications.generate.ts'
import { type AskedLabel, CLASSIFICATION_VERSION } from './classifications.prompt.ts'
import { findRepeated } from './classifications.rules.ts'

type ClassificationNeeds = Needs<'models' | 'jobs' | 'limiter' | 'config'>
/** Within the request, labels and examples included. */
const MOST_CHARACTERS_HERE = 20_000
const MOST_LABEL_TEXTS_HERE = 128
export const CLASSIFICATION_PROMPT = `${PROMPT_VERSION}.${CLASSIFICATION_VERSION}`

/** A classification that is small enough is made within the request, before the transaction begins. */
export async function prepareClassification(
  app: ClassificationNeeds,
  db: Db,
  input: NewClassification,
): Promise<{ value: PreparedOutcome<'classification'> }> {
  const outcomeRequest = await resolveRequest(app, db, input)
  const { request, model, sources } = outcomeRequest
  if (model.provider !== 'built_in' || !isSmall(sources.texts, request.labels))
    return { value: { outcomeRequest, made: null } }
  const embedder = readEmbedder(app, model)
  const made = await runInline(db, outcomeRequest, async (texts, { cite, run }) => {
    const { embed, spent } = embedInline(embedder, run.signal)
    const result = await compareLabels(texts, request, { embed: { labels: embed, passages: embed }, embedder, cite })
    return { result, method: 'embedding', spent }
  })
  return { value: { outcomeRequest, made } }
}

function isSmall(texts: readonly string[], labels: readonly AskedLabel[]): boolean {
  const label_texts = labels.flatMap(({ description, examples }) => [description ?? '', ...examples])
  const characters = [...texts, ...label_texts].reduce((sum, text) => sum + text.length, 0)
  return texts.length > 0 && label_texts.length <= MOST_LABEL_TEXTS_HERE && characters <= MOST_CHARACTERS_HERE
}

export const createClassification = async (
  app: ClassificationNeeds,
  tx: Tx,
  input: NewClassification,
  given?: CreateOptions<'classification'>,
): Promise<OutcomeRow<'classification'>> => createOutcome(app, tx, await resolveRequest(app, tx, input), given)

async function resolveRequest(
  app: ClassificationNeeds,
  db: Reader,
  input: NewClassification,
): Promise<OutcomeRequest<'classification'>> {
  const { text, document_id, project_id, multi_label = false, model, ...rest } = input
  const { labels: given, threshold: given_threshold, ...asked } = rest
  const texts = text === undefined ? undefined : [text]
  const document_ids = document_id === undefined ? undefined : [document_id]
  const sources = await readSources(
    db,
    { document_ids, texts, project_id },
    { documents: 'document_id', texts: 'text' },
  )
  if (text?.trim() === '') throw invalidValue('text', 'too_short', 'The text is empty.')
  const labels = given.map(({ name, description = null, examples = [] }) => ({ name, description, examples }))
  checkLabels(labels)
  const card = await readModel(app, db, { model, sources })
  if (card.kind === 'generator') await checkRoom(card, labels)
  const isDescribed = card.kind !== 'generator' && !multi_label && labels.every(({ examples }) => examples.length === 0)
  const threshold = given_threshold ?? (isDescribed ? DESCRIBED_THRESHOLD : DEFAULT_THRESHOLD)
  return {
    object: 'classification',
    sources,
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
    throw invalidValue(`labels[${repeated}].name`, 'duplicate_items', 'Each label must have a unique name.')
  const blank = labels.findIndex(({ name }) => name.trim() === '')
  if (blank >= 0) throw invalidValue(`labels[${blank}].name`, 'too_short', 'A name must have a visible character.')
}

/** Examples may be left out; what a label is may not. */
async function checkRoom(card: ModelCard, labels: readonly AskedLabel[]): Promise<void> {
  const [tokens, room] = [await countLabels(labels), roomForLabels(card)]
  if (tokens > room)
    throw invalidValue(
      'labels',
      'too_long',
      `Names and descriptions have ${tokens} tokens, and the model '${card.id}' has room for ${room}. Use fewer or shorter ones, or an embedding model.`,
    )
}

/** By vectors where that can be done, else by a generative model. */
async function readModel(
  app: ClassificationNeeds,
  db: Reader,
  { model, sources }: { model: string | undefined; sources: Pick<OutcomeSources, 'project_id' | 'documents'> },
): Promise<ModelCard> {
  const project_ids = [sources.project_id, ...sources.documents.map(({ project_id }) => project_id)]
  const choose = (role: 'labels' | 'embedder' | 'generator', capability: 'embed' | 'generate' | 'classify') =>
    selectModel(app, db, { model, capability, role, project_ids })
  const kind = model === undefined ? null : (app.models.find(model)?.kind ?? null)
  if (kind === 'engine') await choose('labels', 'classify')
  const byVectors = async (): Promise<ModelCard | null> =>
    kind === 'generator' ? null : ((await choose('labels', 'embed')) ?? (await choose('embedder', 'embed')))
  const card = kind === 'engine' ? findBuiltIn(app) : ((await byVectors()) ?? (await choose('generator', 'generate')))
  if (card) return card
  throw invalidValue(
    'model',
    'capability_missing',
    'This needs an embedding model or a generative model, and none is available to you. GET /models lists the available models.',
  )
}

/** When a request names the built-in engine, the engine compares vectors of a built-in embedder. */
const findBuiltIn = (app: ClassificationNeeds): ModelCard | null =>
  [LOCAL_LABEL_MODEL, LOCAL_SEARCH_MODEL]
    .map((id) => app.models.embedder(id)?.card ?? null)
    .find((card) => card !== null) ?? null
