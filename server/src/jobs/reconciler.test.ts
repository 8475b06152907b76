import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uuid, uuidOf } from '../lib/ids.ts'
import { startApi } from '../testing/api.ts'
import { change, claim, enqueue, readDelivery, TestScript, textSource } from '../testing/jobs.ts'
import { startWorker } from '../worker.ts'
import { reconcile } from './reconciler.ts'
import { JobFailure } from './types.ts'

// No worker runs, and the tests create the faults by hand.
const lines: string[] = []
const { app, newTenant } = await startApi({ after }, { LOG_LEVEL: 'warn' }, (line) => lines.push(line), false)
const OLD = `admitted_at = now() - interval '10 s'`

async function repairs(): Promise<Record<string, number>> {
  const { values } = await app.metrics.job_repairs.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.kind), value]))
}
/** One round repairs and counts it, the next finds nothing. */
async function assertMendedOnce(kind: string): Promise<void> {
  const before = (await repairs())[kind] ?? 0
  lines.length = 0

  assert.equal(await reconcile(app), 1)
  assert.equal(await reconcile(app), 0)

  assert.equal((await repairs())[kind], before + 1)
  assert.equal(lines.filter((line) => line.includes(`"kind":"${kind}"`)).length, 1, lines.join('\n'))
}
interface ReconcilerSlots {
  used: number
  waiting: number
}
const slotsOf = async (tenant: string): Promise<ReconcilerSlots> =>
  (await change<ReconcilerSlots>(app, tenant, 'select used, waiting from tenant_slots where tenant_id = $1'))[0]!
const readDeliveryStates = async (id: string) => [...(await app.jobs.engine.readStates([id])).values()]

test('releases slots that no job holds', async () => {
  const { tenant, client } = await newTenant('free')
  await change(app, tenant, 'update tenant_slots set used = 2 where tenant_id = $1')
  const id = await enqueue(app, tenant, { name: 'waits for nothing' })
  assert.equal((await client.jobs.get(id)).waiting_reason, 'tenant_concurrency')

  await assertMendedOnce('slots_miscounted')

  assert.deepEqual(await slotsOf(tenant), { used: 1, waiting: 0 })
  assert.equal((await client.jobs.get(id)).waiting_reason, 'queue')
})

test('admits a queued job that was never admitted', async () => {
  const { tenant, client } = await newTenant('free')
  const id = await enqueue(app, tenant, { name: 'forgotten' })
  const delivery = await readDelivery(app, tenant, id)
  await app.system.query('delete from pgboss.job where id = $1', [delivery.id])
  await change(app, tenant, `update jobs set place = 'line', ticket = null where tenant_id = $1 and id = $3`, [
    uuid(id),
  ])
  await change(app, tenant, 'update tenant_slots set used = 0, waiting = 1 where tenant_id = $1')

  await assertMendedOnce('not_admitted')

  assert.equal((await client.jobs.get(id)).waiting_reason, 'queue')
  assert.deepEqual(await readDeliveryStates((await readDelivery(app, tenant, id)).id), ['waiting'])
})

test('an admitted job that the engine does not know gets a new delivery', async () => {
  const { tenant } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'unknown' })
  const delivery = await readDelivery(app, tenant, id)
  await app.system.query('delete from pgboss.job where id = $1', [delivery.id])
  await change(app, tenant, `update jobs set ${OLD} where tenant_id = $1 and id = $3`, [uuid(id)])

  await assertMendedOnce('engine_unknown')

  const next = await readDelivery(app, tenant, id)
  assert.notEqual(next.id, delivery.id)
  assert.deepEqual([await readDeliveryStates(next.id), await slotsOf(tenant)], [['waiting'], { used: 1, waiting: 0 }])
})

