// The job of an outcome: what it reads, what its kind makes of it, and how it ends.

import type { Citation, OutcomeObject, RequestOf, ResultOf } from '@octavo/contract'
import type { ModelCard } from '../ai/model.ts'
import type { Needs } from '../app.ts'
import type { Tx } from '../db/database.ts'
import { record } from '../events/record.ts'
import { type JobEnd, JobFailure, type JobHandler, type JobInfo, Postponed, type Run } from '../jobs/types.ts'
import { sha256 } from '../lib/digest.ts'
import { listDocumentsById, lockExisting } from '../resources/documents/documents.service.ts'
import { ALL_PAGES, lockHashes, type PageText, readTexts } from '../resources/pages/pages.service.ts'
import { findLanguage } from '../text/language.ts'
import { costOf, recordUsage } from '../usage/usage.service.ts'
import { pay, type Spending } from '../usage/usage.spending.ts'
import { ModelClient } from './model-calls.ts'
import { giveBackFor } from './outcomes.charge.ts'
import { CitationResolver, type Source } from './outcomes.citations.ts'
import { endOf } from './outcomes.create.ts'
import { type MadeByJob, type OutcomePayload, outcomeJobs } from './outcomes.jobs.ts'
import { findFingerprint, type OutcomeRequest, type PageRange } from './outcomes.request.ts'
import type { StoredOutcome } from './outcomes.service.ts'
import * as store from './outcomes.store.ts'

type OutcomeRunNeeds = Needs<'db' | 'models'>
type OutcomeHandlerNeeds = OutcomeRunNeeds & Needs<'jobs' | 'limiter' | 'config'>

const DEPENDENCY_MS = 2_000
const AGAIN_MS = 200

interface OutcomeKind<K extends MadeByJob, A extends OutcomeRunNeeds> {
  prompt_version: string
  make(work: OutcomeWork<K, A>): Promise<GeneratedResult<K>>
}

/** Context for a kind that makes its outcome. */
export interface OutcomeWork<K extends MadeByJob = MadeByJob, A extends OutcomeRunNeeds = OutcomeRunNeeds> {
  app: A
  run: Run<OutcomePayload>
  request: RequestOf<K>
  parameters: Record<string, unknown>
  model: ModelCard
  ask: ModelClient
  cite: CitationResolver
  warnings: string[]
  document_ids: readonly string[]
  project_id: string | null
  /** The sources in order: pages, or the texts that came with the request. */
  sources(): AsyncGenerator<Source>
  /** How many texts `sources` has given. */
  pages: number
  /** Streams the text that is written so far, at a limited rate. */
  draft(text: string): Promise<void>
}
export interface GeneratedResult<K extends MadeByJob = MadeByJob> {
  result: ResultOf<K>
  method: string
  /** The model that made it, if it is not the one of the job. */
  model?: ModelCard
  status?: 'succeeded' | 'partially_succeeded'
  /** Documents that the result cites: when one of them is deleted, the outcome is deleted too. */
  found_ids?: readonly string[]
  /** Usage of models that were not called through `ask`. */
  spendings?: readonly Spending[]
  /** Writes additional rows in the transaction of the result. */
  keep?(tx: Tx): void
  /** Runs after success or failure: removes stored bytes whose rows were not written. */
  tidy?(): Promise<void>
}

export function outcomeHandler<K extends MadeByJob, A extends OutcomeHandlerNeeds>(
  app: A,
  object: K,
  kind: OutcomeKind<K, A>,
): JobHandler {
  const handler: JobHandler<OutcomePayload> = {
    type: outcomeJobs[object],
    run: (run) => makeOutcome(app, run, object, kind),
    follow: async (tx, job) => {
      const isKept = await followJob(tx, object, job)
      if (!isKept) app.jobs.forgetSteps(tx, job.id)
      await giveBackFor(app, tx, job)
    },
    mirrorsJobState: true,
    isRunnable: async (tx, job) => (await store.findOutcome(tx, object, job.subject.id)) !== null,
  }
  return handler
}

