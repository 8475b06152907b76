// A queued job has ended when the answer to its cancel comes: the row, the slot, the engine's delivery and the event.

import { findUuid } from '../../server/src/lib/ids.ts'
import { asAdmin } from '../lib/admin.ts'
import { parse } from '../lib/call.ts'
import { type Part, quantile, round } from '../lib/proof.ts'
import { enqueueScripts } from '../lib/scripts.ts'
import { ask, type CancelScene } from './scene.ts'

const JOBS = { short: 60, normal: 200, long: 1_000 }

const TICKET = 'select ticket, place from jobs where id = $1'
const LOOK = `select status, place, finished_at is not null as is_finished,
  (select count(*)::int from pgboss.job where id = $2) as tickets,
  (select count(*)::int from events e where e.subject_id = j.id and e.type = 'job.cancelled') as ends,
  s.used::int, s.waiting::int, (select count(*)::int from jobs where place = 'admitted') as admitted,
  (select count(*)::int from jobs where place in ('line', 'backoff')) as in_line,
  (select count(*)::int from pgboss.job) as all_tickets from jobs j join tenant_slots s using (tenant_id) where j.id = $1`
interface CancelLook {
  status: string
  place: string | null
  is_finished: boolean
  tickets: number
  ends: number
  used: number
  waiting: number
  admitted: number
  in_line: number
  all_tickets: number
}

/** Runs without a worker, so that the answer alone must leave everything consistent. */
export async function cancelQueued(scene: CancelScene): Promise<Part> {
  const { world, tenant, random, run } = scene
  const ids = await enqueueScripts(world, tenant, { steps: 1, step_ms: 0 }, { count: JOBS[run.length] })
  const findings: string[] = []
  const took: number[] = []
  let admitted = 0
  await asAdmin(world.database.name, async (client) => {
    for (const id of random.shuffle(ids)) {
      const uuid = findUuid('job', id)!
      const { rows: before } = await client.query<{ ticket: string | null; place: string }>(TICKET, [uuid])
      if (before[0]!.place === 'admitted') admitted++
      const sent = performance.now()
      const answer = await ask(scene, 'cancel', id)
      took.push(performance.now() - sent)
      const { rows } = await client.query<CancelLook>(LOOK, [uuid, before[0]!.ticket])
      const wrong = wrongIn(answer.status, parse<CancelShownRow>(answer), rows[0]!)
      if (wrong) findings.push(`${id} (${before[0]!.place}): ${wrong}`)
    }
  })
  const figure = `${ids.length} queued jobs (${admitted} held a slot) ended in the answer, p99 ${round(quantile(took, 0.99), 0)} ms`
  return { figure, findings }
}

interface CancelShownRow {
  status: string
  is_terminal: boolean
  finished_at: string | null
}

function wrongIn(status: number, shown: CancelShownRow, look: CancelLook): string | null {
  if (status !== 200) return `answered ${status}`
  if (shown.status !== 'cancelled' || !shown.is_terminal || shown.finished_at === null)
    return `the answer says ${shown.status}`
  if (look.status !== 'cancelled' || look.place !== null || !look.is_finished) return `the row says ${look.status}`
  if (look.tickets !== 0) return 'the engine still holds its ticket'
  if (look.ends !== 1) return `${look.ends} events tell of its end`
  if (look.used !== look.admitted || look.waiting !== look.in_line)
    return `${look.used} slots are counted and ${look.admitted} held, ${look.waiting} counted in line and ${look.in_line} there`
  return look.all_tickets === look.admitted ? null : `${look.all_tickets} tickets for ${look.admitted} admitted jobs`
}
