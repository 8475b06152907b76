import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Document, Job, Octavo } from '@octavo/sdk'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { textSource } from '../../testing/jobs.ts'

// No worker runs: queued jobs stay queued.
const { newKey, newTenant, otherTenant } = await startApi({ after }, {}, undefined, false)

const create = (client: Octavo, title = 'Lease', project_id: string | null = null): Promise<Document> =>
  client.documents.create({ title, project_id, source: textSource(title) })
async function createJob(client: Octavo, title?: string, project_id?: string): Promise<Job> {
  return client.jobs.get((await create(client, title, project_id)).latest_job_id!)
}
const idsOf = (jobs: readonly { id: string }[]): string[] => jobs.map(({ id }) => id)

test('a job shows its subject, status and waiting reason', async () => {
  const { client } = await newTenant('free')
  const document = await create(client)

  const job = await client.jobs.get(document.latest_job_id!)

  const { id, created_at, updated_at, queued_at, ...rest } = job
  assert.match(id, /^job_/)
  assert.deepEqual([created_at, updated_at], [queued_at, queued_at])
  assert.deepEqual(rest, {
    object: 'job',
    type: 'ingestion',
    status: 'queued',
    is_terminal: false,
    stage: null,
    waiting_reason: 'queue',
    subject: { object: 'document', id: document.id },
    project_id: null,
    document_id: document.id,
    parent_job_id: null,
    priority: 'normal',
    progress: null,
    queue: { ahead: 0, estimated_start_at: null },
    attempt: 0,
    max_attempts: 3,
    attempts: [],
    timeout_seconds: 615,
    started_at: null,
    finished_at: null,
    cancel_requested_at: null,
    usage: null,
    error: null,
    warnings: [],
    metadata: {},
  })
})

test("jobs beyond the tenant's slots queue by priority, then by age", async () => {
  const { client } = await newTenant('free')
  const jobs: Job[] = []
  for (const title of ['a', 'b', 'c', 'd', 'e']) jobs.push(await createJob(client, title))
  const [a, b, c, d, e] = idsOf(jobs) as [string, string, string, string, string]

  await client.jobs.update(e, { priority: 'high' })
  await client.jobs.update(c, { priority: 'low' })
  const line = await Promise.all([a, b, e, d, c].map((id) => client.jobs.get(id)))

  assert.deepEqual(
    line.map(({ waiting_reason, queue }) => [waiting_reason, queue?.ahead]),
    [
      ['queue', 0],
      ['queue', 0],
      ['tenant_concurrency', 0],
      ['tenant_concurrency', 1],
      ['tenant_concurrency', 2],
    ],
  )
  await client.jobs.update(a, { status: 'cancelled' })
  assert.equal((await client.jobs.get(e)).waiting_reason, 'queue')
  assert.deepEqual((await client.jobs.get(c)).queue?.ahead, 1)
})

test('lists jobs by every filter', async () => {
  const { client } = await newTenant()
  const project = await client.projects.create({ name: 'Leases' })
  const first = await createJob(client, 'First')
  const second = await createJob(client, 'Second', project.id)
  await client.jobs.update(second.id, { status: 'cancelled' })
  const batch = await client.jobs.create({ type: 'documents', inputs: [{ title: 'Item' }] })
  const found = async (query: Parameters<typeof client.jobs.list>[0]): Promise<string[]> =>
    idsOf((await client.jobs.list(query)).data)

  assert.deepEqual(await found({}), [batch.id, second.id, first.id])
  assert.deepEqual(await found({ sort: 'created_at' }), [first.id, second.id, batch.id])
  assert.deepEqual(await found({ status: 'cancelled' }), [second.id])
  assert.deepEqual(await found({ status: ['queued', 'cancelled'] }), [batch.id, second.id, first.id])
  assert.deepEqual(await found({ type: 'documents' }), [batch.id])
  assert.deepEqual(await found({ type: ['documents', 'purge'] }), [batch.id])
  assert.deepEqual(await found({ project_id: project.id }), [second.id])
  assert.deepEqual(await found({ document_id: first.document_id! }), [first.id])
  assert.deepEqual(await found({ parent_job_id: batch.id }), [])
  assert.deepEqual(await found({ created_after: second.created_at }), [batch.id, second.id])
  assert.deepEqual(await found({ created_before: second.created_at }), [first.id])
  assert.deepEqual(await found({ limit: 1, status: 'queued' }), [batch.id])
  const refused = await failed(client.jobs.list({ status: 'finished' as never }))
  assert.deepEqual([refused.status, refused.code], [400, 'invalid_parameter'])
  const all: string[] = []
  for await (const { id } of client.jobs.list({ limit: 1 })) all.push(id)
  assert.deepEqual(all, [batch.id, second.id, first.id])
})

