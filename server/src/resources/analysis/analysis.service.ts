import type { AnalysisFeature, EntityType, NewAnalysis, OutcomePatch, Priority } from '@octavo/contract'
import type { ModelCard } from '../../ai/model.ts'
import { PROMPT_VERSION } from '../../ai/prompt.ts'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { Failure, invalidValue, notFound } from '../../lib/failure.ts'
import { createOutcome } from '../../outcomes/outcomes.create.ts'
import { type OutcomeRequest, type OutcomeSources, readSources } from '../../outcomes/outcomes.request.ts'
import {
  listOutcomes,
  type OutcomeFilters,
  type OutcomeRow,
  readOutcome,
  removeOutcome,
  updateOutcome,
} from '../../outcomes/outcomes.service.ts'
import { readDocument } from '../documents/documents.service.ts'
import { noGenerator, selectModel } from '../models/models.select.ts'
import { ALL_PAGES } from '../pages/pages.service.ts'
import { NOTHING_FOUND } from './analysis.findings.rules.ts'
import { ANALYSIS_VERSION } from './analysis.prompt.ts'
import { findSchemaProblem } from './analysis.schema.rules.ts'
import { tokensOfSchema } from './analysis.shaping.rules.ts'

type AnalysisNeeds = Needs<'models' | 'jobs' | 'limiter' | 'config'>
interface AnalysisPlace {
  document_id: string
  analysis_id: string
}

export const ANALYSIS_PROMPT = `${PROMPT_VERSION}.${ANALYSIS_VERSION}`
const DEFAULT_SECONDS = 600
/** Names are left out until most of them are found: docs/quality.md. */
const RELIABLE_ENTITIES: readonly EntityType[] = ['date', 'time', 'money', 'percentage']
const DEFAULT_FEATURES: readonly AnalysisFeature[] = [
  'language',
  'statistics',
  'key_phrases',
  'entities',
  'pii',
  'sentiment',
  'topics',
]

export async function createAnalysis(
  app: AnalysisNeeds,
  tx: Tx,
  document_id: string,
  input: NewAnalysis,
  given: { parent_job_id?: string; priority?: Priority } = {},
): Promise<OutcomeRow<'analysis'>> {
  const document = await readDocument(tx, document_id)
  tx.precondition.check(document)
  const timeout_seconds = input.timeout_seconds ?? DEFAULT_SECONDS + document.page_count
  return createOutcome(app, tx, await resolveRequest(app, tx, document_id, { ...input, timeout_seconds }), given)
}

export async function listAnalyses(
  db: Db,
  { document_id }: Pick<AnalysisPlace, 'document_id'>,
  filters: OutcomeFilters,
  page: PageRequest,
): Promise<OutcomeRow<'analysis'>[]> {
  await readDocument(db, document_id)
  return listOutcomes(db, 'analysis', { ...filters, document_id }, page)
}

/** The path names both: an analysis of another document is not there. */
export async function readAnalysis(
  db: Reader,
  { document_id, analysis_id }: AnalysisPlace,
): Promise<OutcomeRow<'analysis'>> {
  const found = await readOutcome(db, 'analysis', analysis_id)
  if (found.document_id !== document_id) throw notFound()
  return found
}

export async function updateAnalysis(
  tx: Tx,
  place: AnalysisPlace,
  patch: OutcomePatch,
): Promise<OutcomeRow<'analysis'>> {
  await readAnalysis(tx, place)
  return updateOutcome(tx, 'analysis', place.analysis_id, patch)
}

export async function removeAnalysis(app: Needs<'jobs'>, tx: Tx, place: AnalysisPlace): Promise<null> {
  await readAnalysis(tx, place)
  await removeOutcome(app, tx, 'analysis', place.analysis_id)
  return null
}

