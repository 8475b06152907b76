// Pure decisions about jobs.

import type { Job } from '@octavo/contract'

interface WaitingReasonInput {
  status: string
  place: string | null
  run_after: string | null
}

/** Queue position and estimated start of a waiting job; null once it has started. */
export function placeInQueue(
  job: WaitingReasonInput,
  place: { ahead: number; mean_ms: number | null } | null,
  slots: number,
  now = Date.now(),
): Job['queue'] {
  if (job.status !== 'queued') return null
  if (job.place === 'backoff') return { ahead: 0, estimated_start_at: job.run_after }
  // It holds a slot and starts as soon as a worker is free, which cannot be predicted.
  if (place === null) return { ahead: 0, estimated_start_at: null }
  const { ahead, mean_ms } = place
  const wait_ms = mean_ms === null ? null : (mean_ms * (ahead + 1)) / slots
  return { ahead, estimated_start_at: wait_ms === null ? null : new Date(now + wait_ms).toISOString() }
}
