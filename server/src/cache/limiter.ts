// Rate limits: in Valkey for all processes together, or in this process alone while Valkey is gone.

import { firstOf, itemAt, required } from '@octavo/base/required.ts'
import { admit, giveBack, type Policy, type QuotaState } from '../lib/gcra.ts'
import type { Valkey } from './valkey.ts'

interface QuotaLease {
  units: number
  remaining: number
  full_at: number
  ends_at: number
}

/** Units taken in one round trip for the requests that follow: at most this share of the quota. */
const LEASE_SHARE = 0.02
const MAX_BUCKETS = 100_000

const blockOf = ({ quota, cost }: Policy): number => Math.max(cost, Math.floor(quota * LEASE_SHARE))

/** A concurrent request for at least as much of the same quota gets the same refusal. */
function refusesToo(quotaStates: readonly QuotaState[], policies: readonly Policy[]): boolean {
  return quotaStates.some(
    ({ is_admitted, policy }, i) => !is_admitted && policies[i]?.key === policy.key && policies[i].cost >= policy.cost,
  )
}

export class Limiter {
  private readonly valkey: Valkey | null
  private readonly leases = new Map<string, QuotaLease>()
  private readonly arrivals = new Map<string, number>()
  /**
   * Lease requests in progress, by key: concurrent requests share one instead of taking a lease each and using little
   * of it.
   */
  private readonly asking = new Map<string, Promise<QuotaState[]>>()

  constructor(valkey: Valkey | null) {
    this.valkey = valkey
  }

  /** Synchronous if leased units are available, so that most requests need no round trip. */
  take(policies: readonly Policy[]): QuotaState[] | Promise<QuotaState[]> {
    if (!this.valkey) return this.takeHere(policies)
    const leases = policies.map((policy) => this.findLease(policy))
    if (!leases.every((lease) => lease !== null)) {
      const asking = policies.map((policy) => this.asking.get(policy.key)).find((other) => other !== undefined)
      if (!asking) return this.ask(policies)
      return asking.then((quotaStates) => (refusesToo(quotaStates, policies) ? quotaStates : this.take(policies)))
    }
    return policies.map((policy, i) => {
      const lease = itemAt(leases, i)
      lease.units -= policy.cost
      return {
        policy,
        is_admitted: true,
        remaining: lease.remaining + lease.units,
        wait_ms: Math.max(0, lease.full_at - performance.now()),
      }
    })
  }

  /** Reads the quota without taking from it. */
  async look(policy: Policy): Promise<QuotaState> {
    const own = this.leases.get(policy.key)
    const leased = own && own.ends_at > performance.now() ? own.units : 0
    const answer = await this.valkey?.askLimits([`limit:${policy.key}`], [policy.quota, policy.window_ms, 0, 0])
    if (!answer) return firstOf(this.takeHere([{ ...policy, cost: 0 }]))
    const [, left = 0, wait_ms = 0] = answer
    return { policy, is_admitted: true, remaining: left + leased, wait_ms }
  }

  /** Refunds units that were charged for nothing. While Valkey is down, its count is not corrected. */
  async giveBack(policy: Policy): Promise<void> {
    const answer = await this.valkey?.askLimits(
      [`limit:${policy.key}`],
      [policy.quota, policy.window_ms, -policy.cost, -policy.cost],
    )
    const arrival = this.arrivals.get(policy.key)
    if (!answer && arrival !== undefined)
      this.arrivals.set(policy.key, giveBack(arrival, performance.now(), policy, policy.cost))
  }

  /** Forgets the units that were taken with these keys; false if Valkey does not respond. */
  async forget(keys: readonly string[]): Promise<boolean> {
    for (const key of keys) {
      this.leases.delete(key)
      this.arrivals.delete(key)
    }
    return this.valkey === null || (await this.valkey.forget(keys.map((key) => `limit:${key}`)))
  }

  private findLease(policy: Policy): QuotaLease | null {
    const lease = this.leases.get(policy.key)
    return lease && lease.units >= policy.cost && lease.ends_at > performance.now() ? lease : null
  }

  private ask(policies: readonly Policy[]): Promise<QuotaState[]> {
    const leased = policies.filter((policy) => blockOf(policy) > policy.cost)
    const asking = this.askValkey(policies).finally(() => {
      for (const { key } of leased) this.asking.delete(key)
    })
    for (const { key } of leased) this.asking.set(key, asking)
    return asking
  }

  private async askValkey(policies: readonly Policy[]): Promise<QuotaState[]> {
    const answer = await required(this.valkey, 'connection to Valkey').askLimits(
      policies.map((policy) => `limit:${policy.key}`),
      policies.flatMap((policy) => [policy.quota, policy.window_ms, policy.cost, blockOf(policy)]),
    )
    if (!answer) return this.takeHere(policies)
    const is_admitted = policies.every((_, i) => (answer[i * 3] ?? 0) > 0)
    return policies.map((policy, i) => {
      const [granted = 0, left = 0, wait_ms = 0] = answer.slice(i * 3, i * 3 + 3)
      if (is_admitted) this.keepLease(policy, { granted, left, wait_ms })
      return {
        policy,
        is_admitted: granted > 0,
        remaining: left + (is_admitted ? granted - policy.cost : granted),
        wait_ms,
      }
    })
  }

  private keepLease(policy: Policy, answer: { granted: number; left: number; wait_ms: number }): void {
    const units = answer.granted - policy.cost
    if (units === 0) return
    const now = performance.now()
    // Units left from an earlier lease were charged too.
    const other = this.leases.get(policy.key)
    const left = other && other.ends_at > now ? other.units : 0
    keepSmall(this.leases)
    this.leases.set(policy.key, {
      units: units + left,
      remaining: answer.left,
      full_at: now + answer.wait_ms,
      ends_at: now + policy.window_ms,
    })
  }

  /** Like the script in Valkey: charges all limits or none. */
  private takeHere(policies: readonly Policy[]): QuotaState[] {
    const now = performance.now()
    const admissions = policies.map((policy) => admit(this.arrivals.get(policy.key), now, policy, policy.cost))
    const is_charged = admissions.every(({ is_admitted }) => is_admitted)
    return admissions.map(({ is_admitted, arrival_ms, remaining, wait_ms }, i) => {
      const policy = itemAt(policies, i)
      if (is_charged) {
        keepSmall(this.arrivals)
        this.arrivals.set(policy.key, arrival_ms)
      }
      return {
        policy,
        is_admitted,
        remaining: is_admitted && !is_charged ? remaining + policy.cost : remaining,
        wait_ms,
      }
    })
  }
}

/** The oldest entry goes when there are too many: callers that many processes' memory cannot hold are not worth it. */
function keepSmall(map: Map<string, unknown>): void {
  if (map.size < MAX_BUCKETS) return
  const oldest = map.keys().next().value
  if (oldest !== undefined) map.delete(oldest)
}
