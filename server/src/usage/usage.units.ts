// AI units measure the cost of an outcome. They are charged to the tenant, for any key, when the outcome is created.

import { firstOf } from '@octavo/base/required.ts'
import type { TierName } from '@octavo/contract'
import type { Needs } from '../app.ts'
import type { Caller, Principal } from '../lib/caller.ts'
import { tooMany } from '../lib/failure.ts'
import type { Policy, QuotaState } from '../lib/gcra.ts'

type UsageUnitsNeeds = Needs<'limiter' | 'config'>
/** Units that were charged. The tier determines the quota that they came from. */
export interface Charge {
  units: number
  tier: TierName
}

const WINDOW_MS = 3_600_000
const PAGES_OF_A_UNIT = 10

function policyOf(
  { config }: UsageUnitsNeeds,
  { tenant, tier }: Pick<Principal, 'tenant' | 'tier'>,
  cost: number,
): Policy | null {
  const quota = config.has_rate_limits ? config.tiers[tier].ai_units_per_hour : null
  return quota === null
    ? null
    : { name: 'ai', key: `ai:${tenant}`, quota, window_ms: WINDOW_MS, cost: Math.min(cost, quota) }
}

/** `base` is the endpoint's, for each ten pages. null: nothing is counted in this tier. */
export async function takeUnits(
  app: UsageUnitsNeeds,
  caller: Caller,
  base: number,
  pages: number,
): Promise<Charge | null> {
  const policy = policyOf(app, caller, base * Math.ceil(Math.max(1, pages) / PAGES_OF_A_UNIT))
  if (policy === null || policy.cost === 0) return null
  const quotaState = firstOf(await app.limiter.take([policy]))
  caller.onQuotaCharged?.(quotaState)
  if (!quotaState.is_admitted)
    throw tooMany(
      'ai',
      `At most ${policy.quota} AI units per hour; this request costs ${policy.cost}.`,
      quotaState.wait_ms,
    )
  return { units: policy.cost, tier: caller.tier }
}

/** Best effort: failures are ignored. */
export async function giveBackUnits(app: UsageUnitsNeeds, tenant: string, charge: Charge | null): Promise<void> {
  const policy = charge && policyOf(app, { tenant, tier: charge.tier }, charge.units)
  if (policy) await app.limiter.giveBack(policy).catch(() => {})
}

/** null: nothing is counted in this tier. */
export async function lookAtUnits(
  app: UsageUnitsNeeds,
  principal: Pick<Principal, 'tenant' | 'tier'>,
): Promise<QuotaState | null> {
  const policy = policyOf(app, principal, 0)
  return policy && app.limiter.look(policy)
}
