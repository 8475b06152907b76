// Connections to the database, each opened once and shared by the checks.

import pg from 'pg'
import { lacking, type Settings } from './settings.ts'

const doorNames = ['DATABASE_URL', 'DATABASE_SYSTEM_URL', 'DATABASE_OWNER_URL'] as const
export type DoorName = (typeof doorNames)[number]

/** A pool that has answered once, or why it did not. null: there is no such address, or it is wrong. */
export type Door = { pool: pg.Pool } | { trouble: unknown } | null

export interface Doors {
  open(name: DoorName): Promise<Door>
  /** The first that opens: for what every role may look at. */
  any(): Promise<pg.Pool | null>
  close(): Promise<void>
}

export interface Patient extends Settings {
  doors: Doors
}

export const urlOf = ({ config }: Settings, name: DoorName): string =>
  ({
    DATABASE_URL: config.database_url,
    DATABASE_SYSTEM_URL: config.database_system_url,
    DATABASE_OWNER_URL: config.database_owner_url,
  })[name]

/** Longer than the server's own: a busy database is slow, not gone. */
const PATIENCE_MS = 8_000

export function openDoors(settings: Settings): Doors {
  const opened = new Map<DoorName, Promise<Door>>()
  const pools: pg.Pool[] = []

  async function knock(name: DoorName): Promise<Door> {
    const url = urlOf(settings, name)
    if (!url || lacking(settings, name)) return null
    try {
      const pool = new pg.Pool({
        connectionString: url,
        max: 3,
        connectionTimeoutMillis: PATIENCE_MS,
        query_timeout: PATIENCE_MS,
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

  function open(name: DoorName): Promise<Door> {
    const known = opened.get(name) ?? knock(name)
    opened.set(name, known)
    return known
  }

  return {
    open,
    async any() {
      for (const door of await Promise.all(doorNames.map(open))) if (door && 'pool' in door) return door.pool
      return null
    },
    async close() {
      await Promise.allSettled(opened.values())
      await Promise.allSettled(pools.map((pool) => pool.end()))
    },
  }
}
