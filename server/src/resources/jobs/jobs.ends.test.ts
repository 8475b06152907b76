import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, Octavo } from '@octavo/sdk'
import { startApi } from '../../testing/api.ts'
import { ask, failed } from '../../testing/ask.ts'
import { change, claim, enqueue, readDelivery, until } from '../../testing/jobs.ts'

// Batches make their items, and the items wait.
const { app, newTenant, newKey, url } = await startApi({ after }, { WORKER_TYPES: 'ingestion:0' })

const source = { type: 'text', text: 'Rent: 1,200' } as const

async function waitingBatch(client: Octavo, count: number): Promise<{ batch: Job; items: Job[] }> {
  const inputs = Array.from({ length: count }, (_, i) => ({ title: `Lease ${i}`, source }))
  const { id } = await client.jobs.create({ type: 'documents', inputs }, { wait_seconds: 0 })
  await until(async () => (await client.jobs.get(id)).waiting_reason === 'dependency', 'the batch waits for its items')
  return { batch: await client.jobs.get(id), items: (await client.jobs.list({ parent_job_id: id })).data }
}

test('cancelling the last item of a batch ends the batch', async () => {
  const { client } = await newTenant()
  const { batch, items } = await waitingBatch(client, 2)

  for (const { id } of items) assert.equal((await client.jobs.update(id, { status: 'cancelled' })).status, 'cancelled')

  const ended = await client.jobs.get(batch.id)
  assert.deepEqual([ended.status, ended.error?.code, ended.progress?.failed], ['failed', 'items_failed', 2])
})

test('deleting the document of the last item ends the batch', async () => {
  const { client } = await newTenant()
  const { batch, items } = await waitingBatch(client, 1)

  await client.documents.remove(items[0]!.document_id!)

  assert.equal((await client.jobs.get(batch.id)).status, 'failed')
})

test('a job whose document was deleted does not run again', async () => {
  const { client } = await newTenant()
  const { latest_job_id, id } = await client.documents.create({ title: 'Lease', source }, { wait_seconds: 0 })
  await client.documents.remove(id)

  const refused = await failed(client.jobs.update(latest_job_id!, { status: 'queued' }))

  assert.deepEqual([refused.status, refused.code], [409, 'invalid_state'])
})

test('time without a live worker does not count against the deadline', async () => {
  const { tenant } = await newTenant()
  const id = await enqueue(app, tenant, { name: 'lost' })
  const delivery = await readDelivery(app, tenant, id)
  await claim(app, delivery)
  await change(
    app,
    tenant,
    `update jobs set attempt_started_at = now() - interval '1 hour', updated_at = now() - interval '1 hour' where tenant_id = $1`,
  )

  const again = await claim(app, delivery)

  assert.ok(again.is_taken_over && again.left_ms > 599_000, String(again.left_ms))
})

test('a waiting POST returns the created resource even if it is deleted during the wait', async () => {
  const { client } = await newTenant()
  const creating = client.documents.create({ title: 'Lease', source }, { wait_seconds: 5 })
  await until(async () => (await client.documents.list()).data.length === 1, 'the document is there')
  await client.documents.remove((await client.documents.list()).data[0]!.id)

  assert.equal((await creating).title, 'Lease')
})

test('revoking the key ends its stream', async () => {
  const { client, tenant } = await newTenant()
  const { latest_job_id } = await client.documents.create({ title: 'Lease', source }, { wait_seconds: 0 })
  const key = await newKey(tenant)
  const stream = ask({ url, owner_key: key.secret }, `/api/v1/jobs/${latest_job_id}/events`, {
    headers: { accept: 'text/event-stream' },
  })
  await sleep(300)
  await client.apiKeys.remove(key.id)
  await sleep(100)
  await client.jobs.update(latest_job_id!, { status: 'cancelled' })

  const { text } = await stream

  assert.ok(text.includes('job.queued') && !text.includes('job.cancelled'), text)
})

test('waiting requests are answered when the server stops', async (t) => {
  const other = await startApi(t, { WORKER_TYPES: 'ingestion:0' })
  const waiting = other.owner.documents.create({ title: 'Lease', source }, { wait_seconds: 30 })
  await until(async () => (await other.owner.documents.list()).data.length === 1, 'the document is there')
  const began = Date.now()
  const closed = other.server.close()

  assert.equal((await waiting).status, 'processing')
  assert.ok(Date.now() - began < 5_000)
  other.server.server.closeAllConnections()
  await closed
})
