import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event, Octavo } from '@octavo/sdk'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'

const { newKey, newTenant, otherTenant } = await startApi({ after })

/** All events so far, oldest first, once there are this many: they get their position shortly after the commit. */
async function events(client: Octavo, count: number, query: object = {}): Promise<Event[]> {
  for (let i = 0; ; i++) {
    const { data } = await client.events.list({ sort: 'created_at', limit: 100, ...query })
    if (data.length >= count || i === 150) return data
    await sleep(20)
  }
}

test('every change writes one event with its type, subject and actor', async () => {
  const { client } = await newTenant()
  const project = await client.projects.create({ name: 'Leases' })
  const { data: document, response } = await client.documents
    .create({ title: 'Lease', project_id: project.id, source: { type: 'pages', pages: [{ text: 'One' }] } })
    .withResponse()
  const page = await client.pages.create(document.id, { text: 'Two' })
  await client.pages.update(document.id, page.id, { text: 'Due' })
  await client.documents.update(document.id, { title: 'Contract' })
  await client.documents.remove(document.id)
  await client.projects.remove(project.id)
  const [key] = (await client.apiKeys.list()).data

  const all = (await events(client, 16)).slice(1)
  const seen = all.filter(({ actor, subject }) => actor.type === 'api_key' && subject.object !== 'job')
  const ofJobs = all.filter(({ subject }) => subject.object === 'job').map(({ type, seq }) => [type, seq])

  assert.deepEqual(ofJobs.slice(0, 3), [
    ['job.queued', 1],
    ['job.running', 2],
    ['job.succeeded', 3],
  ])
  assert.deepEqual(
    seen.map(({ type, subject }) => [type, subject.object, subject.id]),
    [
      ['project.created', 'project', project.id],
      ['document.created', 'document', document.id],
      ['page.created', 'page', page.id],
      ['page.updated', 'page', page.id],
      ['document.updated', 'document', document.id],
      ['document.deleted', 'document', document.id],
      ['project.deleted', 'project', project.id],
    ],
  )
  assert.deepEqual(seen[0]!.actor, { type: 'api_key', id: key!.id })
  assert.equal(seen[1]!.request_id, response.request_id)
  assert.deepEqual(seen[1]!.data, { id: document.id, object: 'document', status: 'processing' })
  assert.deepEqual(seen[2]!.data, { id: page.id, object: 'page', status: 'succeeded', document_id: document.id })
  for (const event of seen) assert.equal(event.project_id, project.id)
})

test("the operator's events have the actor system", async () => {
  const { client } = await newTenant()

  const [first] = await events(client, 1)

  assert.deepEqual(
    [first!.type, first!.actor, first!.request_id],
    ['api_key.created', { type: 'system', id: null }, null],
  )
})

test('a request that changes nothing or fails writes no event', async () => {
  const { client } = await newTenant()
  const document = await client.documents.create({ title: 'Lease', external_id: 'a' })

  await client.documents.update(document.id, {})
  await failed(client.documents.create({ title: 'Again', external_id: 'a' }))
  await failed(client.documents.remove(document.id, { if_match: '"other"' }))
  await client.documents.create({ title: 'Once' }, { idempotency_key: 'x' })
  await client.documents.create({ title: 'Once' }, { idempotency_key: 'x' })
  await client.projects.create({ name: 'Last' })

  assert.deepEqual(
    (await events(client, 4)).map(({ type }) => type),
    ['api_key.created', 'document.created', 'document.created', 'project.created'],
  )
})

test('positions of a tenant increase by one, even with concurrent writers', async () => {
  const { client } = await newTenant()
  await Promise.all(Array.from({ length: 40 }, (_, i) => client.projects.create({ name: `Project ${i}` })))

  const seen = await events(client, 41)

  assert.deepEqual(
    seen.map(({ position }) => position),
    Array.from({ length: 41 }, (_, i) => i + 1),
  )
  assert.deepEqual(
    (await client.events.list({ limit: 100 })).data.map(({ position }) => position),
    Array.from({ length: 41 }, (_, i) => 41 - i),
  )
})