async function makeOutcome<K extends MadeByJob, A extends OutcomeRunNeeds>(
  app: A,
  run: Run<OutcomePayload>,
  object: K,
  kind: OutcomeKind<K, A>,
): Promise<JobEnd> {
  const began_ms = performance.now()
  const outcome = await readLive(run, object)
  const model = app.models.find(run.payload.model)
  if (!model) throw new JobFailure('model_unavailable', `The model '${run.payload.model}' is no longer available.`)
  const work = await openWork(app, run, { outcome, model })
  const identify = (): Promise<string | null> =>
    fingerprintOf(run, outcome, { model, work, prompt_version: kind.prompt_version })
  const before = await identify()
  const made = await kind.make(work)
  // A page that was corrected during the run may have been read before or after, so the fingerprint is unknown.
  const fingerprint = (await identify()) === before ? before : null
  try {
    await writeResult(run, { object, outcome, model: made.model ?? model, work, made, began_ms, fingerprint })
  } finally {
    await made.tidy?.()
  }
  return { status: made.status ?? 'succeeded', usage: { pages: work.pages }, warnings: work.warnings.slice(0, 100) }
}

const usedBy = (
  { ask: { used } }: Pick<OutcomeWork, 'ask'>,
  { spendings = [] }: Pick<GeneratedResult, 'spendings'>,
): ModelClient['used'] => ({
  input_tokens: spendings.reduce((sum, { spent }) => sum + spent.input_tokens, used.input_tokens),
  output_tokens: spendings.reduce((sum, { spent }) => sum + spent.output_tokens, used.output_tokens),
  cost_micros: spendings.reduce((sum, { model, spent }) => sum + costOf(model, spent), used.cost_micros),
})

interface FinishedWork<K extends MadeByJob> {
  object: K
  outcome: StoredOutcome<K>
  model: ModelCard
  work: OutcomeWork<K>
  made: GeneratedResult<K>
  began_ms: number
  fingerprint: string | null
}
async function writeResult<K extends MadeByJob>(
  run: Run<OutcomePayload>,
  { object, outcome, model, work, made, began_ms, fingerprint }: FinishedWork<K>,
): Promise<void> {
  const { dropped } = work.cite
  if (dropped > 0)
    work.warnings.push(`${dropped} ${dropped === 1 ? 'quote was' : 'quotes were'} dropped: not found on the pages.`)
  const compute_ms = performance.now() - began_ms
  await run.write('result', async (tx) => {
    const { found_ids = [] } = made
    // The result must not contain documents that were deleted since, so the search is repeated.
    if ((await lockExisting(tx, found_ids)).size < found_ids.length) throw new Postponed('dependency', AGAIN_MS)
    const lost = await dropChanged(tx, made.result)
    if (lost > 0) work.warnings.push(`${lost} citations were dropped because their pages have been corrected since.`)
    const status = made.status ?? 'succeeded'
    const ended = endOf({
      ...usedBy(work, made),
      result: made.result,
      method: made.method,
      model,
      pages: work.pages,
      compute_ms,
      warnings: work.warnings,
    })
    const stored = await store.endOutcome(tx, object, outcome.id, { ...ended, status, fingerprint, error: null })
    if (!stored) throw new JobFailure('cancelled', 'The document was deleted.')
    made.keep?.(tx)
    record(tx, `${object}.${status}`, stored)
    if (found_ids.length > 0) store.addSources(tx, object, outcome.id, found_ids)
    const paying = { project_id: outcome.project_id, key_id: outcome.key_id, job_id: run.job.id, subject: outcome }
    for (const spending of made.spendings ?? []) pay(tx, spending, paying)
    // Calls through `ask` are already in the ledger; this entry is for the pages.
    recordUsage(tx, model, paying, {
      pages: work.pages,
      input_tokens: 0,
      output_tokens: 0,
      compute_ms: Math.round(compute_ms),
    })
    return null
  })
}

async function readLive<K extends OutcomeObject>(run: Run<OutcomePayload>, object: K): Promise<StoredOutcome<K>> {
  const outcome = await store.findOutcome(run.db, object, run.job.subject.id)
  if (!outcome) throw new JobFailure('cancelled', 'The document was deleted.')
  return outcome
}

