// Connections to the database, each opened once and shared by the checks.

import pg from 'pg'
import { lacking, type Settings } from './settings.ts'

const connectionNames = ['DATABASE_URL', 'DATABASE_SYSTEM_URL', 'DATABASE_OWNER_URL'] as const
export type ConnectionName = (typeof connectionNames)[number]

/** A pool that has answered once, or why it did not. null: there is no such address, or it is wrong. */
export type Connection = { pool: pg.Pool } | { trouble: unknown } | null

export interface Connections {
  open(name: ConnectionName): Promise<Connection>
  /** The first that opens: for what every role may look at. */
  any(): Promise<pg.Pool | null>
  close(): Promise<void>
}

export interface Installation extends Settings {
  connections: Connections
}

export const urlOf = ({ config }: Settings, name: ConnectionName): string =>
  ({
    DATABASE_URL: config.database_url,
    DATABASE_SYSTEM_URL: config.database_system_url,
    DATABASE_OWNER_URL: config.database_owner_url,
  })[name]

/** Longer than the server's own: a busy database is slow, not gone. */
const TIMEOUT_MS = 8_000

export function openConnections(settings: Settings): Connections {
  const opened = new Map<ConnectionName, Promise<Connection>>()
  const pools: pg.Pool[] = []

  async function connect(name: ConnectionName): Promise<Connection> {
    const url = urlOf(settings, name)
    if (!url || lacking(settings, name)) return null
    try {
      const pool = new pg.Pool({
        connectionString: url,
        max: 3,
        connectionTimeoutMillis: TIMEOUT_MS,
        query_timeout: TIMEOUT_MS,
      })
      // Without a listener a connection that breaks would end the process.
      pool.on('error', () => {})
      pools.push(pool)
      await pool.query('select 1')
      return { pool }
    } catch (trouble) {
      return { trouble }
    }
  }

  function open(name: ConnectionName): Promise<Connection> {
    const known = opened.get(name) ?? connect(name)
    opened.set(name, known)
    return known
  }

  return {
    open,
    async any() {
      for (const connection of await Promise.all(connectionNames.map(open)))
        if (connection && 'pool' in connection) return connection.pool
      return null
    },
    async close() {
      await Promise.allSettled(opened.values())
      await Promise.allSettled(pools.map((pool) => pool.end()))
    },
  }
}
