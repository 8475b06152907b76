// Types of events. Each resource names its own; their names are contract, and new ones are additive.

import type { eventTypes } from './generated/tables.ts'

export type EventType = (typeof eventTypes)[number]

/** Final events of a job. Any event that ends a batch item may also end the batch. */
export const jobEnds = ['job.succeeded', 'job.partially_succeeded', 'job.failed', 'job.cancelled'] as const
/** An outcome is canceled together with its job. */
export const outcomeCancels = [
  'analysis.cancelled',
  'summary.cancelled',
  'classification.cancelled',
  'embedding.cancelled',
  'answer.cancelled',
  'report.cancelled',
] as const