test('a follower resumes with its cursor and sees each new event once', async () => {
  const { client } = await newTenant()
  await events(client, 1)
  const start = await client.events.list({ sort: 'created_at' })

  const idle = await client.events.list({ sort: 'created_at', cursor: start.cursor! })
  const made = [await client.projects.create({ name: 'One' }), await client.projects.create({ name: 'Two' })]
  const seen = await events(client, 2, { cursor: idle.cursor })
  const end = await client.events.list({ sort: 'created_at', cursor: idle.cursor! })

  assert.deepEqual([idle.data, idle.has_next_page, typeof idle.cursor], [[], false, 'string'])
  assert.deepEqual(
    seen.map(({ subject }) => subject.id),
    made.map(({ id }) => id),
  )
  assert.deepEqual((await client.events.list({ sort: 'created_at', cursor: end.cursor! })).data, [])
})

test('filters events by type, project and time', async () => {
  const { client } = await newTenant()
  const [one, two] = [await client.projects.create({ name: 'One' }), await client.projects.create({ name: 'Two' })]
  await sleep(3)
  const document = await client.documents.create({ title: 'Lease', project_id: one.id })
  await events(client, 4)
  const types = async (query: object): Promise<string[]> => (await events(client, 0, query)).map(({ type }) => type)

  assert.deepEqual(await types({ type: 'project.created' }), ['project.created', 'project.created'])
  assert.deepEqual(await types({ type: ['document.created', 'api_key.created'] }), [
    'api_key.created',
    'document.created',
  ])
  assert.deepEqual(await types({ project_id: one.id }), ['project.created', 'document.created'])
  assert.deepEqual(await types({ project_id: two.id }), ['project.created'])
  assert.deepEqual(await types({ created_after: document.created_at }), ['document.created'])
  assert.deepEqual(await types({ created_before: one.created_at, created_after: '0000-01-01T00:00:00+20:00' }), [
    'api_key.created',
  ])
  assert.deepEqual(summaryOf(await failed(client.events.list({ type: 'document.lost' as never }))), [
    400,
    'type not_allowed_value',
  ])
})

test('a project key sees only events of its project', async () => {
  const { tenant, client } = await newTenant()
  const [one, two] = [await client.projects.create({ name: 'One' }), await client.projects.create({ name: 'Two' })]
  await client.documents.create({ title: 'Inside', project_id: one.id })
  await client.documents.create({ title: 'Elsewhere', project_id: two.id })
  await client.documents.create({ title: 'Nowhere' })
  const limited = await newKey(tenant, { project_ids: [one.id] })
  const all = await events(client, 7)

  const seen = await events(limited.client, 2)
  const hidden = all.filter(({ id }) => !seen.some((event) => event.id === id))

  assert.deepEqual(
    seen.map(({ type, project_id }) => [type, project_id]),
    [
      ['project.created', one.id],
      ['document.created', one.id],
    ],
  )
  assert.equal(hidden.length, 5)
  assert.deepEqual(await events(limited.client, 0, { project_id: two.id }), [])
  assert.equal((await limited.client.events.get(seen[0]!.id)).id, seen[0]!.id)
  for (const { id } of hidden) await assert.rejects(limited.client.events.get(id), { code: 'not_found' })
  for (const { id } of all) await assert.rejects(otherTenant.events.get(id), { code: 'not_found' })
})

test('an event is immutable and supports 304', async () => {
  const { client } = await newTenant()
  const [event] = await events(client, 1)

  const { data, response } = await client.events.get(event!.id).withResponse()

  assert.deepEqual(data, event)
  assert.equal(await client.events.get(event!.id, {}, { if_none_match: response.headers.get('etag')! }), null)
})
