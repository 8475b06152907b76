// Processor time that was used, as Linux counts it.

import { readFile } from 'node:fs/promises'
import { asAdmin } from './admin.ts'

/** How the kernel counts it for everybody (USER_HZ). */
const TICKS_A_SECOND = 100

/** Milliseconds of a process; 0 when it is gone. */
export async function cpuOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return 0
  // The name stands in parentheses and may have blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND
}

/** Milliseconds of each backend of a database, by its process. The server must run on this machine. */
export async function cpuOfBackends(database: string): Promise<Map<number, number>> {
  const pids = await asAdmin(database, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    return rows.map(({ pid }) => pid)
  })
  return new Map(await Promise.all(pids.map(async (pid) => [pid, await cpuOf(pid)] as const)))
}

/** What the backends used since then; one that came meanwhile began at nothing. */
export async function cpuSince(database: string, before: ReadonlyMap<number, number>): Promise<number> {
  const now = await cpuOfBackends(database)
  return [...now].reduce((sum, [pid, used]) => sum + used - (before.get(pid) ?? 0), 0)
}
