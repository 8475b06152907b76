import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Job, NewJob, Octavo } from '@octavo/sdk'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { until } from '../../testing/jobs.ts'
import { weightsDir } from '../../testing/weights.ts'

const { owner, newKey, newTenant } = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })

const TEXT = 'Rent is 1,200 a month. It is due on the third day of each month. Nobody may keep a horse in the kitchen.'
const LABELS = [
  { name: 'money', description: 'Rent and payments' },
  { name: 'animals', description: 'Horses, dogs and cats' },
]
const documentOf = (client: Octavo, text: string, project_id: string | null = null) =>
  client.documents.createAndWait({ title: 'Lease', project_id, source: { type: 'text', text } })
const itemsOf = async (client: Octavo, id: string): Promise<Job[]> =>
  (await client.jobs.list({ parent_job_id: id, limit: 100, sort: 'created_at' })).data

test('a batch can request any kind of outcome, and every item is a job', async () => {
  const { id: document_id } = await documentOf(owner, TEXT)
  const asked: NewJob[] = [
    { type: 'analysis', inputs: [{ document_id, features: ['language', 'statistics'] }] },
    { type: 'summaries', inputs: [{ document_ids: [document_id] }, { text: TEXT, length: 'short' }] },
    { type: 'classifications', inputs: [{ text: 'The rent is late again.', labels: LABELS }] },
    { type: 'embeddings', inputs: [{ inputs: ['One', 'Two'] }, { document_id }] },
  ]

  for (const body of asked) {
    const batch = await owner.jobs.wait((await owner.jobs.create(body)).id)
    const items = await itemsOf(owner, batch.id)

    const total = body.inputs.length
    assert.deepEqual([batch.type, batch.status, batch.error], [body.type, 'succeeded', null])
    assert.deepEqual(
      [batch.subject, batch.progress],
      [
        { object: 'job', id: batch.id },
        { unit: 'items', completed: total, failed: 0, total },
      ],
    )
    assert.deepEqual(
      items.map(({ type, status }) => [type, status]),
      body.inputs.map(() => [body.type, 'succeeded']),
    )
  }
  const [second, first] = (await owner.summaries.list()).data
  assert.deepEqual(
    [first!.document_ids, second!.length, first!.status, second!.status],
    [[document_id], 'short', 'succeeded', 'succeeded'],
  )
  assert.ok(second!.job_id !== null, 'in a batch nothing is made at once')
})

test('a cached result is an item without a job', async () => {
  const { client } = await newTenant()
  await client.summaries.create({ text: TEXT })

  const batch = await client.jobs.wait(
    (await client.jobs.create({ type: 'summaries', inputs: [{ text: TEXT }, { text: `${TEXT} More.` }] })).id,
  )

  assert.deepEqual([batch.status, batch.progress?.completed], ['succeeded', 2])
  assert.equal((await itemsOf(client, batch.id)).length, 1)
  const caches = (await client.summaries.list()).data.map(({ cache }) => cache)
  assert.deepEqual(caches.toSorted(), ['hit', 'miss', 'miss'])
})

test('a batch requires the scopes of its kind, and scopes of another kind do not help', async () => {
  const { tenant } = await newTenant()
  const inputs = [{ text: TEXT }]
  const { client: reader } = await newKey(tenant, { scopes: ['jobs:write', 'documents:write', 'summaries:write'] })
  const { client: enough } = await newKey(tenant, {
    scopes: ['jobs:read', 'jobs:write', 'documents:read', 'summaries:write'],
  })

  const { status, code, headers } = await failed(reader.jobs.create({ type: 'summaries', inputs }))
  const made = await enough.jobs.wait((await enough.jobs.create({ type: 'summaries', inputs })).id)

  assert.deepEqual([status, code], [403, 'insufficient_scope'])
  assert.match(headers?.get('www-authenticate') ?? '', /scope="documents:read"/)
  assert.equal(made.status, 'succeeded')
  assert.equal(
    (await failed(enough.jobs.create({ type: 'documents', inputs: [{ title: 'One' }] }))).code,
    'insufficient_scope',
  )
})

