// Retries are a share of the calls: when everything fails, they must not double what a server in trouble has to bear.

export interface RetryBudget {
  /** One more call was made. */
  earn(): void
  /** Whether one more retry may be made; if so, it counts. */
  spend(): boolean
}

/** `reserve`: retries to begin with, and the most that can be saved up, so that a quiet installation may retry as well. */
export function openRetryBudget({ ratio = 0.1, reserve = 5 } = {}): RetryBudget {
  // In calls, not in retries: tenths do not add up to one.
  const cost = Math.round(1 / ratio)
  let saved = reserve * cost
  return {
    earn() {
      saved = Math.min(saved + 1, reserve * cost)
    },
    spend() {
      if (saved < cost) return false
      saved -= cost
      return true
    },
  }
}
