import type { NewAnswer, ResultOf } from '@octavo/contract'
import { PROMPT_VERSION } from '../../ai/prompt.ts'
import type { Needs } from '../../app.ts'
import type { Db, Tx } from '../../db/database.ts'
import { chargeFor } from '../../outcomes/outcomes.charge.ts'
import { CitationResolver } from '../../outcomes/outcomes.citations.ts'
import { createOutcome, createSearchOutcome, type InlineResult } from '../../outcomes/outcomes.create.ts'
import type { OutcomeRow } from '../../outcomes/outcomes.service.ts'
import { selectModel } from '../models/models.select.ts'
import { madeOf, needWords, projectsOf, readScope, type SearchScope } from '../searches/searches.service.ts'
import { type Conversation, resolveConversation } from './answers.conversation.ts'
import { extractAnswer } from './answers.extract.ts'
import { findPassages } from './answers.generate.ts'
import { ANSWER_VERSION } from './answers.prompt.ts'

type App = Needs<'models' | 'db' | 'config' | 'jobs' | 'limiter'>
const ANSWER_MS = 9_000
const KEPT_DAYS = 30
export const ANSWER_PROMPT = `${PROMPT_VERSION}.${ANSWER_VERSION}`

/** A generative model answers in a job; the built-in engine answers in the request. */
export interface PreparedAnswer {
  scope: SearchScope
  conversation: Conversation
  generator: Awaited<ReturnType<typeof selectModel>>
  made: InlineResult<'answer'> | null
}

export async function prepareAnswer(app: App, db: Db, input: NewAnswer): Promise<{ value: PreparedAnswer }> {
  needWords('question', input.question)
  const conversation = await resolveConversation(db, input)
  const scope = await readScope(db, conversation)
  const built_in = app.models.built_in_text
  const generator =
    input.model === built_in.id
      ? null
      : await selectModel(app, db, {
          model: input.model,
          capability: 'generate',
          role: 'generator',
          project_ids: await projectsOf(db, scope),
        })
  if (generator) return { value: { scope, conversation, generator, made: null } }
  await chargeFor(app, db.caller, { object: 'answer', sources: null })
  const began_ms = performance.now()
  const signal = AbortSignal.timeout(ANSWER_MS)
  const question = conversation.standalone_question ?? input.question
  const found = await findPassages(app, db, { ...scope, question, signal })
  const result = await extractAnswer(app, found, { question, cite: new CitationResolver(), signal })
  const made = madeOf<'answer'>(
    app,
    { ...found, model: built_in, method: 'extractive' },
    result,
    performance.now() - began_ms,
  )
  return { value: { scope, conversation, generator: null, made } }
}

export async function createAnswer(
  app: App,
  tx: Tx,
  input: NewAnswer,
  given: PreparedAnswer & { is_streamed: boolean },
): Promise<OutcomeRow<'answer'>> {
  const { question, language = null, previous_answer_id = null, metadata = {}, timeout_seconds, cache } = input
  const { scope, conversation, generator, made, is_streamed } = given
  const { document_ids = [], filters = null, standalone_question } = conversation
  const request = { question, document_ids, filters, language, previous_answer_id, standalone_question }
  if (made) {
    const { result } = made
    return createSearchOutcome(
      tx,
      { object: 'answer', project_id: scope.project_id, request, made, metadata, kept_days: KEPT_DAYS },
      (live) => ({
        result: withoutDeleted(result, live),
        found_ids: result.passages.map(({ document_id }) => document_id),
      }),
    )
  }
  const sources = { documents: [], texts: [], project_id: scope.project_id, range: { first: 1, last: 1 } }
  const empty = { is_answered: false, confidence: null, text: null, sentences: [], nearest: null, passages: [] }
  const outcomeRequest = {
    object: 'answer' as const,
    sources,
    request,
    empty,
    model: generator!,
    // A request that names a model gets an answer by this model, or its failure.
    parameters: { may_fall_back: input.model === undefined },
    prompt_version: ANSWER_PROMPT,
    metadata,
    timeout_seconds,
    cache,
    kept_days: KEPT_DAYS,
  }
  return createOutcome(app, tx, outcomeRequest, { is_streamed })
}

function withoutDeleted(result: ResultOf<'answer'>, live: ReadonlySet<string>): ResultOf<'answer'> {
  const passages = result.passages.filter(({ document_id }) => live.has(document_id))
  if (passages.length === result.passages.length) return result
  const sentences = result.sentences.filter(({ citations }) =>
    citations.every(({ document_id }) => live.has(document_id!)),
  )
  const is_answered = result.is_answered && sentences.length > 0
  const { nearest } = result
  return {
    ...result,
    is_answered,
    sentences,
    nearest: nearest?.citations.every(({ document_id }) => document_id !== null && live.has(document_id))
      ? nearest
      : null,
    passages,
    text: is_answered ? sentences.map(({ text }) => text).join(' ') : null,
  }
}