test('requeues a running job that the engine does not know, and its old run has no effect', async () => {
  const { tenant, client } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'running' })
  const delivery = await readDelivery(app, tenant, id)
  const claimed = await claim(app, delivery)
  await app.system.query('delete from pgboss.job where id = $1', [delivery.id])
  await change(app, tenant, `update jobs set ${OLD} where tenant_id = $1 and id = $3`, [uuid(id)])

  await assertMendedOnce('running_unknown')

  const job = await client.jobs.get(id)
  assert.deepEqual([job.status, job.attempts.map(({ outcome }) => outcome)], ['queued', ['interrupted']])
  const [left] = await change<{ lease: string | null }>(
    app,
    tenant,
    'select lease from jobs where tenant_id = $1 and id = $3',
    [uuid(id)],
  )
  assert.notEqual(left!.lease, claimed.lease)
})

test('a running job without a heartbeat moves to another worker', async () => {
  const { tenant, client } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'silent' })
  const delivery = await readDelivery(app, tenant, id)
  await claim(app, delivery)
  await app.system.query(
    `update pgboss.job set state = 'active', heartbeat_on = now() - interval '1 min' where id = $1`,
    [delivery.id],
  )
  await change(app, tenant, `update jobs set ${OLD} where tenant_id = $1 and id = $3`, [uuid(id)])

  await assertMendedOnce('no_heartbeat')

  assert.deepEqual([(await client.jobs.get(id)).status, await readDeliveryStates(delivery.id)], ['queued', []])
})

test('ends a batch whose items have all ended', async () => {
  const { tenant, client } = await newTenant()
  const { id } = await client.jobs.create({ type: 'documents', inputs: [{ title: 'One' }] })
  const delivery = await readDelivery(app, tenant, id)
  await app.system.query('delete from pgboss.job where id = $1', [delivery.id])
  const values = [uuidOf('job', id)]
  await change(
    app,
    tenant,
    `update jobs set status = 'running', place = 'items', ticket = null, items_done = 1 where tenant_id = $1 and id = $3`,
    values,
  )
  await change(app, tenant, 'update tenant_slots set used = 0 where tenant_id = $1')

  await assertMendedOnce('batch_unended')

  assert.equal((await client.jobs.get(id)).status, 'succeeded')
})

test('repairs nothing in a healthy system under load', async (t) => {
  const healthy = await startApi(t, {}, undefined, false)
  const script = new TestScript(healthy.app)
  script.on('fails', () => Promise.reject(new JobFailure('document_unreadable', 'It cannot be read.')))
  const worker = await startWorker(healthy.app, script.handlers)
  const { client } = await healthy.newTenant('free')
  const ids: string[] = []
  for (let i = 0; i < 24; i++) {
    const { latest_job_id } = await client.documents.create({
      title: 'Lease',
      source: textSource(i % 5 === 0 ? 'fails' : `Lease ${i}`),
    })
    ids.push(latest_job_id!)
    if (i % 4 === 0) await client.jobs.update(latest_job_id!, { status: 'cancelled' }).catch(() => {})
    if (i % 6 === 0) await reconcile(healthy.app)
  }
  for (const id of ids) await client.jobs.wait(id)

  assert.equal(await reconcile(healthy.app), 0)
  assert.deepEqual((await healthy.app.metrics.job_repairs.get()).values, [])
  await worker.stop()
})

test('metrics show how many jobs wait, where, and the age of the oldest', async () => {
  const { tenant } = await newTenant('free')
  for (let i = 0; i < 3; i++) await enqueue(app, tenant, { name: 'counted' })
  await change(app, tenant, `update jobs set queued_at = now() - interval '1 hour' where tenant_id = $1`)

  await reconcile(app)

  const { values } = await app.metrics.job_depth.get()
  const waiting = values.find(({ labels }) => labels.type === 'purge' && labels.place === 'line')
  assert.equal(waiting?.value, 1)
  const ages = new Map((await app.metrics.job_oldest.get()).values.map(({ labels, value }) => [labels.tier, value]))
  const oldest = ages.get('free') ?? 0
  assert.ok(oldest >= 3_600 && oldest < 3_700, String(oldest))
  assert.equal(ages.get('enterprise'), 0)
})
