import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Busy } from '@octavo/base/busy.ts'
import { sql } from '../db/statement.ts'
import { StorageUnavailable } from '../files/store.ts'
import { operator } from '../lib/caller.ts'
import { toId, uuid, uuidOf } from '../lib/ids.ts'
import { startApi } from '../testing/api.ts'
import { change, claim, type Errand, enqueue, errand, makeDue, readDelivery, settle, until } from '../testing/jobs.ts'
import { lineUpDue } from './reconciler.ts'
import { JobRun } from './run.ts'
import { type Claim, claimJobs } from './run-rows.ts'
import { JobFailure, type JobHandler, type Run } from './types.ts'

// No worker runs: the tests are the workers.
const { app, owner, owner_tenant, newKey, newTenant } = await startApi({ after }, {}, undefined, false)

const NOTE = sql(
  `update jobs set metadata = metadata || jsonb_build_object($4::text, 'yes') where tenant_id = $1 and id = $3`,
)
const runOf = (claimed: Claim, run: (run: Run<Errand>) => Promise<unknown>): JobRun => {
  const handler: JobHandler<Errand> = {
    type: errand,
    async run(given) {
      await run(given)
      return { status: 'succeeded' }
    },
  }
  return new JobRun(app.db, claimed, handler)
}
/** Runs it to its end and settles that. */
async function perform(claimed: Claim, run: (run: Run<Errand>) => Promise<unknown>): Promise<{ status: string }[]> {
  return settle(app, claimed, await runOf(claimed, run).finish(() => {}))
}
const stepsOf = async (id: string, tenant = owner_tenant): Promise<string[]> =>
  (
    await change<{ name: string }>(
      app,
      tenant,
      'select name from job_steps where tenant_id = $1 and job_id = $3 order by name',
      [uuid(id)],
    )
  ).map(({ name }) => name)

test('a finished step never runs again, and its result is available to the next worker', async () => {
  const id = await enqueue(app, owner_tenant, { name: 'steps' })
  const delivery = await readDelivery(app, owner_tenant, id)
  const did: string[] = []
  const work = async (run: Run<Errand>): Promise<void> => {
    const text = await run.step('read', async () => {
      did.push('read')
      return { text: 'Lease' }
    })
    const nothing = await run.step('nothing', async () => undefined)
    const length = await run.write('write', async () => {
      did.push('write')
      return text.text.length
    })
    assert.deepEqual([text, nothing, length], [{ text: 'Lease' }, undefined, 5])
    if (run.attempt === 1) await sleep(60_000, undefined, { signal: run.signal, ref: false })
  }
  const lost = runOf(await claim(app, delivery), work)
  const end = lost.finish(() => {})
  await until(async () => (await stepsOf(id)).length === 3)

  const settled = await perform(await claim(app, delivery), work)

  lost.stop('lost')
  await end
  assert.deepEqual([settled.map(({ status }) => status), did], [['succeeded'], ['read', 'write']])
  const { attempt, attempts } = await owner.jobs.get(id)
  assert.deepEqual([attempt, attempts.map(({ outcome }) => outcome)], [2, ['interrupted', 'succeeded']])
})

test('jobs that change while several workers claim them get one lease each', async () => {
  for (let round = 0; round < 10; round++) {
    const { tenant } = await newTenant()
    const caller = operator(uuidOf('ten', tenant), [])
    const ids = [await enqueue(app, tenant, { name: 'steps' }), await enqueue(app, tenant, { name: 'steps' })]
    const deliveries = await Promise.all(ids.map((id) => readDelivery(app, tenant, id)))
    const claims: Promise<Claim[]>[] = []

    await app.db.transaction(caller, async (tx) => {
      for (const id of ids) await tx.rows(NOTE, [uuid(id), 'changed'])
      for (let worker = 0; worker < 4; worker++)
        claims.push(app.db.transaction(caller, (other) => claimJobs(other, deliveries)))
      // The claims wait for the rows.
      await sleep(20)
    })

    const given = new Set((await Promise.all(claims)).flat().map(({ lease }) => lease))
    const held = await change<{ lease: string }>(app, tenant, 'select lease from jobs where tenant_id = $1')
    assert.deepEqual(
      held.map(({ lease }) => given.has(lease)),
      [true, true],
    )
  }
})