async function resolveRequest(
  app: AnalysisNeeds,
  db: Reader,
  document_id: string,
  input: NewAnalysis,
): Promise<OutcomeRequest<'analysis'>> {
  const { features = DEFAULT_FEATURES, entity_types, schema, instructions, page_range, model, ...asked } = input
  const isExtracting = features.includes('extraction')
  checkTogether(input, isExtracting)
  if (page_range && page_range.last < page_range.first)
    throw invalidValue('page_range.last', 'inconsistent', 'Must not be less than page_range.first.')
  const fields = { documents: 'document_id', texts: 'text' }
  const sources = await readSources(db, { document_ids: [document_id] }, fields, page_range ?? ALL_PAGES)
  const card = isExtracting ? await generatorOf(app, db, model, sources) : await engineOf(app, db, model, sources)
  if (schema) checkSchema(schema, card)
  return {
    object: 'analysis',
    sources,
    request: { features: [...features], page_range: page_range ?? null },
    parameters: {
      ...(schema ? { schema } : {}),
      ...(instructions === undefined ? {} : { instructions }),
      ...(features.some((feature) => feature !== 'extraction') ? { embedders: embeddersOf(app) } : {}),
      ...(features.includes('entities') ? { entity_types: (entity_types ?? RELIABLE_ENTITIES).toSorted() } : {}),
    },
    empty: NOTHING_FOUND,
    model: card,
    prompt_version: ANALYSIS_PROMPT,
    ...asked,
  }
}

function checkTogether({ features, entity_types, schema, instructions }: NewAnalysis, isExtracting: boolean): void {
  if (entity_types && features && !features.includes('entities'))
    throw invalidValue(
      'entity_types',
      'inconsistent',
      'Only allowed with the feature `entities`. Add it to `features`, or remove this field.',
    )
  if (isExtracting && schema === undefined)
    throw invalidValue('schema', 'required', 'Required for the feature `extraction`.')
  if (isExtracting) return
  const surplus = schema ? 'schema' : 'instructions'
  if (schema || instructions !== undefined)
    throw invalidValue(
      surplus,
      'inconsistent',
      'Only allowed with the feature `extraction`. Add it to `features`, or remove this field.',
    )
}

function checkSchema(schema: Record<string, unknown>, { id, context_tokens }: ModelCard): void {
  const problem = findSchemaProblem(schema)
  const isTooLong = problem === null && context_tokens !== null && tokensOfSchema(schema) > context_tokens / 2
  const found = isTooLong
    ? {
        path: [],
        code: 'too_long' as const,
        message: `Takes more than half of the context of the model '${id}'. Extract fewer values per request.`,
      }
    : problem
  if (!found) return
  const path = ['schema', ...found.path]
  const pointer = path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  throw new Failure('validation_error', 'The request body contains values that are not allowed.', {
    details: [
      {
        field: path.join('.').slice(0, 1000),
        location: 'body',
        code: found.code,
        message: found.message,
        pointer: pointer.slice(0, 1000),
      },
    ],
  })
}

async function generatorOf(
  app: AnalysisNeeds,
  db: Reader,
  model: string | undefined,
  sources: OutcomeSources,
): Promise<ModelCard> {
  const card = await selectModel(app, db, {
    model,
    capability: 'generate',
    role: 'generator',
    project_ids: projectsOf(sources),
  })
  if (!card) throw noGenerator('features')
  return card
}

/** All features except extraction are built in, so only a model that the request names can be wrong. */
async function engineOf(
  app: AnalysisNeeds,
  db: Reader,
  model: string | undefined,
  sources: OutcomeSources,
): Promise<ModelCard> {
  const engine = app.models.built_in_text
  if (model === undefined) return engine
  const project_ids = projectsOf(sources)
  return (await selectModel(app, db, { model, capability: 'analyse', role: 'generator', project_ids })) ?? engine
}

const projectsOf = ({ documents }: OutcomeSources): (string | null)[] => documents.map(({ project_id }) => project_id)

/** With other weights the same text gives another result. */
const embeddersOf = (app: AnalysisNeeds): string[] =>
  app.models
    .list()
    .flatMap(({ id, kind, provider, version }) =>
      kind === 'embedder' && provider === 'built_in' ? [`${id} ${version}`] : [],
    )
