// Random lives of jobs, against a model that fits on one page. The test plays the workers; everything else is real.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type JobStatus, priorities } from '@octavo/contract'
import fc from 'fast-check'
import type { Tx } from '../db/database.ts'
import { operator } from '../lib/caller.ts'
import { Failure } from '../lib/failure.ts'
import { toId, uuidOf } from '../lib/ids.ts'
import { removeJob, updateJob } from '../resources/jobs/jobs.service.ts'
import { startApi } from '../testing/api.ts'
import { change, claim, type Errand, enqueue, errand, makeDue, readDelivery, settle } from '../testing/jobs.ts'
import { lineUpDue, reconcile } from './reconciler.ts'
import { JobRun } from './run.ts'
import type { Claim } from './run-rows.ts'
import { JobFailure, type JobHandler, type Run } from './types.ts'

const SLOTS = 2
const { app, newTenant } = await startApi({ after }, { TIER_FREE: `running_jobs:${SLOTS}` }, undefined, false)

interface ModelJob {
  id: string
  status: JobStatus
  place: 'line' | 'admitted' | 'backoff' | null
  priority: number
  is_cancel_requested: boolean
  failures: number
  /** How often it has ended. */
  ends: number
}
interface JobModel {
  jobs: ModelJob[]
}
interface Real {
  tenant: string
  claims: Map<string, Claim>
  zombies: Claim[]
}

const isLive = ({ place }: ModelJob): boolean => place !== null
const isRunning = ({ status }: ModelJob): boolean => status === 'running'

/** Free slots go to those in line: by priority, then by age. */
function fill({ jobs }: JobModel): void {
  const line = jobs
    .filter(({ place }) => place === 'line')
    .toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1))
  const free = SLOTS - jobs.filter(({ place }) => place === 'admitted').length
  for (const job of line.slice(0, Math.max(0, free))) job.place = 'admitted'
}
function end(job: ModelJob, status: JobStatus): void {
  Object.assign(job, { status, place: null, ends: job.ends + 1 })
}

const inTenant = <T>({ tenant }: Real, work: (tx: Tx) => Promise<T>): Promise<T> =>
  app.db.transaction(operator(uuidOf('ten', tenant), []), work)

/** Returns whether the request succeeded. It must be refused in exactly the states that forbid it. */
async function isTaken(request: Promise<unknown>): Promise<boolean> {
  try {
    await request
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_state') return false
    throw error
  }
}

async function check({ jobs }: JobModel, { tenant }: Real): Promise<void> {
  const rows = await change<ModelJob & { ticket: string | null; last_seq: number; is_told: boolean; ends: number }>(
    app,
    tenant,
    `select j.id, j.status, j.place, j.priority, j.cancel_requested_at is not null as is_cancel_requested, j.failures, j.ticket, j.last_seq,
      (select array_agg(e.seq order by e.seq) = (select array_agg(n) from generate_series(1, j.last_seq) n) from events e
        where e.tenant_id = $1 and e.subject_id = j.id) as is_told,
      (select count(*) from events e where e.tenant_id = $1 and e.subject_id = j.id
        and e.type in ('job.succeeded', 'job.failed', 'job.cancelled', 'job.partially_succeeded')) as ends
    from jobs j where j.tenant_id = $1 order by j.id`,
  )
  const seen = rows.map(({ ticket: _, last_seq: __, is_told: ___, ...row }) => ({ ...row, id: toId('job', row.id) }))
  assert.deepEqual(seen, jobs)
  for (const row of rows) assert.ok(row.is_told, `the events of ${row.id} are not 1 to ${row.last_seq}`)

  const [slots] = await change<{ used: number; waiting: number }>(
    app,
    tenant,
    'select used, waiting from tenant_slots where tenant_id = $1',
  )
  const admitted = rows.filter(({ place }) => place === 'admitted')
  const waiting = rows.filter(({ place }) => place === 'line' || place === 'backoff').length
  assert.deepEqual({ ...slots }, { used: admitted.length, waiting })
  assert.ok(admitted.length <= SLOTS)

  const { rows: deliveries } = await app.system.query<{ id: string }>(
    `select id from pgboss.job where data ->> 'tenant' = $1 order by id`,
    [uuidOf('ten', tenant)],
  )
  assert.deepEqual(
    deliveries.map(({ id }) => id),
    admitted.map(({ ticket: delivery }) => delivery!).toSorted((a, b) => (a < b ? -1 : 1)),
  )
}

type Command = fc.AsyncCommand<JobModel, Real>
/** Does something to one of the jobs that it can be done to. */
function command(
  name: string,
  fits: (job: ModelJob) => boolean,
  act: (job: ModelJob, real: Real, model: JobModel) => Promise<unknown>,
) {
  return fc.nat(99).map(
    (pick): Command => ({
      check: ({ jobs }) => jobs.some(fits),
      async run(model, real) {
        const able = model.jobs.filter(fits)
        await act(able[pick % able.length]!, real, model)
        fill(model)
        await check(model, real)
      },
      toString: () => `${name}(${pick})`,
    }),
  )
}

const create = fc.constantFrom(0, 1, 2).map(
  (priority): Command => ({
    check: () => true,
    async run(model, real) {
      const id = await enqueue(app, real.tenant, { name: '' }, { priority: priorities[priority] })
      model.jobs.push({
        id,
        status: 'queued',
        place: 'line',
        priority,
        is_cancel_requested: false,
        failures: 0,
        ends: 0,
      })
      fill(model)
      await check(model, real)
    },
    toString: () => `create(${priority})`,
  }),
)

