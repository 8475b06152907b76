// At most so many at a time; the others wait in the order they came.

import { toError } from '@octavo/base/unknown.ts'

export interface Slots {
  /** Gives back the function that frees the slot. Throws the reason of the signal. */
  take(signal: AbortSignal): Promise<() => void>
  readonly waiting: number
}

export function openSlots(size: number | null): Slots {
  let free = size ?? Number.POSITIVE_INFINITY
  const waiting = new Set<() => void>()

  function release(): void {
    const [next] = waiting
    if (next) next()
    else free++
  }

  function once(): () => void {
    let is_free = false
    return () => {
      if (is_free) return
      is_free = true
      release()
    }
  }

  return {
    get waiting() {
      return waiting.size
    },
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        return once()
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const go = (): void => {
        waiting.delete(go)
        resolve()
      }
      const leave = (): void => {
        // If the slot was granted in the meantime, the caller owns it and releases it when it next checks the signal.
        if (waiting.delete(go)) reject(toError(signal.reason))
      }
      waiting.add(go)
      signal.addEventListener('abort', leave, { once: true })
      try {
        await promise
        return once()
      } finally {
        signal.removeEventListener('abort', leave)
      }
    },
  }
}
