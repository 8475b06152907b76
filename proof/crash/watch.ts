// Looks from outside while the load runs: what one transaction keeps together must be together in every snapshot.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { asAdmin } from '../lib/admin.ts'
import { tally } from './ledger.ts'

const EVERY_MS = 250

// Slots are counted in the transaction that admits or ends a job; deliveries are given to the engine and taken from it in the same.
const TORN = `select
    (select count(*) from tenant_slots s
      where s.used <> (select count(*) from jobs j where j.tenant_id = s.tenant_id and j.place = 'admitted')) as slots,
    (select count(*) from jobs j where j.place = 'admitted'
      and not exists (select from pgboss.job b where b.id = j.ticket and b.state < 'completed')) as rows_without_ticket,
    (select count(*) from pgboss.job b where b.state < 'completed' and b.name ~ '-v[0-9]+$'
      and not exists (select from jobs j where j.place = 'admitted' and j.ticket = b.id)) as tickets_without_row`

export interface CrashTornWrite {
  slots: number
  rows_without_ticket: number
  tickets_without_row: number
}

export const readTorn = async (client: pg.Client): Promise<CrashTornWrite> => {
  const { rows } = await client.query<Record<keyof CrashTornWrite, string>>(TORN)
  const [row] = rows
  return {
    slots: Number(row!.slots),
    rows_without_ticket: Number(row!.rows_without_ticket),
    tickets_without_row: Number(row!.tickets_without_row),
  }
}

export interface Sightings {
  looks: number
  /** Looks that saw something torn apart, by what it was. */
  torn: Map<string, number>
}

/** While PostgreSQL is down there is nothing to see. */
export async function watch(database: string, seen: Sightings, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    await asAdmin(database, async (client) => {
      client.on('error', () => {})
      while (!end.aborted) {
        for (const [what, count] of Object.entries(await readTorn(client))) {
          if (count > 0) tally(seen.torn, what)
        }
        seen.looks++
        await sleep(EVERY_MS)
      }
    }).catch(() => sleep(EVERY_MS))
  }
  if (seen.looks === 0) throw new Error('the database could not be watched')
}
