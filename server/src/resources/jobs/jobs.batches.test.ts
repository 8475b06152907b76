import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Job, NewDocument, Octavo } from '@octavo/sdk'
import { JobFailure } from '../../jobs/types.ts'
import { operator } from '../../lib/caller.ts'
import { uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { failed } from '../../testing/ask.ts'
import { change, TestScript, textSource, until } from '../../testing/jobs.ts'
import { startWorker } from '../../worker.ts'
import { ingestPages } from '../documents/documents.ingest.ts'

const { app, newKey, newTenant } = await startApi({ after }, {}, undefined, false)
const script = new TestScript(app)
const worker = await startWorker(app, script.handlers)
after(() => worker.stop())

const create = (client: Octavo, ...inputs: NewDocument[]): Promise<Job> =>
  client.jobs.create({ type: 'documents', inputs })
const document = (text: string, more: Partial<NewDocument> = {}): NewDocument => ({
  title: text,
  source: textSource(text),
  ...more,
})
async function itemsOf(client: Octavo, id: string): Promise<Job[]> {
  const items: Job[] = []
  for await (const item of client.jobs.list({ parent_job_id: id, limit: 100 })) items.unshift(item)
  return items
}

test('a batch of one ends with its document', async () => {
  const { client } = await newTenant()
  const { data: batch, response } = await client.jobs
    .create({
      type: 'documents',
      inputs: [document('One', { metadata: { a: '1' } })],
      priority: 'high',
      metadata: { import: '7' },
    })
    .withResponse()
  const job = await client.jobs.wait(batch.id)
  const [item] = await itemsOf(client, batch.id)

  assert.deepEqual([response.status, response.headers.get('location')?.endsWith(`/jobs/${batch.id}`)], [201, true])
  assert.deepEqual([batch.type, batch.status, batch.subject], ['documents', 'queued', { object: 'job', id: batch.id }])
  assert.deepEqual(batch.progress, { unit: 'items', completed: 0, failed: 0, total: 1 })
  assert.deepEqual([job.status, job.error, job.metadata], ['succeeded', null, { import: '7' }])
  assert.deepEqual(job.progress, { unit: 'items', completed: 1, failed: 0, total: 1 })
  assert.deepEqual(
    [item!.type, item!.status, item!.parent_job_id, item!.priority],
    ['ingestion', 'succeeded', batch.id, 'high'],
  )
  assert.deepEqual((await client.documents.get(item!.document_id!)).metadata, { a: '1' })
})

test('a batch creates every document once, including those without a source', async () => {
  const { client, tenant } = await newTenant()
  const inputs = Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? { title: `Empty ${i}` } : document(`Lease ${i}`)))

  const job = await client.jobs.wait((await create(client, ...inputs)).id)

  assert.deepEqual([job.status, job.progress], ['succeeded', { unit: 'items', completed: 40, failed: 0, total: 40 }])
  const titles: string[] = []
  for await (const { title, status } of client.documents.list({ limit: 100, sort: 'created_at' })) {
    assert.equal(status, 'ready')
    titles.push(title)
  }
  assert.deepEqual(
    titles,
    inputs.map(({ title }) => title),
  )
  assert.equal((await itemsOf(client, job.id)).length, 30)
  const left = await change(app, tenant, `select from jobs where tenant_id = $1 and payload <> '{}'`)
  assert.equal(left.length, 0, 'the texts are kept in the pages only')
})

test('names refused inputs and processes the others', async () => {
  const { client } = await newTenant()
  await client.documents.create({ title: 'There', external_id: 'a' })

  const job = await client.jobs.wait(
    (await create(client, document('One'), document('Two', { external_id: 'a' }), document('Three'))).id,
  )

  assert.deepEqual(
    [job.status, job.progress],
    ['partially_succeeded', { unit: 'items', completed: 2, failed: 1, total: 3 }],
  )
  assert.deepEqual(job.error, {
    code: 'inputs_refused',
    message: '1 of 3 inputs was refused: see details.',
    details: [{ field: 'inputs[1].external_id', code: 'taken', message: 'Another document has this value.' }],
  })
  assert.equal((await failed(client.jobs.update(job.id, { status: 'queued' }))).code, 'invalid_state')
})

