// Work that is done again and again until the process ends.

import { setTimeout as sleep } from 'node:timers/promises'

export interface Loop {
  /** Settles when the round under way is done. */
  stop(): Promise<void>
}

/** `round` says how many milliseconds to rest after it; an error is told and costs a second. */
export function startLoop(round: () => Promise<number>, onError: (error: unknown) => void): Loop {
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
      await sleep(rest, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
}
