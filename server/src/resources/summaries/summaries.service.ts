import type { NewSummary } from '@octavo/contract'
import type { ModelCard } from '../../ai/model.ts'
import { PROMPT_VERSION } from '../../ai/prompt.ts'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import { invalidValue } from '../../lib/failure.ts'
import { chooseModel, noGenerator } from '../models/choosing.service.ts'
import { createOutcome, type Given, type Made } from '../outcomes/creating.service.ts'
import { makeHere } from '../outcomes/here.service.ts'
import type { OutcomeRow } from '../outcomes/outcomes.service.ts'
import { type Reading, readReading, type Wanted } from '../outcomes/wanting.service.ts'
import { extract } from './making.service.ts'
import { SUMMARY_VERSION } from './summaries.prompt.ts'

type App = Needs<'models' | 'jobs' | 'limiter' | 'config'>
/** Longer texts are summarised by a job. */
const SHORT_CHARACTERS = 20_000
export const SUMMARY_PROMPT = `${PROMPT_VERSION}.${SUMMARY_VERSION}`

/** What can be made within the request is made before the transaction begins. */
export async function prepareSummary(app: App, db: Db, input: NewSummary): Promise<{ value: Made | null }> {
  const wanted = await understand(app, db, input)
  const [text = ''] = wanted.reading.texts
  if (wanted.model.kind !== 'engine' || wanted.reading.texts.length === 0 || text.length > SHORT_CHARACTERS)
    return { value: null }
  const asked = wanted.request as never
  return {
    value: await makeHere(db, wanted, async (sources, work) => ({
      result: await extract(app, sources, asked, work),
      method: 'extractive',
    })),
  }
}

export const createSummary = async (app: App, tx: Tx, input: NewSummary, given?: Given): Promise<OutcomeRow> =>
  createOutcome(app, tx, await understand(app, tx, input), given)

async function understand(app: App, db: Reader, input: NewSummary): Promise<Wanted> {
  const { text, document_ids, project_id, style, length = 'medium', language, focus, model, ...asked } = input
  const texts = text === undefined ? undefined : [text]
  const reading = await readReading(
    db,
    { document_ids, texts, project_id },
    { documents: 'document_ids', texts: 'text' },
  )
  const card = await modelOf(app, db, { model, style, reading })
  const chosen = style ?? (card.kind === 'engine' ? 'extractive' : 'abstract')
  if (card.kind === 'engine' && language !== undefined)
    throw invalidValue(
      'language',
      'capability_missing',
      'An extractive summary is in the language of the text. Leave it out, or name a generative model.',
    )
  return {
    object: 'summary',
    reading,
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

/** A summary of its own sentences needs no generative model; one in other words does. */
async function modelOf(
  app: App,
  db: Reader,
  { model, style, reading }: { model: string | undefined; style: NewSummary['style']; reading: Reading },
): Promise<ModelCard> {
  const built_in = app.models.find('built_in_text')!
  if (style === 'extractive' && (model === undefined || model === built_in.id)) return built_in
  if (model === built_in.id && (style === undefined || style === 'bullets')) return built_in
  const project_ids = [reading.project_id, ...reading.documents.map(({ project_id }) => project_id)]
  const card = await chooseModel(app, db, { model, capability: 'generate', role: 'generator', project_ids })
  if (card && style !== 'extractive') return card
  if (style === 'extractive')
    throw invalidValue('style', 'inconsistent', "Only 'built_in_text' makes extractive summaries. Leave the model out.")
  if (style === undefined || style === 'bullets') return built_in
  throw noGenerator('style')
}
