// How an outcome comes to be: found again, made within the request, or left to a job.

import { firstOf } from '@octavo/base/required.ts'
import type { OutcomeObject, Priority, RequestOf, ResultOf } from '@octavo/contract'
import type { ModelCard } from '../ai/model.ts'
import type { Needs } from '../app.ts'
import type { Tx } from '../db/database.ts'
import { record } from '../events/record.ts'
import { Failure } from '../lib/failure.ts'
import { newId } from '../lib/ids.ts'
import { lockAll, lockExisting } from '../resources/documents/documents.service.ts'
import { recordUsage } from '../usage/usage.service.ts'
import { pay, type Spending } from '../usage/usage.spending.ts'
import { type Charge, giveBackUnits } from '../usage/usage.units.ts'
import { chargeFor } from './outcomes.charge.ts'
import { type MadeByJob, type OutcomePayload, outcomeJobs } from './outcomes.jobs.ts'
import { findFingerprint, type OutcomeRequest } from './outcomes.request.ts'
import { type OutcomeRow, type StoredOutcome, shownOutcome } from './outcomes.service.ts'
import * as store from './outcomes.store.ts'

/** A finished result with its model, warnings and usage. */
export interface InlineResult<K extends OutcomeObject> {
  result: ResultOf<K>
  method: string
  model: ModelCard
  pages: number
  input_tokens: number
  output_tokens: number
  cost_micros: number
  compute_ms: number
  warnings: string[]
  /** Where several models were asked: what each has used. */
  spendings?: readonly Spending[]
}
/** A request that was resolved before its transaction, and the result if it was made there. */
export interface PreparedOutcome<K extends OutcomeObject> {
  outcomeRequest: OutcomeRequest<K>
  made: InlineResult<K> | null
}
/** The batch that the outcome belongs to, if any, and the result if it was made inline. */
export interface CreateOptions<K extends OutcomeObject> {
  parent_job_id?: string | null
  priority?: Priority
  /** It was made within the request. */
  made?: InlineResult<K> | null
  is_streamed?: boolean
}

export async function createOutcome<K extends MadeByJob>(
  app: Needs<'jobs' | 'limiter' | 'config'>,
  tx: Tx,
  outcomeRequest: OutcomeRequest<K>,
  given: CreateOptions<K> = {},
): Promise<OutcomeRow<K>> {
  const fingerprint = await findFingerprint(tx, outcomeRequest)
  const twin =
    outcomeRequest.cache === 'bypass' || fingerprint === null
      ? null
      : await store.findTwin(tx, outcomeRequest.object, { fingerprint, project_id: outcomeRequest.sources.project_id })
  const used = twin ? 'hit' : 'miss'
  const cache = outcomeRequest.cache === 'bypass' ? 'bypass' : used
  const base = { ...newOutcomeRow(outcomeRequest), fingerprint, cache } as const
  if (twin) {
    const { result, method, model, warnings } = twin
    const ended = { status: 'succeeded', result, method, model, warnings, usage: NOTHING_USED } as const
    return shownOutcome(await finished(tx, { ...base, ...ended }))
  }
  const charge = await chargeFor(app, tx.caller, outcomeRequest)
  try {
    if (!given.made) return await queued(app, tx, outcomeRequest, { ...given, row: base, charge })
    const row = await finished(tx, { ...base, status: 'succeeded', ...endOf(given.made) })
    payFor(tx, given.made, row)
    return shownOutcome(row)
  } catch (error) {
    // A failed request returns its units itself (http/route/write.ts); a batch has no request.
    if (tx.caller.onQuotaCharged === null) await giveBackUnits(app, tx.caller.tenant, charge)
    throw error
  }
}

const NOTHING_USED = { pages: 0, input_tokens: 0, output_tokens: 0, cost_micros: 0, compute_ms: 0 }

function newOutcomeRow<K extends MadeByJob>({ object, sources, request, metadata = {}, kept_days }: OutcomeRequest<K>) {
  const document_ids = sources.documents.map(({ id }) => id)
  return {
    id: newId(store.outcomePrefixes[object]),
    object,
    project_id: sources.project_id,
    document_id: document_ids.length === 1 ? firstOf(document_ids) : null,
    document_ids,
    job_id: null,
    request,
    metadata,
    kept_days: kept_days ?? null,
    error: null,
  }
}

/** Converts a finished result to columns. */
export function endOf<K extends OutcomeObject>(made: InlineResult<K>) {
  const { result, method, warnings, pages, input_tokens, output_tokens, cost_micros, compute_ms } = made
  const { id, provider, locality, version } = made.model
  const usage = { pages, input_tokens, output_tokens, cost_micros, compute_ms: Math.round(compute_ms) }
  return { result, method, warnings: warnings.slice(0, 100), usage, model: { id, provider, locality, version } }
}

async function finished<K extends OutcomeObject>(tx: Tx, row: store.NewOutcomeRow<K>): Promise<StoredOutcome<K>> {
  await hold(tx, row.document_ids)
  const stored = await store.insertOutcome(tx, row)
  recordFinished(tx, stored)
  return stored
}

