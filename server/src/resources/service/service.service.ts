// Information about the service: its capabilities and limits.

import {
  api,
  type Capabilities,
  MAX_BODY_BYTES,
  MAX_PAGE_CHARACTERS,
  MAX_PAGES,
  type RateLimit,
} from '@octavo/contract'
import { kinds } from '@octavo/extract/kinds.ts'
import type { Needs } from '../../app.ts'
import type { Principal } from '../../lib/caller.ts'
import { notFound } from '../../lib/failure.ts'
import type { QuotaState } from '../../lib/gcra.ts'
import { lookAtUnits } from '../../usage/usage.units.ts'

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
      json_bytes: Math.min(MAX_BODY_BYTES, app.config.max_json_bytes),
      large_json_bytes: app.config.max_json_bytes,
      pages_per_document: MAX_PAGES,
      characters_per_page: MAX_PAGE_CHARACTERS,
      list_items: 100,
    },
  }
}

interface LimitsRequest {
  authenticated: Principal
  quota_states: readonly QuotaState[]
  concurrent: { quota: number; remaining: number }
}

const policyOf = ({ policy, remaining, wait_ms }: QuotaState) => ({
  name: policy.name as 'requests',
  quota: policy.quota,
  window_seconds: policy.window_ms / 1000,
  remaining,
  reset_seconds: Math.ceil(wait_ms / 1000),
})

/** The limits of the key that asks, this very request counted, and those of its tenant. */
export async function listRateLimits(app: Needs<'limiter' | 'config'>, asking: LimitsRequest): Promise<RateLimit[]> {
  const { tenant, tier } = asking.authenticated
  const rates = asking.quota_states.map(policyOf)
  const concurrent = { name: 'concurrent' as const, ...asking.concurrent, window_seconds: 0, reset_seconds: 0 }
  const policies = asking.concurrent.quota > 0 ? [...rates, concurrent] : rates
  const units = await lookAtUnits(app, { tenant, tier })
  return [
    { id: 'principal', object: 'rate_limit', tier, policies },
    ...(units ? [{ id: 'tenant' as const, object: 'rate_limit' as const, tier, policies: [policyOf(units)] }] : []),
  ]
}

export async function readRateLimit(
  app: Needs<'limiter' | 'config'>,
  asking: LimitsRequest,
  id: string,
): Promise<RateLimit> {
  const limit = (await listRateLimits(app, asking)).find((candidate) => candidate.id === id)
  if (!limit) throw notFound()
  return limit
}
