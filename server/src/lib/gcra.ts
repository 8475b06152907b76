// The generic cell rate algorithm with cost: one number, the theoretical arrival time, for each bucket. The same rule
// runs in Valkey (cache/limits.lua); this one serves while Valkey is gone.

export interface Rate {
  quota: number
  window_ms: number
}

export interface Policy extends Rate {
  name: string
  /** Identifies who is counted. */
  key: string
  cost: number
}

export interface QuotaState {
  policy: Policy
  is_admitted: boolean
  remaining: number
  /** Until the quota is whole again, or, when refused, until this request would pass. */
  wait_ms: number
}

export interface RateDecision {
  is_admitted: boolean
  arrival_ms: number
  remaining: number
  /** Until the bucket is full again, or, when refused, until this cost would pass. */
  wait_ms: number
}

/** Tolerance for rounding errors, as a fraction of a unit. */
const SLACK = 0.0001

/** The arrival time after units were given back: never more than a full bucket. */
export function giveBack(arrival: number | undefined, now: number, rate: Rate, cost: number): number {
  return Math.max(now, (arrival ?? now) - (rate.window_ms / rate.quota) * cost)
}

export function admit(arrival: number | undefined, now: number, rate: Rate, cost: number): RateDecision {
  const interval = rate.window_ms / rate.quota
  const start = Math.max(arrival ?? now, now)
  const next = start + interval * cost
  const left = Math.floor((rate.window_ms - (start - now)) / interval + SLACK)
  if (left < cost)
    return { is_admitted: false, arrival_ms: start, remaining: Math.max(0, left), wait_ms: next - rate.window_ms - now }
  return { is_admitted: true, arrival_ms: next, remaining: left - cost, wait_ms: next - now }
}
