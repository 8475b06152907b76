// Small outcomes are made within the request, before its transaction begins.

import type { OutcomeObject, ResultOf } from '@octavo/contract'
import type { Db } from '../db/database.ts'
import { JobFailure } from '../jobs/types.ts'
import { invalidValue } from '../lib/failure.ts'
import { CitationResolver, type Source } from './outcomes.citations.ts'
import type { InlineResult } from './outcomes.create.ts'
import { findFingerprint, type OutcomeRequest } from './outcomes.request.ts'
import { sourcesOfTexts } from './outcomes.run.ts'
import { findTwin } from './outcomes.store.ts'

const TIMEOUT_MS = 8_000

type Generate<K extends OutcomeObject> = (
  sources: Source[],
  work: { cite: CitationResolver; run: { signal: AbortSignal } },
) => Promise<{
  result: ResultOf<K>
  method: string
  spent?: { input_tokens: number; output_tokens: number }
  warnings?: string[]
}>

/** null: it is there already, or it takes too long here and a job does it. */
export async function runInline<K extends OutcomeObject>(
  db: Db,
  outcomeRequest: OutcomeRequest<K>,
  make: Generate<K>,
): Promise<InlineResult<K> | null> {
  const fingerprint = await findFingerprint(db, outcomeRequest)
  if (fingerprint === null) return null
  const { object, sources, model } = outcomeRequest
  if (
    outcomeRequest.cache !== 'bypass' &&
    (await findTwin(db, object, { fingerprint, project_id: sources.project_id }))
  )
    return null
  const began_ms = performance.now()
  const cite = new CitationResolver()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const pages = await Array.fromAsync(sourcesOfTexts(sources.texts))
    const { result, method, spent, warnings = [] } = await make(pages, { cite, run: { signal } })
    const compute_ms = performance.now() - began_ms
    const used = {
      pages: sources.texts.length,
      input_tokens: 0,
      output_tokens: 0,
      cost_micros: 0,
      ...spent,
      compute_ms: Math.round(compute_ms),
    }
    return { ...used, result, method, model, warnings }
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'document_empty')
      throw invalidValue('text', 'too_short', 'The text is empty.')
    // After any other failure, a job tries again and reports the reason.
    return null
  }
}
