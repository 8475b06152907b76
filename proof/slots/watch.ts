// Compares the number of running handlers, from their own log, with the counters.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startLoop } from '../../server/src/lib/loop.ts'
import { adminUrl, asAdmin } from '../lib/admin.ts'
import type { World } from '../lib/world.ts'
import type { SlotsLoadResult } from './load.ts'

const LOOK_MS = 200
/** One statement sees one moment: counters and rows change together, so any difference is a fault. */
const LOOK = `select s.used::int, s.waiting::int,
  (select count(*)::int from jobs j where j.tenant_id = s.tenant_id and j.place = 'admitted') as admitted,
  (select count(*)::int from jobs j where j.tenant_id = s.tenant_id and j.place in ('line', 'backoff')) as lined_up,
  (select count(*)::int from jobs j where j.tenant_id = s.tenant_id and j.place is not null) as live from tenant_slots s`

const MISCOUNTED = 'counters that differ from the jobs'

interface SlotsLook {
  used: number
  waiting: number
  admitted: number
  lined_up: number
  live: number
}

export interface SlotWatch {
  /** The counters were seen to be wrong. */
  readonly isMiscounted: boolean
  /** Until no job lives any more. Says how long that took; also answers when patience or hope is gone. */
  waitForEnd(patience_ms: number, isHopeless: () => boolean): Promise<number>
  /** Says what was seen that must not be, and how often. */
  stop(): Promise<{ samples: number; faults: ReadonlyMap<string, number> }>
}

export async function watchSlots(world: World, most: number): Promise<SlotWatch> {
  const client = new pg.Client({ connectionString: adminUrl(world.database.name) })
  await client.connect()
  const faults = new Map<string, number>()
  const now = { samples: 0, live: -1 }
  const note = (what: string): unknown => faults.set(what, (faults.get(what) ?? 0) + 1)
  const see = ({ used, waiting, admitted, lined_up }: SlotsLook): void => {
    const wrong = {
      [MISCOUNTED]: used !== admitted || waiting !== lined_up,
      'more slots held than there are': admitted > most,
    }
    for (const [what, isWrong] of Object.entries(wrong)) if (isWrong) note(what)
  }
  const look = async (): Promise<number> => {
    const { rows } = await client.query<SlotsLook>(LOOK)
    for (const row of rows) see(row)
    now.live = rows.reduce((sum, row) => sum + row.live, 0)
    now.samples++
    return LOOK_MS
  }
  // A look that fails has seen nothing, which must not pass for good.
  const looking = startLoop(look, (error) => note(String(error)))
  return {
    get isMiscounted() {
      return faults.has(MISCOUNTED)
    },
    async waitForEnd(patience_ms, isHopeless) {
      const began = Date.now()
      // Earlier samples are from a time when more jobs could be added.
      for (const enough = now.samples + 2; now.samples < enough; ) await sleep(LOOK_MS)
      while (now.live !== 0 && !isHopeless() && Date.now() < began + patience_ms) await sleep(LOOK_MS)
      return Date.now() - began
    },
    async stop() {
      await looking.stop()
      await client.end()
      return { samples: now.samples, faults }
    },
  }
}

interface SlotsNote {
  job_id: string
  attempt: number
  what: string
  pid: number
  at: number
}

interface OneRun {
  tenant: string
  from: number
  until: number
}

/**
 * The maximum number of concurrent runs of one tenant. A run lasts from the first line of its handler to the last one.
 * A killed handler cannot log its end: it lasts until its process was seen to be gone. A handler that still runs after
 * its job has begun elsewhere has lost its lease (its process sent no heartbeat for ten seconds): it can no longer
 * change anything and holds no slot, so its run ends there and is counted separately. Without kills and pauses there is
 * none.
 */
export async function countRuns(
  world: World,
  { jobs, exits }: SlotsLoadResult,
): Promise<{ runs: number; killed: number; zombies: number; peak: number }> {
  const notes = await asAdmin(world.database.name, async (client) => {
    const { rows } = await client.query<SlotsNote>(
      `select job_id, attempt, what, pid, extract(epoch from at)::float8 * 1000 as at from proof_runs where what in ('begin', 'end') order by id`,
    )
    return rows
  })
  const runs: OneRun[] = []
  let killed = 0
  let zombies = 0
  for (const [job, ofJob] of Map.groupBy(notes, ({ job_id }) => job_id)) {
    const begins = ofJob.filter(({ what }) => what === 'begin').toSorted((a, b) => a.at - b.at)
    for (const [i, begin] of begins.entries()) {
      const end = ofJob.find(
        ({ what, attempt, pid, at }) =>
          what === 'end' && attempt === begin.attempt && pid === begin.pid && at >= begin.at,
      )
      const next = begins[i + 1]?.at ?? Number.POSITIVE_INFINITY
      const own = end?.at ?? exits.get(begin.pid) ?? Number.POSITIVE_INFINITY
      if (!end) killed++
      if (next < own) zombies++
      runs.push({ tenant: jobs.get(job)!, from: begin.at, until: Math.min(own, next) })
    }
  }
  const peaks = [...Map.groupBy(runs, ({ tenant }) => tenant).values()].map(peakOf)
  return { runs: runs.length, killed, zombies, peak: Math.max(0, ...peaks) }
}

function peakOf(runs: readonly OneRun[]): number {
  const changes = runs.flatMap(({ from, until }) => [
    { at: from, by: 1 },
    { at: until, by: -1 },
  ])
  let count = 0
  let peak = 0
  for (const { by } of changes.toSorted((a, b) => a.at - b.at || a.by - b.by)) {
    count += by
    peak = Math.max(peak, count)
  }
  return peak
}

export interface End {
  total: number
  succeeded: number
  failed: number
  timed_out: number
  cancelled: number
  unfinished: number
  used: number
  waiting: number
  tickets: number
}

export const readEnd = (world: World): Promise<End> =>
  asAdmin(world.database.name, async (client) => {
    const { rows } = await client.query<End>(
      `select count(*)::int as total, count(*) filter (where status = 'succeeded')::int as succeeded, count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where error ->> 'code' = 'job_timeout')::int as timed_out, count(*) filter (where status = 'cancelled')::int as cancelled,
      count(*) filter (where place is not null)::int as unfinished, (select sum(used)::int from tenant_slots) as used,
      (select sum(waiting)::int from tenant_slots) as waiting, (select count(*)::int from pgboss.job) as tickets from jobs`,
    )
    return rows[0]!
  })