test('a write and its completion mark commit together', async () => {
  const id = await enqueue(app, owner_tenant, { name: 'write' })
  let fails = true

  const settled = await perform(await claim(app, await readDelivery(app, owner_tenant, id)), async (run) => {
    const write = () =>
      run.write('note', async (tx) => {
        tx.queue(NOTE, [uuid(id), 'noted'])
        if (fails) throw new JobFailure('document_unreadable', 'Half-way.')
      })
    await assert.rejects(write(), { message: 'Half-way.' })
    assert.deepEqual([(await owner.jobs.get(id)).metadata, await stepsOf(id)], [{}, []])
    fails = false
    await write()
  })

  assert.equal(settled[0]!.status, 'succeeded')
  assert.deepEqual([(await owner.jobs.get(id)).metadata, await stepsOf(id)], [{ noted: 'yes' }, ['note']])
})

test('a superseded run cannot write, step, report progress or end the job', async () => {
  const id = await enqueue(app, owner_tenant, { name: 'zombie' })
  const delivery = await readDelivery(app, owner_tenant, id)
  const first = await claim(app, delivery)
  const second = await claim(app, delivery)

  const refused = await perform(first, (run) => run.write('late', async (tx) => tx.queue(NOTE, [uuid(id), 'late'])))
  const step = await perform(first, (run) => run.step('late', async () => 1))
  const kept = await app.db.transaction(runOf(first, async () => {}).caller, (tx) =>
    app.jobs.tell(tx, first, { progress: { unit: 'pages', completed: 9, failed: 0, total: 9 }, stage: 'ocr' }),
  )
  const ended = await perform(first, async () => {})
  const before = await owner.jobs.get(id)
  await perform(second, async () => {})

  assert.deepEqual([refused, step, kept, ended], [[], [], undefined, []])
  assert.deepEqual([before.status, before.progress, before.metadata, await stepsOf(id)], ['running', null, {}, []])
  assert.equal((await owner.jobs.get(id)).status, 'succeeded')
})

test('a stopped run writes nothing more', async () => {
  const id = await enqueue(app, owner_tenant, { name: 'cancelled' })
  const claimed = await claim(app, await readDelivery(app, owner_tenant, id))
  await owner.jobs.update(id, { status: 'cancelled' })

  const settled = await perform(claimed, (run) => run.write('late', async (tx) => tx.queue(NOTE, [uuid(id), 'late'])))

  assert.deepEqual([settled[0]!.status, (await owner.jobs.get(id)).metadata], ['cancelled', {}])
})

test('a cancel during a failing run wins, and one after its end is too late', async () => {
  const [one, two] = [
    await enqueue(app, owner_tenant, { name: 'one' }),
    await enqueue(app, owner_tenant, { name: 'two' }),
  ]
  const claims = await Promise.all([one, two].map(async (id) => claim(app, await readDelivery(app, owner_tenant, id))))
  const failing = await runOf(claims[0]!, () => Promise.reject(new Error('once'))).finish(() => {})
  const good = await runOf(claims[1]!, async () => {}).finish(() => {})
  await owner.jobs.update(one, { status: 'cancelled' })
  await owner.jobs.update(two, { status: 'cancelled' })

  await settle(app, claims[0]!, failing)
  await settle(app, claims[1]!, good)

  assert.deepEqual([(await owner.jobs.get(one)).status, (await owner.jobs.get(two)).status], ['cancelled', 'succeeded'])
})

test('a handler that ignores its signal is abandoned after its deadline', { timeout: 20_000 }, async () => {
  const { tenant, client } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'deaf' }, { timeout_seconds: 10 })
  await change(app, tenant, 'update jobs set ran_ms = 9900 where tenant_id = $1 and id = $3', [uuid(id)])
  const began = performance.now()

  await perform(await claim(app, await readDelivery(app, tenant, id)), () => sleep(60_000, undefined, { ref: false }))

  assert.ok(performance.now() - began < 8_000)
  assert.deepEqual(
    [(await client.jobs.get(id)).status, (await client.jobs.get(id)).error?.code],
    ['failed', 'job_timeout'],
  )
})

