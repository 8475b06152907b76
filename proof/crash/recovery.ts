// How long an outage was, for those who wait.

import type { Kill } from './kills.ts'

/** From each kill until the first success of something begun after it; kills that nothing followed are left out. */
export function outages(
  kills: readonly Kill[],
  successes: readonly { begun_at: number; acked_at: number }[],
): number[] {
  const sorted = successes.toSorted((a, b) => a.acked_at - b.acked_at)
  return kills.flatMap(({ at }) => {
    const next = sorted.find(({ begun_at }) => begun_at >= at)
    return next ? [next.acked_at - at] : []
  })
}

/** From each kill until the next job ended. */
export function silences(kills: readonly Kill[], finished: readonly number[]): number[] {
  const sorted = finished.toSorted((a, b) => a - b)
  return kills.flatMap(({ at }) => {
    const next = sorted.find((time) => time > at)
    return next === undefined ? [] : [next - at]
  })
}
