// Reads, changes and deletes outcomes. The code that makes them is in the folder of each kind.

import type { OutcomeObject, OutcomeOf, RequestOf } from '@octavo/contract'
import type { Needs } from '../app.ts'
import type { Db, Reader, Tx } from '../db/database.ts'
import type { PageRequest } from '../db/listing.ts'
import { record } from '../events/record.ts'
import { hasSameFields, mergeMetadata } from '../lib/changes.ts'
import { notFound } from '../lib/failure.ts'
import * as store from './outcomes.store.ts'

export type StoredOutcome<K extends OutcomeObject = OutcomeObject> = store.StoredOutcome<K>
export type OutcomeFilters = store.OutcomeFilters
/** The resource as the API returns it, with two members that the contract does not show. */
export type OutcomeRow<K extends OutcomeObject> = OutcomeOf<K> & { version: number; key_id: string | null }

/** Every row has a result, which is empty until the job has made it. The cast is needed because the kind is generic. */
export function shownOutcome<K extends OutcomeObject>({ request, result, ...row }: StoredOutcome<K>): OutcomeRow<K> {
  return { ...row, ...request, ...result } as unknown as OutcomeRow<K>
}

export async function listOutcomes<K extends OutcomeObject>(
  db: Db,
  object: K,
  filters: OutcomeFilters,
  page: PageRequest,
): Promise<OutcomeRow<K>[]> {
  return (await store.listOutcomes(db, object, filters, page)).map((row) => shownOutcome(row))
}

export async function findOutcome<K extends OutcomeObject>(
  db: Reader,
  object: K,
  id: string,
): Promise<OutcomeRow<K> | null> {
  const outcome = await store.findOutcome(db, object, id)
  return outcome ? shownOutcome(outcome) : null
}

async function readStored<K extends OutcomeObject>(db: Reader, object: K, id: string): Promise<StoredOutcome<K>> {
  const outcome = await store.findOutcome(db, object, id)
  if (!outcome) throw notFound()
  return outcome
}
export const readOutcome = async <K extends OutcomeObject>(db: Reader, object: K, id: string): Promise<OutcomeRow<K>> =>
  shownOutcome(await readStored(db, object, id))

export async function updateOutcome<K extends OutcomeObject>(
  tx: Tx,
  object: K,
  id: string,
  patch: { metadata?: Record<string, string | null> } & Partial<RequestOf<K>>,
): Promise<OutcomeRow<K>> {
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

async function lockOutcome<K extends OutcomeObject>(tx: Tx, object: K, id: string): Promise<StoredOutcome<K>> {
  const outcome = await store.lockOutcome(tx, object, id)
  if (!outcome) throw notFound()
  return outcome
}

export const findDraft = (db: Reader, object: OutcomeObject, id: string): Promise<string | null> =>
  store.findDraft(db, object, id)