const any = (): boolean => true
const cancel = command('cancel', any, async (job, real) => {
  const taken = await isTaken(inTenant(real, (tx) => updateJob(app, tx, job.id, { status: 'cancelled' })))
  // Repeated, it has what it wants.
  assert.equal(taken, isLive(job) || job.status === 'cancelled')
  if (isRunning(job)) job.is_cancel_requested = true
  if (job.status === 'queued') end(job, 'cancelled')
})
const again = command('again', any, async (job, real) => {
  const taken = await isTaken(inTenant(real, (tx) => updateJob(app, tx, job.id, { status: 'queued' })))
  assert.equal(taken, job.status === 'failed' || job.status === 'cancelled')
  if (taken) Object.assign(job, { status: 'queued', place: 'line', failures: 0, is_cancel_requested: false })
})
const prioritise = (priority: 0 | 1 | 2) =>
  command(`priority ${priority}`, any, async (job, real) => {
    const taken = await isTaken(inTenant(real, (tx) => updateJob(app, tx, job.id, { priority: priorities[priority] })))
    assert.equal(taken, isLive(job) || job.priority === priority)
    if (taken) job.priority = priority
  })
const remove = command('delete', any, async (job, real, model) => {
  const taken = await isTaken(inTenant(real, (tx) => removeJob(app, tx, job.id)))
  assert.equal(taken, !isLive(job))
  if (taken) model.jobs = model.jobs.filter((one) => one !== job)
})
const take = command(
  'take',
  ({ status, place }) => status === 'queued' && place === 'admitted',
  async (job, real) => {
    real.claims.set(job.id, await claim(app, await readDelivery(app, real.tenant, job.id)))
    job.status = 'running'
  },
)
const crash = command('crash', isRunning, async (job, real) => {
  real.zombies.push(real.claims.get(job.id)!)
  real.claims.set(job.id, await claim(app, await readDelivery(app, real.tenant, job.id)))
})
/** As the reconciler does it: the worker is lost, and the job is queued again. */
const recover = command(
  'recover',
  ({ place }) => place === 'admitted',
  async (job, real) => {
    const delivery = await readDelivery(app, real.tenant, job.id)
    assert.equal(await inTenant(real, (tx) => app.jobs.recover(tx, delivery)), true)
    assert.equal(await inTenant(real, (tx) => app.jobs.recover(tx, delivery)), false)
    if (isRunning(job)) real.zombies.push(real.claims.get(job.id)!)
    Object.assign(job, { status: 'queued', place: 'line' })
  },
)
const due = command(
  'due',
  ({ place }) => place === 'backoff',
  async (job, real) => {
    await makeDue(app, real.tenant, job.id)
    await lineUpDue(app)
    job.place = 'line'
  },
)

async function settleAs(
  claimed: Claim,
  run: (run: Run<Errand>) => Promise<void>,
  stop?: 'timeout' | 'shutdown',
): Promise<number> {
  const handler = { type: errand, run: (given: Run<Errand>) => run(given).then(() => ({ status: 'succeeded' })) }
  const one = new JobRun(app.db, claimed, handler as unknown as JobHandler)
  if (stop) one.stop(stop)
  return (await settle(app, claimed, await one.finish(() => {}))).length
}
const finish = command('finish', isRunning, async (job, real) => {
  const claimed = real.claims.get(job.id)!
  assert.equal(await settleAs(claimed, async () => {}), 1)
  end(job, 'succeeded')
})
const fail = command('fail', isRunning, async (job, real) => {
  const claimed = real.claims.get(job.id)!
  const wasTold = claimed.job.is_cancel_requested
  await settleAs(claimed, () => Promise.reject(new JobFailure('source_unavailable', 'Later.', { is_final: false })))
  if (wasTold) return end(job, 'cancelled')
  job.failures++
  if (job.failures === 3) end(job, 'failed')
  else if (job.is_cancel_requested) end(job, 'cancelled')
  else Object.assign(job, { status: 'queued', place: 'backoff' })
})
const time_out = command('time out', isRunning, async (job, real) => {
  await settleAs(real.claims.get(job.id)!, async ({ signal }) => signal.throwIfAborted(), 'timeout')
  end(job, 'failed')
})
const shut_down = command('shut down', isRunning, async (job, real) => {
  await settleAs(real.claims.get(job.id)!, async ({ signal }) => signal.throwIfAborted(), 'shutdown')
  if (job.is_cancel_requested) end(job, 'cancelled')
  else Object.assign(job, { status: 'queued', place: 'line' })
})
/** A run that was lost wakes up and says that it is done. */
const wake: fc.Arbitrary<Command> = fc.constant({
  check: () => true,
  async run(model: JobModel, real: Real) {
    for (const zombie of real.zombies.splice(0)) assert.equal(await settleAs(zombie, async () => {}), 0)
    await check(model, real)
  },
  toString: () => 'wake',
})

test('jobs, slots, deliveries and events agree with the model after any sequence of commands', async (t) => {
  const all = [
    create,
    create,
    take,
    take,
    finish,
    fail,
    cancel,
    again,
    crash,
    recover,
    due,
    shut_down,
    time_out,
    remove,
    wake,
  ]
  const commands = fc.commands<JobModel, Real, false>([...all, prioritise(0), prioritise(2)] as never[], {
    maxCommands: 60,
    size: '+2',
  })
  let count = 0
  await fc.assert(
    fc.asyncProperty(commands, async (lives) => {
      const { tenant } = await newTenant('free')
      const real: Real = { tenant, claims: new Map(), zombies: [] }
      await fc.asyncModelRun(() => ({ model: { jobs: [] }, real }), lives as never)
      count += [...lives].length
    }),
    { numRuns: 100, plugins: [fc.interruptAfterTimeLimit(15_000)] },
  )
  t.diagnostic(`${count} commands`)

  assert.equal(await reconcile(app), 0)
  assert.ok(count > 300, `only ${count} commands`)
})
