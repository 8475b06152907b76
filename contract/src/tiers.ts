// Limits of a tenant. All numbers can be changed by configuration; `self_hosted` only keeps one caller from starving
// others.

import { namesOf } from './names.ts'

export interface Tier {
  /** Request units (GET 1, others 5) of one key or user in 60 seconds. All keys of a tenant together get four times as many. */
  requests_per_minute: number
  /** AI units of the tenant per hour; null: not limited. */
  ai_units_per_hour: number | null
  /** Concurrent requests of one key or user in one process. All keys of a tenant together may have four times as many. */
  concurrent_requests: number
  /** Jobs of the tenant that run at once. */
  running_jobs: number
  /** Jobs of the tenant that may wait. */
  queued_jobs: number
  /** Event streams of the tenant, in one process. */
  streams: number
}

export const tiers = {
  free: {
    requests_per_minute: 300,
    ai_units_per_hour: 100,
    concurrent_requests: 10,
    running_jobs: 2,
    queued_jobs: 50,
    streams: 2,
  },
  standard: {
    requests_per_minute: 3_000,
    ai_units_per_hour: 2_000,
    concurrent_requests: 50,
    running_jobs: 10,
    queued_jobs: 10_000,
    streams: 20,
  },
  enterprise: {
    requests_per_minute: 15_000,
    ai_units_per_hour: 20_000,
    concurrent_requests: 200,
    running_jobs: 50,
    queued_jobs: 1_000_000,
    streams: 100,
  },
  // `running_jobs` follows from JOB_SLOTS: all but one of them, so that one tenant never holds every slot.
  self_hosted: {
    requests_per_minute: 60_000,
    ai_units_per_hour: null,
    concurrent_requests: 500,
    running_jobs: 3,
    queued_jobs: 1_000_000,
    streams: 200,
  },
} as const satisfies Record<string, Tier>
export type TierName = keyof typeof tiers
export const tierNames = namesOf(tiers)
