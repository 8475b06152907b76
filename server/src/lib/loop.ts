// Work that is done again and again until the process ends.

import { setTimeout as sleep } from 'node:timers/promises'

export interface Loop {
  /** Settles when the round under way is done. */
  stop(): Promise<void>
}

/**
 * `round` returns the pause in milliseconds until the next round; `hurry` cuts it short. After an error the loop pauses
 * for a second.
 */
export function startLoop(
  round: () => Promise<number>,
  onError: (error: unknown) => void,
  hurry?: () => AbortSignal,
): Loop {
  const stopping = new AbortController()
  const loop = run()
  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const rest = await round().catch((error: unknown) => {
        onError(error)
        return 1_000
      })
      const signal = hurry ? AbortSignal.any([stopping.signal, hurry()]) : stopping.signal
      await sleep(rest, undefined, { signal }).catch(() => {})
    }
  }
}
