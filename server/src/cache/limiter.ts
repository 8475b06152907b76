// Rate limits: in Valkey for all processes together, or in this process alone while Valkey is gone.

import { admit, type Rate } from '../lib/gcra.ts'
import type { Valkey } from './valkey.ts'

export interface Policy extends Rate {
  name: string
  /** Who is counted. */
  key: string
  cost: number
}

export interface Standing {
  policy: Policy
  is_admitted: boolean
  remaining: number
  /** Until the quota is whole again, or, when refused, until this request would pass. */
  wait_ms: number
}

interface Lease {
  units: number
  remaining: number
  full_at: number
  ends_at: number
}

/** Units taken in one round trip for the requests that follow: at most this share of the quota. */
const LEASE_SHARE = 0.02
const MAX_BUCKETS = 100_000

export class Limiter {
  private readonly valkey: Valkey | null
  private readonly leases = new Map<string, Lease>()
  private readonly arrivals = new Map<string, number>()

  constructor(valkey: Valkey | null) {
    this.valkey = valkey
  }

  /** Synchronous where units are at hand, so that most requests pay no round trip. */
  take(policies: readonly Policy[]): Standing[] | Promise<Standing[]> {
    if (!this.valkey) return policies.map((policy) => this.takeHere(policy))
    const leases = policies.map((policy) => this.findLease(policy))
    if (!leases.every((lease) => lease !== null)) return this.ask(policies)
    return policies.map((policy, i) => {
      const lease = leases[i]!
      lease.units -= policy.cost
      return {
        policy,
        is_admitted: true,
        remaining: lease.remaining + lease.units,
        wait_ms: Math.max(0, lease.full_at - performance.now()),
      }
    })
  }

  private findLease(policy: Policy): Lease | null {
    const lease = this.leases.get(policy.key)
    return lease && lease.units >= policy.cost && lease.ends_at > performance.now() ? lease : null
  }

  private async ask(policies: readonly Policy[]): Promise<Standing[]> {
    const numbers = policies.flatMap(({ quota, window_ms, cost }) => [
      quota,
      window_ms,
      cost,
      Math.max(cost, Math.floor(quota * LEASE_SHARE)),
    ])
    const answer = await this.valkey!.askLimits(
      policies.map((policy) => `limit:${policy.key}`),
      numbers,
    )
    if (!answer) return policies.map((policy) => this.takeHere(policy))
    const is_admitted = policies.every((_, i) => answer[i * 3]! > 0)
    return policies.map((policy, i) => {
      const [granted, left, wait_ms] = answer.slice(i * 3, i * 3 + 3) as [number, number, number]
      if (is_admitted) this.keepLease(policy, { granted, left, wait_ms })
      return { policy, is_admitted: granted > 0, remaining: left + (is_admitted ? granted - policy.cost : granted), wait_ms }
    })
  }

  private keepLease(policy: Policy, answer: { granted: number; left: number; wait_ms: number }): void {
    const units = answer.granted - policy.cost
    if (units === 0) return
    const now = performance.now()
    // Two requests may have asked at once: what the first has left is added, since both were charged.
    const left = this.leases.get(policy.key)?.units ?? 0
    keepSmall(this.leases)
    this.leases.set(policy.key, {
      units: units + left,
      remaining: answer.left,
      full_at: now + answer.wait_ms,
      ends_at: now + policy.window_ms,
    })
  }

  private takeHere(policy: Policy): Standing {
    const now = performance.now()
    const admission = admit(this.arrivals.get(policy.key), now, policy, policy.cost)
    keepSmall(this.arrivals)
    this.arrivals.set(policy.key, admission.arrival_ms)
    return { policy, is_admitted: admission.is_admitted, remaining: admission.remaining, wait_ms: admission.wait_ms }
  }
}

/** The oldest entry goes when there are too many: callers that many processes' memory cannot hold are not worth it. */
function keepSmall(map: Map<string, unknown>): void {
  if (map.size < MAX_BUCKETS) return
  const oldest = map.keys().next().value
  if (oldest !== undefined) map.delete(oldest)
}
