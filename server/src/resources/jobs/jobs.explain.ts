import type { Needs } from '../../app.ts'
import { operator } from '../../lib/caller.ts'
import { findUuid, uuid } from '../../lib/ids.ts'
import { explain } from './jobs.explain.rules.ts'
import { readJob } from './jobs.service.ts'
import * as store from './jobs.store.ts'

interface ExplainRow {
  tenant_id: string
  tier: 'self_hosted'
  used: string
  waiting: string
  ticket: string | null
}
const FIND = `select j.tenant_id, t.tier, s.used, s.waiting, j.ticket from jobs j join tenants t on t.id = j.tenant_id
  join tenant_slots s on s.tenant_id = j.tenant_id where j.id = $1`

/** For the operator, who knows the job id but not the tenant. */
export async function explainJob(app: Needs<'db' | 'system' | 'jobs' | 'config'>, id: string): Promise<string[]> {
  if (!findUuid('job', id)) throw new Error(`'${id}' is not a job id.`)
  const { rows } = await app.system.query<ExplainRow>(FIND, [uuid(id)])
  const [found] = rows
  if (!found) throw new Error(`No job has the id '${id}'. Jobs are kept for 30 days after they end.`)
  const db = app.db.for({ ...operator(found.tenant_id, []), tier: found.tier })
  const [job, steps, deliveryStates] = await Promise.all([
    readJob(app, db, id),
    store.countSteps(db, id),
    app.jobs.engine.readStates(found.ticket ? [found.ticket] : []),
  ])
  const slots = {
    used: Number(found.used),
    waiting: Number(found.waiting),
    most: app.config.tiers[found.tier].running_jobs,
  }
  const deliveryState = found.ticket === null ? null : (deliveryStates.get(found.ticket) ?? 'unknown')
  return explain({ job, tier: found.tier, slots, steps, deliveryState, now: Date.now() })
}