test('cancels a queued job at once and runs it again on request', async () => {
  const { client } = await newTenant()
  const job = await createJob(client)

  const cancelled = await client.jobs.update(job.id, { status: 'cancelled' })
  const twice = await client.jobs.update(job.id, { status: 'cancelled' })
  const again = await client.jobs.update(job.id, { status: 'queued' })
  const running = await failed(client.jobs.update(job.id, { status: 'queued' }))

  assert.deepEqual([cancelled.status, cancelled.is_terminal, cancelled.error?.code], ['cancelled', true, 'cancelled'])
  assert.deepEqual([cancelled.waiting_reason, cancelled.queue, typeof cancelled.finished_at], [null, null, 'string'])
  assert.deepEqual([again.status, again.is_terminal, again.error, again.finished_at], ['queued', false, null, null])
  assert.ok(again.queued_at > job.queued_at)
  assert.deepEqual(
    [twice.status, twice.updated_at],
    ['cancelled', cancelled.updated_at],
    'a repeated cancel has what it wants',
  )
  assert.deepEqual([running.status, running.code], [409, 'invalid_state'])
  assert.ok(running.message.includes(job.id))
})

test('refuses a status or priority that callers may not set', async () => {
  const { client } = await newTenant()
  const job = await createJob(client)

  assert.deepEqual(summaryOf(await failed(client.jobs.update(job.id, { status: 'succeeded' as never }))), [
    422,
    'status not_allowed_value',
  ])
  assert.deepEqual(summaryOf(await failed(client.jobs.update(job.id, { priority: 'urgent' as never }))), [
    422,
    'priority not_allowed_value',
  ])
  assert.equal((await client.jobs.get(job.id)).status, 'queued')
})

test('merges metadata even after the job has ended, but refuses a priority then', async () => {
  const { client } = await newTenant()
  const job = await createJob(client)

  await client.jobs.update(job.id, { metadata: { a: '1', b: '2' } })
  await client.jobs.update(job.id, { status: 'cancelled', metadata: { b: null } })
  const ended = await client.jobs.update(job.id, { metadata: { c: '3' } })

  assert.deepEqual([ended.status, ended.metadata], ['cancelled', { a: '1', c: '3' }])
  assert.equal((await failed(client.jobs.update(job.id, { priority: 'high' }))).code, 'invalid_state')
  assert.equal((await client.jobs.update(job.id, { priority: 'normal' })).updated_at, ended.updated_at)
  const again = await client.jobs.update(job.id, { status: 'queued', priority: 'high' })
  assert.deepEqual([again.status, again.priority], ['queued', 'high'])
})

test('If-Match refuses an update of a changed job', async () => {
  const { client } = await newTenant()
  const { id } = await createJob(client)
  const { response } = await client.jobs.get(id).withResponse()
  const if_match = response.headers.get('etag')!

  await client.jobs.update(id, { priority: 'low' }, { if_match })

  assert.equal((await failed(client.jobs.update(id, { status: 'cancelled' }, { if_match }))).status, 412)
  assert.equal((await failed(client.jobs.remove(id, { if_match }))).status, 412)
})

