// What a tenant may use. All numbers can be replaced by configuration; `self_hosted` only keeps one caller from starving others.

export interface Tier {
  /** Request units (GET 1, others 5) of one key or user in 60 seconds. */
  requests_per_minute: number
  /** Requests of one key or user under way at once, in one process. */
  concurrent_requests: number
}

export const tiers = {
  free: { requests_per_minute: 300, concurrent_requests: 10 },
  standard: { requests_per_minute: 3_000, concurrent_requests: 50 },
  enterprise: { requests_per_minute: 15_000, concurrent_requests: 200 },
  self_hosted: { requests_per_minute: 60_000, concurrent_requests: 500 },
} as const satisfies Record<string, Tier>
export type TierName = keyof typeof tiers
export const tierNames = Object.keys(tiers) as TierName[]
