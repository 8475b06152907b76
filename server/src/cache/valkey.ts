// Valkey holds hints that may vanish at any time. A dead or hung server must cost a request almost nothing, so nothing
// waits in a queue, nothing is retried, and after one failure all requests use the fallback for a while.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'iovalkey'

const REST_MS = 1_000

export interface Valkey {
  /** The result of the limits script, or null while Valkey is unavailable. */
  askLimits(keys: string[], numbers: number[]): Promise<number[] | null>
  /** Removes the buckets; false if Valkey does not respond. */
  forget(keys: string[]): Promise<boolean>
  close(): void
}

type WithLimits = Redis & { limits(count: number, ...parts: (string | number)[]): Promise<number[]> }

/** `timeout_ms`: how long a request waits for Valkey. */
export function openValkey(url: string, onTrouble: () => void, timeout_ms: number): Valkey {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeout_ms,
    connectTimeout: 500,
    retryStrategy: (times) => Math.min(times * 100, REST_MS),
  }) as WithLimits
  client.defineCommand('limits', { lua: readFileSync(new URL('./limits.lua', import.meta.url), 'utf8') })
  client.on('error', () => {})
  let rests_until = 0
  return {
    async askLimits(keys, numbers) {
      const now = performance.now()
      if (now < rests_until) return null
      // After a pause, one request at a time retries; the others do not wait for it.
      const is_probe = rests_until > 0
      if (is_probe) rests_until = now + REST_MS
      try {
        const answer = await client.limits(keys.length, ...keys, ...numbers)
        rests_until = 0
        return answer
      } catch {
        rests_until = performance.now() + REST_MS
        onTrouble()
        return null
      }
    },
    async forget(keys) {
      for (const deadline = performance.now() + REST_MS; performance.now() < deadline; await sleep(50)) {
        // A new connection is not ready yet, and commands do not wait for it.
        if (client.status !== 'ready') continue
        return client.del(...keys).then(
          () => true,
          () => false,
        )
      }
      return false
    },
    close: () => client.disconnect(),
  }
}