async function openWork<K extends MadeByJob, A extends OutcomeRunNeeds>(
  app: A,
  run: Run<OutcomePayload>,
  { outcome, model }: { outcome: StoredOutcome<K>; model: ModelCard },
): Promise<OutcomeWork<K, A>> {
  const document_ids = await orderedSources(run, outcome)
  const documents = await listDocumentsById(run.db, document_ids)
  if (documents.length < document_ids.length) throw new JobFailure('cancelled', 'A source document was deleted.')
  if (documents.some(({ status }) => status === 'processing')) throw new Postponed('dependency', DEPENDENCY_MS)
  const { texts = [], parameters } = run.payload
  const range = (parameters.range as PageRange | undefined) ?? ALL_PAGES
  const { id, object, project_id, key_id } = outcome
  const project_ids = [project_id, ...documents.map((document) => document.project_id)]
  let told_ms = 0
  const work: OutcomeWork<K, A> = {
    app,
    run,
    request: outcome.request,
    parameters,
    model,
    ask: new ModelClient(app, run, { object, id, project_id, key_id, project_ids }),
    cite: new CitationResolver(),
    warnings: [],
    document_ids,
    project_id,
    pages: 0,
    async *sources() {
      for await (const source of texts.length > 0
        ? sourcesOfTexts(texts)
        : sourcesOfDocuments(run, document_ids, range)) {
        work.pages++
        yield source
      }
    },
    async draft(text) {
      if (!run.payload.is_streamed || performance.now() - told_ms < DRAFT_MS) return
      told_ms = performance.now()
      await app.db.transaction(run.db.caller, async (tx) => store.saveDraft(tx, object, id, text))
    },
  }
  return work
}
const DRAFT_MS = 200

/** In the order in which they were named. */
async function orderedSources(run: Run<OutcomePayload>, { object, id, request }: StoredOutcome): Promise<string[]> {
  const ids = await store.listSources(run.db, object, id)
  const named: readonly string[] = 'document_ids' in request ? request.document_ids : []
  return ids.sort((a, b) => named.indexOf(a) - named.indexOf(b))
}

export async function* sourcesOfTexts(texts: readonly string[]): AsyncGenerator<Source> {
  for (const text of texts)
    yield {
      document_id: null,
      page_id: null,
      page_number: null,
      text,
      sha256: sha256(text),
      language: await findLanguage(text),
      blocks: null,
      headings_before: [],
    }
}

export const sourceOf = ({ id, number, ...page }: PageText): Source => ({ ...page, page_id: id, page_number: number })

async function* sourcesOfDocuments(
  run: Run<OutcomePayload>,
  ids: readonly string[],
  range: PageRange,
): AsyncGenerator<Source> {
  for (const id of ids) for await (const page of readTexts(run.db, id, range)) yield sourceOf(page)
}

async function fingerprintOf(
  run: Run<OutcomePayload>,
  outcome: StoredOutcome,
  { model, work, prompt_version }: { model: ModelCard; work: OutcomeWork; prompt_version: string },
): Promise<string | null> {
  const { range = ALL_PAGES, ...parameters } = run.payload.parameters as { range?: PageRange }
  const documents = await listDocumentsById(run.db, work.document_ids)
  const sources: OutcomeRequest['sources'] = {
    documents: work.document_ids.flatMap((id) => documents.find((one) => one.id === id) ?? []),
    texts: run.payload.texts ?? [],
    project_id: outcome.project_id,
    range,
  }
  return findFingerprint(run.db, {
    object: outcome.object,
    sources,
    request: outcome.request,
    parameters,
    model,
    prompt_version,
  })
}

/** Copies the job's state to the outcome. Returns whether the job's step results may still be needed. */
async function followJob(tx: Tx, object: OutcomeObject, job: JobInfo): Promise<boolean> {
  const outcome = await store.lockOutcome(tx, object, job.subject.id)
  if (!outcome) return false
  const isMade = outcome.status === 'succeeded' || outcome.status === 'partially_succeeded'
  // A result that was written stays: the job may have been cancelled just after it.
  if (isMade) return job.status === 'running' || job.status === 'queued'
  if (outcome.status === job.status) return true
  const followed = await store.followJob(tx, object, outcome.id, { status: job.status, error: job.error })
  if (followed && (job.status === 'failed' || job.status === 'cancelled'))
    record(tx, `${object as MadeByJob}.${job.status}`, followed)
  return true
}

/** Removes citations from the whole result if the text of their page has changed. */
async function dropChanged(tx: Tx, result: object): Promise<number> {
  const lists = citationLists(result)
  const pages = new Map(
    lists.flat().flatMap((one) => (one.page_id && one.document_id ? [[one.page_id, one.document_id] as const] : [])),
  )
  const now = await lockHashes(tx, [...pages])
  let dropped = 0
  for (const list of lists) {
    const kept = list.filter(({ page_id, page_sha256 }) => page_id === null || now.get(page_id) === page_sha256)
    dropped += list.length - kept.length
    list.splice(0, list.length, ...kept)
  }
  return dropped
}

function citationLists(value: unknown): Citation[][] {
  if (value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return value.flatMap(citationLists)
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'citations' && Array.isArray(member) ? [member as Citation[]] : citationLists(member),
  )
}
