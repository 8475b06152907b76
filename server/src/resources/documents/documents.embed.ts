// Vectors of pages that are about to be written.

import { ModelTimeout, ModelUnavailable } from '../../ai/model.ts'
import type { Needs } from '../../app.ts'
import type { Tx } from '../../db/database.ts'
import { Postponed, type Run } from '../../jobs/types.ts'
import { timeOfUuid, uuid } from '../../lib/ids.ts'
import { recordUsage } from '../../usage/usage.service.ts'
import { type ChunkTexts, embedCuts } from '../../vector-spaces/vector-spaces.service.ts'

/** Where a provider says nothing. */
const WAIT_MS = 15_000
/** After that the document is ready without vectors; they are added in the background. */
const MOST_WAITED_MS = 10 * 60_000

/**
 * Waits while a remote model is unavailable; pages that are already written are kept. The cost is stored with the
 * pages.
 */
export async function embedPages(
  app: Needs<'models' | 'db'>,
  run: Run<object>,
  pages: readonly { cut: ChunkTexts }[],
  project_id: string | null,
): Promise<(tx: Tx) => void> {
  const cuts = pages.map(({ cut }) => cut)
  const { id, subject } = run.job
  const is_forgiving = Date.now() - timeOfUuid(uuid(id)).getTime() > MOST_WAITED_MS
  try {
    const took = await embedCuts(app, run.db, cuts, { project_id, signal: run.signal, is_forgiving })
    return (tx) => {
      for (const { model, spent, compute_ms } of took)
        recordUsage(tx, model, { project_id, key_id: null, job_id: id, subject }, { pages: 0, ...spent, compute_ms })
    }
  } catch (error) {
    const isThrottled = error instanceof ModelUnavailable && error.why === 'throttled'
    if (error instanceof ModelUnavailable || error instanceof ModelTimeout) {
      const wait_ms = (error instanceof ModelUnavailable ? error.retry_after_ms : null) ?? WAIT_MS
      throw new Postponed(isThrottled ? 'provider_throttled' : 'dependency', wait_ms, error)
    }
    throw error
  }
}
