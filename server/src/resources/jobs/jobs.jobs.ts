import type { NewJob, TierName } from '@octavo/contract'
import { defineJob } from '../../jobs/types.ts'

export interface BatchPayload {
  type: NewJob['type']
  /** null: it has become an item. */
  inputs: (NewJob['inputs'][number] | null)[]
  /** Who asked: the items are made with their rights. Ids are uuids. */
  caller: { projects: string[] | null; actor: { type: 'api_key' | 'system'; id: string | null }; tier: TierName }
}

export const batch = defineJob<BatchPayload>({ name: 'documents', version: 1, max_attempts: 3, timeout_seconds: 600 })
