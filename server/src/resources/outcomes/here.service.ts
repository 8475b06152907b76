// What is small enough is made within the request, before its transaction begins.

import type { Db } from '../../db/database.ts'
import { JobFailure } from '../../jobs/types.ts'
import { Citer, type Source } from '../../lib/citations.ts'
import { invalidValue } from '../../lib/failure.ts'
import type { Made } from './creating.service.ts'
import { sourcesOfTexts } from './making.service.ts'
import { findTwin } from './outcomes.store.ts'
import { findFingerprint, type Wanted } from './wanting.service.ts'

const MOST_MS = 8_000

type Make = (
  sources: Source[],
  work: { cite: Citer; run: { signal: AbortSignal } },
) => Promise<{
  result: Record<string, unknown>
  method: string
  spent?: { input_tokens: number; output_tokens: number }
  warnings?: string[]
}>

/** null: it is there already, or it takes too long here and a job does it. */
export async function makeHere(db: Db, wanted: Wanted, make: Make): Promise<Made | null> {
  const fingerprint = await findFingerprint(db, wanted)
  if (fingerprint === null) return null
  const { object, reading, model } = wanted
  if (wanted.cache !== 'bypass' && (await findTwin(db, object, { fingerprint, project_id: reading.project_id })))
    return null
  const began_ms = performance.now()
  const cite = new Citer()
  const signal = AbortSignal.timeout(MOST_MS)
  try {
    const sources = await Array.fromAsync(sourcesOfTexts(reading.texts))
    const { result, method, spent, warnings = [] } = await make(sources, { cite, run: { signal } })
    const compute_ms = performance.now() - began_ms
    const used = {
      pages: reading.texts.length,
      input_tokens: 0,
      output_tokens: 0,
      cost_micros: 0,
      ...spent,
      compute_ms: Math.round(compute_ms),
    }
    return { ...used, result, method, model, warnings }
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'document_empty')
      throw invalidValue('text', 'too_short', 'There is nothing in it to work on.')
    // Whatever else went wrong, the job tries it again and says why.
    return null
  }
}