test('validates each input by the rules of its kind and names its place', async () => {
  const good = { text: TEXT, labels: LABELS }
  const create = (body: unknown) => failed(owner.jobs.create(body as NewJob))

  assert.deepEqual(summaryOf(await create({ type: 'classifications', inputs: [good, good, good, { text: TEXT }] })), [
    400,
    'inputs[3].labels required',
  ])
  assert.deepEqual(
    summaryOf(await create({ type: 'classifications', inputs: [good, { ...good, labels: LABELS.slice(1) }] })),
    [422, 'inputs[1].labels too_few_items'],
  )
  assert.deepEqual(summaryOf(await create({ type: 'summaries', inputs: [good] })), [
    400,
    'inputs[0].labels unknown_field',
  ])
  assert.deepEqual(summaryOf(await create({ type: 'analysis', inputs: [{}] })), [400, 'inputs[0].document_id required'])
  assert.deepEqual(summaryOf(await create({ type: 'reports', inputs: [{}] })), [422, 'type not_allowed_value'])
  assert.equal((await create({ inputs: [good] })).details[0]?.field, 'type')
  assert.equal((await create({ type: 17, inputs: [good] })).status, 400)
})

test('names missing documents before creating anything', async () => {
  const { client, tenant } = await newTenant()
  const [one, two] = await Promise.all(['One', 'Two'].map((name) => client.projects.create({ name })))
  const [mine, other] = [await documentOf(client, TEXT, one!.id), await documentOf(client, `${TEXT} More.`, two!.id)]
  const foreign = await documentOf(owner, TEXT)
  const { client: limited } = await newKey(tenant, { project_ids: [one!.id] })
  const summaries = (...document_ids: string[][]): NewJob => ({
    type: 'summaries',
    inputs: document_ids.map((ids) => ({ document_ids: ids })),
  })

  const refused = await failed(client.jobs.create(summaries([mine.id], [mine.id, foreign.id])))
  const unseen = await failed(limited.jobs.create(summaries([other.id])))
  const batch = await limited.jobs.wait((await limited.jobs.create(summaries([mine.id]))).id)

  assert.deepEqual(summaryOf(refused), [422, 'inputs[1].document_ids[1] reference_not_found'])
  assert.deepEqual(summaryOf(unseen), [422, 'inputs[0].document_ids[0] reference_not_found'])
  assert.deepEqual([batch.status, batch.project_id], ['succeeded', one!.id])
})

test('inputs that the model cannot handle fail one by one', async () => {
  const inputs = [{ text: TEXT }, { text: TEXT, model: 'no-such-model' }, { text: TEXT, language: 'de' }]

  const batch = await owner.jobs.wait((await owner.jobs.create({ type: 'summaries', inputs })).id)

  assert.deepEqual([batch.status, batch.progress?.completed, batch.progress?.failed], ['partially_succeeded', 1, 2])
  assert.deepEqual(
    batch.error?.details.map(({ field, code }) => `${field} ${code}`),
    ['inputs[1].model reference_not_found', 'inputs[2].language capability_missing'],
  )
})

test('a batch waits for AI units instead of being refused', async () => {
  const { client } = await newTenant('free')
  const inputs = Array.from({ length: 25 }, (_, i) => ({ text: `${TEXT} Paragraph ${i}.` }))

  const batch = await client.jobs.create({ type: 'summaries', inputs }, { wait_seconds: 0 })
  await until(async () => (await client.jobs.get(batch.id, {}, { wait_seconds: 0 })).waiting_reason === 'dependency')
  const waiting = await client.jobs.get(batch.id, {}, { wait_seconds: 0 })

  assert.deepEqual([waiting.status, waiting.error], ['queued', null])
  assert.equal((await itemsOf(client, batch.id)).length, 20, 'a hundred units, five for each')
})