test('a batch without any success fails and can run again once the cause is gone', async () => {
  const { client } = await newTenant()
  const there = await client.documents.create({ title: 'There', external_id: 'a' })
  const batch = await create(client, document('One', { external_id: 'a' }))
  const first = await client.jobs.wait(batch.id)

  await client.documents.update(there.id, { external_id: 'b' })
  await client.jobs.update(batch.id, { status: 'queued' })
  const second = await client.jobs.wait(batch.id)

  assert.deepEqual([first.status, first.progress?.failed, first.error?.details.length], ['failed', 1, 1])
  assert.deepEqual([second.status, second.error], ['succeeded', null])
  assert.deepEqual(second.progress, { unit: 'items', completed: 1, failed: 0, total: 1 })
})

test('failed items make a batch partially succeeded, and rerunning an item does not change that', async () => {
  const { client } = await newTenant()
  let isBroken = true
  script.on('broken', async (run) => {
    if (isBroken) throw new JobFailure('document_unreadable', 'Page 1 cannot be read.')
    return ingestPages(app, run)
  })

  const batch = await client.jobs.wait((await create(client, document('fine'), document('broken'))).id)
  isBroken = false
  const [item] = (await itemsOf(client, batch.id)).filter(({ status }) => status === 'failed')
  await client.jobs.update(item!.id, { status: 'queued' })
  const again = await client.jobs.wait(item!.id)

  assert.equal(batch.status, 'partially_succeeded')
  assert.deepEqual(batch.error, {
    code: 'items_failed',
    message: '1 of 2 items failed. List the jobs of this batch to see why.',
    details: [],
  })
  assert.equal(again.status, 'succeeded')
  assert.equal((await client.jobs.get(batch.id)).status, 'partially_succeeded')
})

test('a batch waits for its running items and shows it', async () => {
  const { client } = await newTenant()
  const held = script.hold('held')
  const batch = await create(client, document('held'), document('quick'))
  await until(() => held.runs.length === 1)
  await until(async () => (await client.jobs.get(batch.id)).progress!.completed === 1)

  const job = await client.jobs.get(batch.id)
  held.letGo()

  assert.deepEqual([job.status, job.waiting_reason, job.queue], ['running', 'dependency', null])
  assert.equal((await client.jobs.wait(batch.id)).status, 'succeeded')
})

