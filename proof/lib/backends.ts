// The processes of PostgreSQL that serve one side of a comparison.

import type pg from 'pg'

/** The `application_name` by which connections of a bare side differ from Octavo's in the same database. */
export const BARE_NAME = 'bare'

export interface Connections {
  database: string
  /** Those with BARE_NAME, or all others. */
  is_bare: boolean
}

/** The backends of these connections. The server must run on this machine. */
export async function backendsOf(admin: pg.Client, { database, is_bare }: Connections): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend'
      and pid <> pg_backend_pid() and (application_name = $2) = $3`,
    [database, BARE_NAME, is_bare],
  )
  return rows.map(({ pid }) => pid)
}