function recordFinished(tx: Tx, stored: StoredOutcome): void {
  record(tx, `${stored.object}.created`, stored)
  if (stored.object !== 'search') record(tx, `${stored.object}.succeeded`, stored)
}

interface SearchOutcome<K extends OutcomeObject> {
  object: K
  project_id: string | null
  request: RequestOf<K>
  made: InlineResult<K>
  metadata: Record<string, string>
  kept_days: number
  /** Default true. If false, only its usage is recorded. */
  is_stored?: boolean
}
/** Stores a search or an answer that was made within the request. Documents that were deleted since are left out. */
export async function createSearchOutcome<K extends 'search' | 'answer'>(
  tx: Tx,
  { object, project_id, request, made, metadata, kept_days, is_stored = true }: SearchOutcome<K>,
  show: (live: ReadonlySet<string>) => { result: ResultOf<K>; found_ids: readonly string[] },
): Promise<OutcomeRow<K>> {
  const found_ids = [...new Set(show(new Set()).found_ids)]
  const live = await lockUsuallyAll(tx, found_ids)
  const { result } = show(live)
  const outcome: store.NewOutcomeRow<K> = {
    ...endOf({ ...made, result }),
    id: newId(store.outcomePrefixes[object]),
    object,
    project_id,
    document_id: null,
    document_ids: [...live],
    job_id: null,
    request,
    metadata,
    kept_days,
    status: 'succeeded',
    fingerprint: null,
    cache: 'miss',
    error: null,
  }
  const row = store.newStoredOutcome(tx, outcome)
  if (is_stored) {
    store.queueOutcome(tx, outcome)
    recordFinished(tx, row)
    // The result is large and does not change.
    tx.replay = 'resource'
  } else {
    tx.is_unchanged = true
    tx.replay = 'run'
  }
  payFor(tx, made, row)
  return shownOutcome(row)
}

/** Documents are rarely deleted between a search and its commit, so the lock is sent with the commit. */
async function lockUsuallyAll(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (!tx.may_assume) return lockExisting(tx, ids)
  lockAll(tx, ids)
  return new Set(ids)
}

/** In the ledger: the models that were asked, or the one that did it. */
function payFor<K extends OutcomeObject>(tx: Tx, made: InlineResult<K>, row: StoredOutcome<K>): void {
  const of = { project_id: row.project_id, key_id: row.key_id, job_id: null, subject: row }
  const { spendings = [], pages, input_tokens, output_tokens } = made
  const whole = { pages, compute_ms: Math.round(made.compute_ms) }
  if (spendings.length === 0) recordUsage(tx, made.model, of, { input_tokens, output_tokens, ...whole })
  for (const [i, spending] of spendings.entries()) pay(tx, spending, of, i === 0 ? whole : undefined)
}

/** After jobs and slots are locked, as everywhere. */
async function hold(tx: Tx, ids: readonly string[]): Promise<void> {
  if ((await lockExisting(tx, ids)).size < ids.length)
    throw new Failure('invalid_state', 'A document was deleted during this request. Send the request again without it.')
}

async function queued<K extends MadeByJob>(
  app: Needs<'jobs'>,
  tx: Tx,
  outcomeRequest: OutcomeRequest<K>,
  {
    row,
    parent_job_id,
    priority,
    is_streamed,
    charge,
  }: CreateOptions<K> & {
    row: ReturnType<typeof newOutcomeRow<K>> & { fingerprint: string | null; cache: 'hit' | 'miss' | 'bypass' }
    charge: Charge | null
  },
): Promise<OutcomeRow<K>> {
  const { sources, parameters = {}, empty } = outcomeRequest
  const payload: OutcomePayload = {
    model: outcomeRequest.model.id,
    parameters: { ...parameters, range: sources.range },
    ...(sources.texts.length > 0 ? { texts: [...sources.texts] } : {}),
    ...(is_streamed ? { is_streamed } : {}),
    ...(charge ? { charge } : {}),
  }
  const job_id = newId('job')
  record(tx, `${row.object}.created`, { ...row, status: 'queued' })
  await app.jobs.enqueue(tx, {
    id: job_id,
    type: outcomeJobs[row.object],
    payload,
    subject: { object: row.object, id: row.id },
    project_id: row.project_id,
    document_id: row.document_id,
    ...(parent_job_id === undefined ? {} : { parent_job_id }),
    ...(priority === undefined ? {} : { priority }),
    ...(outcomeRequest.timeout_seconds === undefined ? {} : { timeout_seconds: outcomeRequest.timeout_seconds }),
  })
  await hold(tx, row.document_ids)
  const { model } = endOf({ ...NOTHING_USED, result: empty, method: '', warnings: [], model: outcomeRequest.model })
  const nothing = { result: empty, method: null, model, usage: null, warnings: [] }
  return shownOutcome(await store.insertOutcome(tx, { ...row, ...nothing, job_id, status: 'queued' }))
}