test('a job that keeps losing workers at one step fails with a reason', async () => {
  const { tenant, client } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'deadly' })
  const delivery = await readDelivery(app, tenant, id)
  for (let lost = 0; lost < 10; lost++) await claim(app, delivery)
  let hasRun = false

  await perform(await claim(app, delivery), async () => {
    hasRun = true
  })

  const job = await client.jobs.get(id)
  assert.deepEqual([job.status, job.error?.code, hasRun], ['failed', 'internal_error', false])
  assert.match(job.error!.message, /died 10 times/)
  assert.deepEqual(
    job.attempts.map(({ outcome }) => outcome),
    [...Array<string>(10).fill('interrupted'), 'failed'],
  )
})

test('a finished step resets the count of lost workers', async () => {
  const { tenant, client } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'slow' })
  const delivery = await readDelivery(app, tenant, id)
  for (let lost = 0; lost < 14; lost++) {
    const one = runOf(await claim(app, delivery), async (run) => {
      if (lost === 6) await run.step('progress', async () => 1)
      throw new Error('its worker is lost here')
    })
    await one.finish(() => {})
  }

  await perform(await claim(app, delivery), async () => {})

  assert.equal((await client.jobs.get(id)).status, 'succeeded')
})

test('a run yields only after finishing a step, so that every run makes progress', async () => {
  const { tenant, client } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'long' })
  const did: string[] = []
  for (let round = 0; round < 3; round++) {
    const claimed = await claim(app, await readDelivery(app, tenant, id))
    const one = runOf(claimed, async (run) => {
      for (const name of ['first', 'second', 'third']) await run.step(name, async () => void did.push(name))
    })
    one.mustGiveWay = true
    await settle(app, claimed, await one.finish(() => {}))
  }

  assert.deepEqual([did, (await client.jobs.get(id)).status], [['first', 'second', 'third'], 'succeeded'])
})

test('a run that yields is queued again without counting as an attempt', async () => {
  const { tenant, client } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'long' })
  const claimed = await claim(app, await readDelivery(app, tenant, id))
  const did: string[] = []
  const work = async (run: Run<Errand>): Promise<void> => {
    await run.step('first', async () => void did.push('first'))
    await run.step('second', async () => void did.push('second'))
  }
  const one = runOf(claimed, async (run) => {
    await run.step('first', async () => void did.push('first'))
    one.mustGiveWay = true
    await work(run)
  })
  await settle(app, claimed, await one.finish(() => {}))
  const between = await client.jobs.get(id)

  await perform(await claim(app, await readDelivery(app, tenant, id)), work)

  assert.deepEqual([between.status, between.attempt, between.attempts], ['queued', 0, []])
  const job = await client.jobs.get(id)
  assert.deepEqual([job.status, job.attempt, did], ['succeeded', 1, ['first', 'second']])
})

test('waits for unavailable storage without counting a failure or a lost worker', async () => {
  const { tenant, client } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'away' })
  const waits: number[] = []
  for (let round = 0; round < 12; round++) {
    const claimed = await claim(app, await readDelivery(app, tenant, id))
    const settlement = await runOf(claimed, async () => {
      throw new StorageUnavailable('away')
    }).finish(() => {})
    waits.push(settlement.wait_ms!)
    await settle(app, claimed, settlement)
    await makeDue(app, tenant, id)
    await lineUpDue(app)
  }

  await perform(await claim(app, await readDelivery(app, tenant, id)), async () => {})

  const { status, attempts } = await client.jobs.get(id)
  assert.deepEqual(
    [status, new Set(attempts.slice(0, -1).map(({ outcome }) => outcome))],
    ['succeeded', new Set(['interrupted'])],
  )
  assert.ok(waits[0]! < 2_500 && waits.at(-1)! >= 24_000 && waits.at(-1)! <= 36_000)
})

test('waits for the database after a failover or with a full disk without counting a failure', async () => {
  const { tenant, client } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'standby' })
  const codes = ['25006', '53100', '57P01', '58030']
  for (const code of codes) {
    await perform(await claim(app, await readDelivery(app, tenant, id)), async () => {
      throw Object.assign(new Error('The database cannot write.'), { code })
    })
    await makeDue(app, tenant, id)
    await lineUpDue(app)
  }

  await perform(await claim(app, await readDelivery(app, tenant, id)), async () => {})

  const { status, attempts } = await client.jobs.get(id)
  assert.deepEqual(
    [status, attempts.slice(0, -1).map(({ outcome }) => outcome)],
    ['succeeded', codes.map(() => 'interrupted')],
  )
})

