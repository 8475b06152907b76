// What the service says about itself.

import { api, type Capabilities, MAX_PAGE_CHARACTERS, MAX_PAGES, type RateLimit } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Standing } from '../../cache/limiter.ts'
import { kinds } from '../../extract/kinds.ts'
import type { Principal } from '../../lib/caller.ts'
import { notFound } from '../../lib/failure.ts'

export function readCapabilities(app: Needs<'config'>): Capabilities {
  return {
    object: 'capabilities',
    version: app.config.version,
    api_versions: ['v1'],
    features: Object.keys(api),
    formats: Object.values(kinds).map(({ media_type }) => media_type),
    limits: {
      file_bytes: app.config.max_file_bytes,
      read_bytes: app.config.parsing.max_read_bytes,
      json_bytes: app.config.max_json_bytes,
      pages_per_document: MAX_PAGES,
      characters_per_page: MAX_PAGE_CHARACTERS,
      list_items: 100,
    },
  }
}

interface Asking {
  principal: Principal | null
  standings: readonly Standing[]
  concurrent: { quota: number; remaining: number }
}

/** The limits of the key that asks; this very request is counted. */
export function listRateLimits(asking: Asking): RateLimit[] {
  const rates = asking.standings.map(({ policy, remaining, wait_ms }) => ({
    name: policy.name as 'requests',
    quota: policy.quota,
    window_seconds: policy.window_ms / 1000,
    remaining,
    reset_seconds: Math.ceil(wait_ms / 1000),
  }))
  const concurrent = { name: 'concurrent' as const, ...asking.concurrent, window_seconds: 0, reset_seconds: 0 }
  const policies = asking.concurrent.quota > 0 ? [...rates, concurrent] : rates
  return [{ id: 'principal', object: 'rate_limit', tier: asking.principal!.tier, policies }]
}

export function readRateLimit(asking: Asking, id: string): RateLimit {
  const limit = listRateLimits(asking).find((candidate) => candidate.id === id)
  if (!limit) throw notFound()
  return limit
}
