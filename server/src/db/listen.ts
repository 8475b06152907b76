// One connection for PostgreSQL notifications. While it is down, callers must fall back to timeouts.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const CONNECT_TIMEOUT_MS = 2_000
const ANSWER_TIMEOUT_MS = 2_000
const HEARTBEAT_MS = 5_000
const RETRY_MS = 250
const GOODBYE_MS = 1_000

export interface Listener {
  close(): Promise<void>
}

interface Ears {
  onMessage(payload: string): void
  /** The connection was lost, so notifications may have been missed. */
  onGap(): void
}

/** The session's application name in pg_stat_activity. */
export const nameOfListener = (channel: string): string => `octavo: ${channel}`

export function listen(url: string, channel: string, ears: Ears): Listener {
  const closing = new AbortController()
  const loop = hear()
  return {
    async close() {
      closing.abort()
      await loop
    },
  }

  async function hear(): Promise<void> {
    while (!closing.signal.aborted) {
      const client = new pg.Client({
        connectionString: url,
        application_name: nameOfListener(channel),
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        query_timeout: ANSWER_TIMEOUT_MS,
        keepAlive: true,
      })
      await hearWith(client)
      // On a dead connection, a graceful close would never finish.
      await Promise.race([client.end().catch(() => {}), sleep(GOODBYE_MS, undefined, { ref: false })])
      await rest(RETRY_MS)
    }
  }

  async function hearWith(client: pg.Client): Promise<void> {
    const gone = new Promise<void>((resolve) => {
      client.once('end', resolve)
      client.on('error', () => resolve())
    })
    client.on('notification', (message) => ears.onMessage(message.payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
    } catch {
      // Retried. No notifications arrive until then; expiry times bound the staleness.
      return
    }
    ears.onGap()
    await Promise.race([gone, watch(client)])
    ears.onGap()
  }

  /** Pings the connection and ends it if there is no response. Listening alone would not notice lost packets. */
  async function watch(client: pg.Client): Promise<void> {
    try {
      while (!closing.signal.aborted) {
        await rest(HEARTBEAT_MS)
        if (!closing.signal.aborted) await client.query('select 1')
      }
    } catch {
      // Also the end of the connection comes here, in the middle of a question.
    }
  }

  async function rest(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: closing.signal }).catch(() => {})
  }
}