test('cancelling a batch cancels its items, and rerunning it reruns them', async () => {
  const { client } = await newTenant('free')
  const held = script.hold('held a', 'held b', 'held c', 'held d')
  const batch = await create(client, ...['quick', 'held a', 'held b', 'held c', 'held d'].map((text) => document(text)))
  await until(() => held.runs.length === 2)

  await client.jobs.update(batch.id, { status: 'cancelled' })
  const cancelled = await client.jobs.wait(batch.id)
  const items = await Promise.all((await itemsOf(client, batch.id)).map(({ id }) => client.jobs.wait(id)))
  held.letGo()
  await client.jobs.update(batch.id, { status: 'queued' })
  const again = await client.jobs.wait(batch.id)

  assert.deepEqual([cancelled.status, cancelled.error?.code], ['cancelled', 'cancelled'])
  assert.deepEqual(
    items.map(({ status }) => status),
    ['succeeded', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
  )
  assert.deepEqual([again.status, again.progress], ['succeeded', { unit: 'items', completed: 5, failed: 0, total: 5 }])
  assert.equal((await client.documents.list({ limit: 100 })).data.length, 5)
})

test('a batch cancelled while creating documents resumes from that point', async () => {
  const { client } = await newTenant()
  const inputs = Array.from({ length: 150 }, (_, i) => (i % 3 === 0 ? { title: `Empty ${i}` } : document(`Lease ${i}`)))
  const batch = await create(client, ...inputs)
  await until(async () => (await client.jobs.get(batch.id)).progress!.completed > 5)

  await client.jobs.update(batch.id, { status: 'cancelled' })
  const cancelled = await client.jobs.wait(batch.id)
  await client.jobs.update(batch.id, { status: 'queued' })
  const again = await client.jobs.wait(batch.id)

  assert.equal(cancelled.status, 'cancelled')
  assert.deepEqual(
    [again.status, again.progress],
    ['succeeded', { unit: 'items', completed: 150, failed: 0, total: 150 }],
  )
  const titles: string[] = []
  for await (const { title } of client.documents.list({ limit: 100 })) titles.push(title)
  assert.deepEqual(titles.toSorted(), inputs.map(({ title }) => title).toSorted())
})

test('counts an item once if it fails and reruns while its batch waits', async () => {
  const { client, tenant } = await newTenant()
  const project = await client.projects.create({ name: 'Mine' })
  const { client: limited } = await newKey(tenant, { project_ids: [project.id] })
  const held = script.hold('slow item')
  let isBroken = true
  script.on('mended', async (run) => {
    if (isBroken) throw new JobFailure('document_unreadable', 'Page 1 cannot be read.')
    return ingestPages(app, run)
  })
  // The batch is of several projects: a key of one of them sees the item and not the batch.
  const batch = await create(client, document('slow item'), document('mended', { project_id: project.id }))
  await until(async () => (await client.jobs.get(batch.id)).progress!.failed === 1)
  const [item] = (await limited.jobs.list()).data

  isBroken = false
  await limited.jobs.update(item!.id, { status: 'queued' })
  await client.jobs.wait(item!.id)
  const waiting = await client.jobs.get(batch.id)
  held.letGo()

  assert.equal((await failed(limited.jobs.get(batch.id))).status, 404)
  assert.deepEqual(waiting.progress, { unit: 'items', completed: 1, failed: 0, total: 2 })
  assert.equal((await client.jobs.wait(batch.id)).status, 'succeeded')
})

test('a batch ends with its last item, even if a key without access to the batch cancels it', async () => {
  const { client, tenant } = await newTenant()
  const project = await client.projects.create({ name: 'Mine' })
  const { client: limited } = await newKey(tenant, { project_ids: [project.id] })
  const held = script.hold('last item', 'other tenant of the slots')
  for (let i = 0; i < 3; i++) await client.documents.create(document('other tenant of the slots'))
  const batch = await create(client, { title: 'No job' }, document('last item', { project_id: project.id }))
  await client.jobs.update(batch.id, { priority: 'high' })
  await client.jobs.update((await client.jobs.list({ type: 'ingestion', limit: 1 })).data[0]!.id, {
    status: 'cancelled',
  })
  await until(async () => (await client.jobs.get(batch.id)).waiting_reason === 'dependency')
  const [item] = (await limited.jobs.list()).data

  await limited.jobs.update(item!.id, { status: 'cancelled' })
  await client.jobs.wait(item!.id)
  held.letGo()

  const { status, progress } = await client.jobs.get(batch.id)
  assert.deepEqual([status, progress], ['partially_succeeded', { unit: 'items', completed: 1, failed: 1, total: 2 }])
})

test('every event of a batch has a sequence number, regardless of the process that counts', async () => {
  const { client, tenant } = await newTenant()
  const held = script.hold('last of them')
  script.on('fails once', (run) =>
    run.attempt === 1
      ? Promise.reject(new JobFailure('document_unreadable', 'Page 1 cannot be read.'))
      : ingestPages(app, run),
  )
  const batch = await create(client, document('last of them'), document('fails once'), { title: 'No job' })
  await until(async () => (await client.jobs.get(batch.id)).progress!.failed === 1)
  const silent = () =>
    change(app, tenant, `update jobs set told_at = now() - interval '5 s' where tenant_id = $1 and id = $3`, [
      uuidOf('job', batch.id),
    ])
  const [item] = (await client.jobs.list({ parent_job_id: batch.id, status: 'failed' })).data
  await silent()
  await client.jobs.update(item!.id, { status: 'queued' })
  await client.jobs.wait(item!.id)
  await silent()
  await app.db.transaction(operator(uuidOf('ten', tenant), []), (tx) => app.jobs.countDone(tx, batch.id))
  held.letGo()
  await client.jobs.wait(batch.id)

  const seqs: number[] = []
  for await (const { seq } of client.jobs.follow(batch.id)) seqs.push(seq!)
  assert.deepEqual(
    seqs,
    Array.from({ length: seqs.length }, (_, i) => i + 1),
  )
})
