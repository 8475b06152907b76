import { type BatchType, batchTypes, type NewJob, type TierName } from '@octavo/contract'
import { defineJob, type JobType } from '../../jobs/types.ts'

export type BatchInput = NewJob['inputs'][number]
export interface BatchPayload {
  type: BatchType
  /** null: it has become an item. */
  inputs: (BatchInput | null)[]
  /** The caller who created the batch: the items are created with the same rights. Ids are uuids. */
  caller: {
    projects: string[] | null
    actor: { type: 'api_key' | 'user' | 'client' | 'system'; id: string | null }
    tier: TierName
  }
}

const batchJob = (name: BatchType): JobType<BatchPayload> =>
  defineJob<BatchPayload>({ name, version: 1, max_attempts: 3, timeout_seconds: 600 })

export const batches = Object.fromEntries(batchTypes.map((type) => [type, batchJob(type)])) as Record<
  BatchType,
  JobType<BatchPayload>
>
