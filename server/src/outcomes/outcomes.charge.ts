// AI units that an outcome costs, and when they are refunded.

import { api, type JobErrorCode, type OutcomeObject } from '@octavo/contract'
import type { Needs } from '../app.ts'
import type { Tx } from '../db/database.ts'
import type { JobInfo } from '../jobs/types.ts'
import type { Caller } from '../lib/caller.ts'
import { type Charge, giveBackUnits, takeUnits } from '../usage/usage.units.ts'

type OutcomeChargeNeeds = Needs<'limiter' | 'config'>
interface ChargedSources {
  documents: readonly { page_count: number }[]
  range: { first: number; last: number }
}

const creations: Record<OutcomeObject, { ai_base: number }> = {
  analysis: api.analysis.create,
  summary: api.summaries.create,
  classification: api.classifications.create,
  embedding: api.embeddings.create,
  search: api.searches.create,
  answer: api.answers.create,
  report: api.reports.create,
}
/** Failures that are not the caller's fault. */
const OUR_FAULTS: readonly string[] = ['model_unavailable', 'model_timeout', 'internal_error'] satisfies JobErrorCode[]

/** null: the tier has no quota. Fails if the tenant's hourly quota is too low. */
export function chargeFor(
  app: OutcomeChargeNeeds,
  caller: Caller,
  { object, sources }: { object: OutcomeObject; sources: ChargedSources | null },
): Promise<Charge | null> {
  return takeUnits(app, caller, creations[object].ai_base, sources ? countChargedPages(sources) : 0)
}

/** As far as it is known: a document that is still being read may turn out to be longer. */
const countChargedPages = ({ documents, range }: ChargedSources): number =>
  documents.reduce((sum, { page_count }) => sum + Math.max(0, Math.min(page_count, range.last) - range.first + 1), 0)

/** Refunds a job that failed through no fault of its owner. Only once: the charge is removed from the payload. */
export async function giveBackFor(app: OutcomeChargeNeeds & Needs<'jobs'>, tx: Tx, job: JobInfo): Promise<void> {
  if (job.status !== 'failed' || !OUR_FAULTS.includes(job.error?.code ?? '')) return
  const charge = await app.jobs.takeFromPayload<Charge>(tx, job.id, 'charge')
  if (charge) tx.afterCommit(() => void giveBackUnits(app, tx.caller.tenant, charge))
}
