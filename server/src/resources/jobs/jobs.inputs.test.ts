import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Job, NewDocument, Octavo } from '@octavo/sdk'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { textSource } from '../../testing/jobs.ts'

const { newKey, newTenant } = await startApi({ after })

const create = (client: Octavo, ...inputs: NewDocument[]): Promise<Job> =>
  client.jobs.create({ type: 'documents', inputs }, { wait_seconds: 0 })
const document = (text: string, more: Partial<NewDocument> = {}): NewDocument => ({
  title: text,
  source: textSource(text),
  ...more,
})

test('a batch requires the scope of its inputs', async () => {
  const { tenant } = await newTenant()
  const { client } = await newKey(tenant, { scopes: ['jobs:read', 'jobs:write'] })

  const { status, code, headers } = await failed(create(client, document('One')))

  assert.deepEqual([status, code], [403, 'insufficient_scope'])
  assert.match(headers?.get('www-authenticate') ?? '', /scope="documents:write"/)
})

test('a batch by a project key must stay within one of its projects', async () => {
  const { client, tenant } = await newTenant()
  const [one, two, hidden] = await Promise.all(['One', 'Two', 'Hidden'].map((name) => client.projects.create({ name })))
  const { client: limited } = await newKey(tenant, { project_ids: [one!.id, two!.id] })
  const inProject = (project_id: string | null) => document('Lease', { project_id })

  const mixed = await failed(create(limited, inProject(one!.id), inProject(two!.id)))
  const unseen = await failed(create(limited, inProject(hidden!.id)))
  const none = await failed(create(limited, inProject(null)))
  const absent = await failed(create(client, inProject(null), inProject('proj_01h455vb4pex5vsknk084sn02q')))
  const job = await limited.jobs.wait((await create(limited, inProject(one!.id), inProject(one!.id))).id)

  assert.deepEqual(summaryOf(mixed), [422, 'inputs inconsistent'])
  assert.deepEqual(unseen.status, 422)
  assert.equal(none.status, 422)
  assert.deepEqual(summaryOf(absent), [422, 'inputs[1].project_id reference_not_found'])
  assert.deepEqual([job.status, job.project_id, job.progress?.completed], ['succeeded', one!.id, 2])
  assert.equal((await limited.documents.list({ project_id: one!.id })).data.length, 2)
})

test('a batch takes 1 to 1,000 inputs, each valid for POST /documents', async () => {
  const { client } = await newTenant()

  assert.equal((await failed(create(client))).status, 422)
  assert.equal((await failed(create(client, ...Array.from({ length: 1_001 }, () => ({ title: 'x' }))))).status, 422)
  assert.deepEqual(summaryOf(await failed(create(client, document('One'), { title: '' }))), [
    422,
    'inputs[1].title too_short',
  ])
  assert.deepEqual((await client.jobs.list()).data, [])
})

test('refuses a whole batch that does not fit into the queue', async () => {
  const { client } = await newTenant('free')

  const refused = await failed(create(client, ...Array.from({ length: 60 }, (_, i) => document(`Lease ${i}`))))

  const empty = Array.from({ length: 60 }, (_, i) => ({ title: `Empty ${i}` }))

  assert.deepEqual(
    [refused.status, refused.details[0]?.field, refused.details[0]?.code],
    [422, 'inputs', 'too_many_items'],
  )
  assert.deepEqual([(await client.jobs.list()).data, (await client.documents.list()).data], [[], []])
  assert.equal((await create(client, ...empty)).progress?.total, 60, 'what needs no job needs no room')
})

test('a repeated batch request with the same key returns the same batch', async () => {
  const { client } = await newTenant()
  const ask = () => client.jobs.create({ type: 'documents', inputs: [document('One')] }, { idempotency_key: 'import' })

  const [first, second] = [await ask(), await ask()]
  await client.jobs.wait(first.id)

  assert.equal(second.id, first.id)
  assert.equal((await client.documents.list()).data.length, 1)
})
