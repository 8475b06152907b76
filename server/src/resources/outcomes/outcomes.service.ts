// Reads, changes and deletes outcomes. The code that makes them is in the folder of each kind.

import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { hasSameFields, mergeMetadata } from '../../lib/changes.ts'
import { notFound } from '../../lib/failure.ts'
import * as store from './outcomes.store.ts'

export type StoredOutcome = store.StoredOutcome
export type OutcomeObject = store.OutcomeObject
export type OutcomeFilters = store.OutcomeFilters
/** The resource as the API returns it, with two members that the contract does not show. */
export type OutcomeRow = Omit<StoredOutcome, 'request' | 'result'> & Record<string, unknown>

/** Every row has a result, which is empty until the job has made it. The cast is needed because the kind is generic. */
export function shownOutcome({ request, result, ...row }: StoredOutcome): OutcomeRow {
  return { ...row, ...request, ...result }
}

export async function listOutcomes(
  db: Db,
  object: OutcomeObject,
  filters: OutcomeFilters,
  page: PageRequest,
): Promise<OutcomeRow[]> {
  return (await store.listOutcomes(db, object, filters, page)).map(shownOutcome)
}

async function readStored(db: Reader, object: OutcomeObject, id: string): Promise<StoredOutcome> {
  const outcome = await store.findOutcome(db, object, id)
  if (!outcome) throw notFound()
  return outcome
}
export const readOutcome = async (db: Reader, object: OutcomeObject, id: string): Promise<OutcomeRow> =>
  shownOutcome(await readStored(db, object, id))

export async function updateOutcome(
  tx: Tx,
  object: OutcomeObject,
  id: string,
  patch: { metadata?: Record<string, string | null>; title?: string },
): Promise<OutcomeRow> {
  const outcome = await lockOutcome(tx, object, id)
  tx.precondition.check(outcome)
  const { metadata, ...members } = patch
  const fields = {
    metadata: mergeMetadata(outcome.metadata, metadata),
    request: { ...outcome.request, ...members },
  }
  if (hasSameFields(outcome, fields)) {
    tx.is_unchanged = true
    return shownOutcome(outcome)
  }
  const saved = await store.describeOutcome(tx, object, id, fields)
  record(tx, `${object}.updated` as 'summary.updated', saved)
  return shownOutcome(saved)
}

/** A job that still works on it is cancelled: slots and jobs are locked before what they work on. */
export async function removeOutcome(app: Needs<'jobs'>, tx: Tx, object: OutcomeObject, id: string): Promise<null> {
  const { job_id } = await readStored(tx, object, id)
  const job = job_id === null ? null : await app.jobs.lockById(tx, job_id)
  const outcome = await lockOutcome(tx, object, id)
  tx.precondition.check(outcome)
  if (job && job.place !== null) await app.jobs.cancel(tx, [job])
  store.deleteOutcome(tx, object, id)
  record(tx, `${object}.deleted`, outcome)
  return null
}

async function lockOutcome(tx: Tx, object: OutcomeObject, id: string): Promise<StoredOutcome> {
  const outcome = await store.lockOutcome(tx, object, id)
  if (!outcome) throw notFound()
  return outcome
}

export const findDraft = (db: Reader, object: OutcomeObject, id: string): Promise<string | null> =>
  store.findDraft(db, object, id)
