// A worker that is paused in the middle of a job for longer than its heartbeat, and resumes while another one runs the
// job.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { asAdmin } from '../lib/admin.ts'
import type { Random } from '../lib/random.ts'
import type { CrashKeptValue } from './kills.ts'
import type { Ledger } from './ledger.ts'
import { persist, type Sender } from './send.ts'
import { SLOW } from './triggers.ts'
import { newSlowWrite } from './writes.ts'

const LOOK_MS = 100
const FROZEN_MS = 30_000
const WORK_MS = 4_000
/** Enough for the sleeper to get one. */
const DOCUMENTS = 3
/** At most so many steps are done, so that the next worker has enough left to do. */
const MOST_STEPS = 3

const HELD = `select j.tenant_id, j.id from jobs j join proof_leases l on l.lease = j.lease join documents d on d.tenant_id = j.tenant_id and d.id = j.document_id
  where j.place = 'admitted' and j.status = 'running' and l.holder = $1 and d.title like '${SLOW}%'
  and (select count(*) from job_steps s where s.tenant_id = j.tenant_id and s.job_id = j.id) <= ${MOST_STEPS} limit 1`
const HOLDER =
  'select l.holder from jobs j join proof_leases l on l.lease = j.lease where j.tenant_id = $1 and j.id = $2'
interface CrashHeldJob {
  tenant_id: string
  id: string
}

export interface CrashSetup {
  database: string
  sleeper: CrashKeptValue
  sender: Sender
  ledger: Ledger
  random: Random
  pause_ms: number
}

export interface Zombies {
  freezes: number
  /** Freezes after which the job had another owner, still at work. */
  woken: number
}

/** Goes on until there were `most` zombies, or `end`. */
export async function makeZombies(bed: CrashSetup, most: number, seen: Zombies, end: AbortSignal): Promise<void> {
  const { sleeper, random, pause_ms } = bed
  for (let round = 1; seen.woken < most; round++) {
    await sleep(random.between(pause_ms / 4, pause_ms), null, { signal: end }).catch(() => {})
    if (end.aborted) return
    const giving = giveWork(bed, round)
    const job = await look(
      bed.database,
      WORK_MS,
      async (client) => (await client.query<CrashHeldJob>(HELD, [sleeper.name])).rows[0],
    )
    if (job === null) {
      await giving
      continue
    }
    const { name } = sleeper
    sleeper.signal('SIGSTOP')
    seen.freezes++
    const heir = await look(bed.database, FROZEN_MS, async (client) => {
      const holder = (await client.query<{ holder: string }>(HOLDER, [job.tenant_id, job.id])).rows[0]?.holder
      return holder === name ? undefined : holder
    })
    await sleep(random.between(0, 300))
    sleeper.signal('SIGCONT')
    if (heir !== null) seen.woken++
    await giving
  }
}

async function giveWork({ sender, ledger }: CrashSetup, round: number): Promise<void> {
  const writes = Array.from({ length: DOCUMENTS }, (_, i) => newSlowWrite(`${SLOW}${round}-${i}`))
  await Promise.all(
    writes.map(async (write) => {
      const ack = await persist(sender, write, 0)
      if (ack === null) ledger.unanswered.push(`${write.kind} ${write.marker}`)
      else if (ack.status < 300) ledger.add(write, sender.secret, ack)
      else ledger.refuse(write, ack)
    }),
  )
}

/** Until something is seen. While PostgreSQL is down there is nothing to see. */
async function look<T>(
  database: string,
  most_ms: number,
  find: (client: pg.Client) => Promise<T | undefined>,
): Promise<T | null> {
  const end = Date.now() + most_ms
  const lookFrom = async (client: pg.Client): Promise<T | null> => {
    client.on('error', () => {})
    for (; Date.now() < end; await sleep(LOOK_MS)) {
      const found = await find(client)
      if (found !== undefined) return found
    }
    return null
  }
  for (; Date.now() < end; await sleep(LOOK_MS)) {
    const found = await asAdmin(database, lookFrom).catch(() => null)
    if (found !== null) return found
  }
  return null
}
