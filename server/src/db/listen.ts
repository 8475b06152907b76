// One connection that hears notifications. While it is cut, whoever relies on it must rely on time instead.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface Listener {
  close(): Promise<void>
}

interface Ears {
  onMessage(payload: string): void
  /** What was missed while the connection was gone is unknown. */
  onGap(): void
}

export function listen(url: string, channel: string, ears: Ears): Listener {
  const closing = new AbortController()
  let client: pg.Client | null = null
  const loop = hear()
  return {
    async close() {
      closing.abort()
      await client?.end().catch(() => {})
      await loop
    },
  }

  async function hear(): Promise<void> {
    while (!closing.signal.aborted) {
      const current = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, keepAlive: true })
      client = current
      const gone = new Promise<void>((resolve) => {
        current.once('end', resolve)
        current.on('error', () => resolve())
      })
      current.on('notification', (message) => ears.onMessage(message.payload ?? ''))
      try {
        await current.connect()
        await current.query(`listen ${channel}`)
        ears.onGap()
        await gone
      } catch {
        // Tried again below; the cache's lifetime bounds what a cut can hide.
      }
      ears.onGap()
      await current.end().catch(() => {})
      await sleep(250, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
}
