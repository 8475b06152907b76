// Processor time that PostgreSQL used, as Linux counts it.

import { asAdmin } from './admin.ts'
import { cpuOf } from './processes.ts'

/** Milliseconds of each backend of a database, by its process. The server must run on this machine. */
export async function cpuOfBackends(database: string): Promise<Map<number, number>> {
  const pids = await asAdmin(database, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    return rows.map(({ pid }) => pid)
  })
  return new Map(pids.map((pid) => [pid, cpuOf(pid)]))
}

/** CPU time of the backends since `before`; new backends start from zero. */
export async function cpuSince(database: string, before: ReadonlyMap<number, number>): Promise<number> {
  const now = await cpuOfBackends(database)
  return [...now].reduce((sum, [pid, used]) => sum + used - (before.get(pid) ?? 0), 0)
}
