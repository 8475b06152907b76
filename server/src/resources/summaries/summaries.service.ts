import type { NewSummary } from '@octavo/contract'
import type { ModelCard } from '../../ai/model.ts'
import { PROMPT_VERSION } from '../../ai/prompt.ts'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import { invalidValue } from '../../lib/failure.ts'
import { type CreateOptions, createOutcome, type PreparedOutcome } from '../../outcomes/outcomes.create.ts'
import { runInline } from '../../outcomes/outcomes.inline.ts'
import { type OutcomeRequest, type OutcomeSources, readSources } from '../../outcomes/outcomes.request.ts'
import type { OutcomeRow } from '../../outcomes/outcomes.service.ts'
import { noGenerator, selectModel } from '../models/models.select.ts'
import { extract } from './summaries.generate.ts'
import { SUMMARY_VERSION } from './summaries.prompt.ts'

type SummaryNeeds = Needs<'models' | 'jobs' | 'limiter' | 'config'>
/** Longer texts are summarized by a job. */
const SHORT_CHARACTERS = 20_000
export const SUMMARY_PROMPT = `${PROMPT_VERSION}.${SUMMARY_VERSION}`

/** A summary that is small enough is made within the request, before the transaction begins. */
export async function prepareSummary(
  app: SummaryNeeds,
  db: Db,
  input: NewSummary,
): Promise<{ value: PreparedOutcome<'summary'> }> {
  const outcomeRequest = await resolveRequest(app, db, input)
  const { request, model, sources } = outcomeRequest
  const [text = ''] = sources.texts
  if (model.kind !== 'engine' || sources.texts.length === 0 || text.length > SHORT_CHARACTERS)
    return { value: { outcomeRequest, made: null } }
  const made = await runInline(db, outcomeRequest, async (texts, work) => ({
    result: await extract(app, texts, request, work),
    method: 'extractive',
  }))
  return { value: { outcomeRequest, made } }
}

export const createSummary = async (
  app: SummaryNeeds,
  tx: Tx,
  input: NewSummary,
  given?: CreateOptions<'summary'>,
): Promise<OutcomeRow<'summary'>> => createOutcome(app, tx, await resolveRequest(app, tx, input), given)

async function resolveRequest(app: SummaryNeeds, db: Reader, input: NewSummary): Promise<OutcomeRequest<'summary'>> {
  const { text, document_ids, project_id, style, length = 'medium', language, focus, model, ...asked } = input
  const texts = text === undefined ? undefined : [text]
  const sources = await readSources(
    db,
    { document_ids, texts, project_id },
    { documents: 'document_ids', texts: 'text' },
  )
  const card = await modelOf(app, db, { model, style, sources })
  const chosen = style ?? (card.kind === 'engine' ? 'extractive' : 'abstract')
  if (card.kind === 'engine' && language !== undefined)
    throw invalidValue(
      'language',
      'capability_missing',
      'Extractive summaries are always in the language of the text. Remove this field, or name a generative model.',
    )
  return {
    object: 'summary',
    sources,
    request: {
      document_ids: document_ids ?? [],
      style: chosen,
      length,
      language: language ?? null,
      focus: focus ?? null,
    },
    empty: { text: null, sentences: [] },
    model: card,
    prompt_version: SUMMARY_PROMPT,
    ...asked,
  }
}

/** An extractive summary needs no generative model; an abstractive one does. */
async function modelOf(
  app: SummaryNeeds,
  db: Reader,
  { model, style, sources }: { model: string | undefined; style: NewSummary['style']; sources: OutcomeSources },
): Promise<ModelCard> {
  const built_in = app.models.built_in_text
  if (style === 'extractive' && (model === undefined || model === built_in.id)) return built_in
  if (model === built_in.id && (style === undefined || style === 'bullets')) return built_in
  const project_ids = [sources.project_id, ...sources.documents.map(({ project_id }) => project_id)]
  const card = await selectModel(app, db, { model, capability: 'generate', role: 'generator', project_ids })
  if (card && style !== 'extractive') return card
  if (style === 'extractive')
    throw invalidValue('style', 'inconsistent', "Only 'built_in_text' creates extractive summaries. Remove this field.")
  if (style === undefined || style === 'bullets') return built_in
  throw noGenerator('style')
}