test('waits for a busy machine without counting a failure, but not forever', async () => {
  const { tenant, client } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'busy' })
  // Canceled by statement_timeout, lock_timeout or a deadlock, and a host without a route.
  const codes = ['57014', '55P03', '40P01', 'EHOSTUNREACH', ...Array<string>(7).fill('57014')]
  const errors = codes.map((code) => Object.assign(new Error('The database is busy.'), { code }))
  for (const error of [new Busy('The parser did not start in time'), ...errors]) {
    await perform(await claim(app, await readDelivery(app, tenant, id)), async () => {
      throw error
    })
    await makeDue(app, tenant, id)
    await lineUpDue(app)
  }

  const { status, attempts, error } = await client.jobs.get(id)
  assert.deepEqual(
    [status, error?.code, attempts.map(({ outcome }) => outcome)],
    ['failed', 'internal_error', [...Array<string>(9).fill('interrupted'), 'failed', 'failed', 'failed']],
  )
})

const EVERY_PROJECT = sql('select id::text as uuid from projects where tenant_id is not null order by id')
const VISIBLE = sql(
  'select id::text as uuid from projects where tenant_id = $1 and ($2::uuid[] is null or id = any($2)) order by id',
)
type Visible = { uuid: string }[]

/** The projects that the job's run sees: without a condition in the statement, with one, and in a transaction. */
async function projectsOfRun(tenant: string, id: string): Promise<Visible[]> {
  const seen: Visible[] = []
  const settled = await perform(await claim(app, await readDelivery(app, tenant, id)), async (run) => {
    seen.push(await run.db.rows(EVERY_PROJECT), await run.db.rows(VISIBLE))
    seen.push(await run.write('look', (tx) => tx.rows<Visible[number]>(EVERY_PROJECT)))
  })
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['succeeded'],
  )
  assert.equal(seen.length, 3)
  return seen
}

test('a job sees the projects of the key that created it, even after the key is revoked', async () => {
  const { tenant, client } = await newTenant()
  const mine = await client.projects.create({ name: 'Mine' })
  await client.projects.create({ name: 'Other' })
  const key = await newKey(tenant, { project_ids: [mine.id] })
  const source = { type: 'text', text: 'Lease' } as const
  const { latest_job_id } = await key.client.documents.create(
    { title: 'In', project_id: mine.id, source },
    { wait_seconds: 0 },
  )
  await client.apiKeys.remove(key.id)

  const seen = await projectsOfRun(tenant, latest_job_id!)

  assert.deepEqual(
    seen,
    seen.map(() => [{ uuid: uuid(mine.id) }]),
  )
})

test('a job of a whole-tenant key sees all projects, including later ones', async () => {
  const { tenant, client } = await newTenant()
  const first = await client.projects.create({ name: 'First' })
  const source = { type: 'text', text: 'Lease' } as const
  const { latest_job_id } = await client.documents.create(
    { title: 'In', project_id: first.id, source },
    { wait_seconds: 0 },
  )
  const second = await client.projects.create({ name: 'Second' })

  const seen = await projectsOfRun(tenant, latest_job_id!)

  assert.deepEqual(
    seen,
    seen.map(() => [{ uuid: uuid(first.id) }, { uuid: uuid(second.id) }]),
  )
})

test('purges a document deleted by a project key even if its project is gone', async () => {
  const { tenant, client } = await newTenant()
  const project = await client.projects.create({ name: 'Mine' })
  const key = await newKey(tenant, { project_ids: [project.id] })
  const { id } = await key.client.documents.create({ title: 'In', project_id: project.id })
  await key.client.documents.remove(id)
  await client.projects.remove(project.id)
  const [job] = await change<{ id: string }>(
    app,
    tenant,
    `select id::text from jobs where tenant_id = $1 and type = 'purge'`,
  )
  const claimed = await claim(app, await readDelivery(app, tenant, toId('job', job!.id)))

  await settle(app, claimed, await new JobRun(app.db, claimed, app.jobs.handlerOf(claimed.job)!).finish(() => {}))

  assert.deepEqual(await change(app, tenant, 'select id from documents where tenant_id = $1'), [])
})
