import type { JobTypeName, TierName } from '@octavo/contract'
import { defineJob, type JobType } from '../jobs/types.ts'

/** Input of an outcome's job, in addition to the outcome's row. */
export interface OutcomePayload {
  /** Texts that came with the request. They are gone when the job has ended. */
  texts?: string[]
  model: string
  /** Request options that the row does not contain. */
  parameters: Record<string, unknown>
  /** AI units that were taken for it. */
  charge?: { units: number; tier: TierName }
  /** Someone listens to what is being written. */
  is_streamed?: boolean
}

const outcomeJob = (name: JobTypeName): JobType<OutcomePayload> =>
  defineJob<OutcomePayload>({ name, version: 1, max_attempts: 3, timeout_seconds: 600 })

export const outcomeJobs = {
  analysis: outcomeJob('analysis'),
  summary: outcomeJob('summaries'),
  classification: outcomeJob('classifications'),
  embedding: outcomeJob('embeddings'),
  answer: outcomeJob('answers'),
  report: outcomeJob('reports'),
} as const
export type MadeByJob = keyof typeof outcomeJobs