test('only an ended job can be deleted', async () => {
  const { client } = await newTenant()
  const job = await createJob(client)

  const refused = await failed(client.jobs.remove(job.id))
  await client.jobs.update(job.id, { status: 'cancelled' })
  await client.jobs.remove(job.id)

  assert.deepEqual([refused.status, refused.code], [409, 'invalid_state'])
  assert.equal((await failed(client.jobs.get(job.id))).code, 'not_found')
  assert.equal((await failed(client.jobs.remove(job.id))).code, 'not_found')
  assert.equal((await client.documents.get(job.document_id!)).status, 'failed')
})

test('a job of another tenant or project looks like one that does not exist', async () => {
  const { client, tenant } = await newTenant()
  const [mine, other] = [
    await client.projects.create({ name: 'Mine' }),
    await client.projects.create({ name: 'Other' }),
  ]
  const { client: limited } = await newKey(tenant, { project_ids: [mine.id] })
  const [seen, hidden] = [await createJob(client, 'Seen', mine.id), await createJob(client, 'Hidden', other.id)]

  for (const [who, id] of [
    [otherTenant, hidden.id],
    [limited, hidden.id],
    [client, 'job_none'],
    [client, mine.id],
  ] as const) {
    const calls = [
      () => who.jobs.get(id),
      () => who.jobs.update(id, { status: 'cancelled' }),
      () => who.jobs.remove(id),
      async () => who.jobEvents.list(id),
    ]
    for (const call of calls) assert.deepEqual(summaryOf(await failed(call())), [404])
  }
  assert.deepEqual(idsOf((await limited.jobs.list()).data), [seen.id])
  assert.equal((await limited.jobs.update(seen.id, { status: 'cancelled' })).status, 'cancelled')
  assert.equal((await client.jobs.get(hidden.id)).status, 'queued')
})

test("a project key's job waits behind jobs of other projects and shows the count", async () => {
  const { client, tenant } = await newTenant('free')
  const project = await client.projects.create({ name: 'Mine' })
  const { client: limited } = await newKey(tenant, { project_ids: [project.id] })
  for (const title of ['a', 'b', 'c', 'd']) await create(client, title)

  const job = await createJob(limited, 'e', project.id)

  assert.deepEqual([job.waiting_reason, job.queue?.ahead], ['tenant_concurrency', 2])
  const [listed] = (await limited.jobs.list()).data
  assert.equal(listed!.queue?.ahead, 2)
})

test('reading and changing jobs require separate scopes', async () => {
  const { client, tenant } = await newTenant()
  const job = await createJob(client)
  const { client: reader } = await newKey(tenant, { scopes: ['jobs:read'] })
  const { client: none } = await newKey(tenant, { scopes: ['documents:read'] })

  assert.equal((await reader.jobs.get(job.id)).id, job.id)
  assert.deepEqual([(await failed(reader.jobs.update(job.id, { status: 'cancelled' }))).code], ['insufficient_scope'])
  assert.deepEqual([(await failed(none.jobs.get(job.id))).code], ['insufficient_scope'])
})

test("returns Retry-After if a tenant's queue is full and stores nothing", async () => {
  const { client } = await newTenant('free')
  for (let i = 0; i < 52; i++) await create(client, `Lease ${i}`)

  const refused = await failed(
    client.documents.create({ title: 'Too many', external_id: 'x', source: textSource('One') }),
  )
  const many = await failed(client.jobs.create({ type: 'documents', inputs: [{ title: 'One' }] }))

  for (const error of [refused, many])
    assert.deepEqual(
      [error.status, error.code, error.details, error.headers?.get('retry-after')],
      [
        429,
        'rate_limit_exceeded',
        [{ field: 'queue', location: 'limit', code: 'quota_exceeded', message: 'At most 50 jobs may wait.' }],
        '30',
      ],
    )
  assert.deepEqual((await client.documents.list({ external_id: 'x' })).data, [])
  assert.equal((await client.documents.create({ title: 'No job' })).status, 'ready')
  const [waiting] = (await client.jobs.list({ status: 'queued', limit: 1 })).data
  await client.jobs.update(waiting!.id, { status: 'cancelled' })
  assert.equal((await create(client, 'Fits')).status, 'processing')
  assert.equal((await failed(client.jobs.update(waiting!.id, { status: 'queued' }))).status, 429)
})
