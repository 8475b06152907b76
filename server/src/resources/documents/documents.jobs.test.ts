import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Value } from '../../db/statement.ts'
import { operator } from '../../lib/caller.ts'
import { floorUuid, uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { failed } from '../../testing/ask.ts'
import { expireDocuments } from './documents.service.ts'

const { app, owner, owner_tenant, newKey } = await startApi({ after })
const idle = await startApi({ after }, {}, undefined, false)

const pagesSource = (...texts: string[]) => ({ type: 'pages', pages: texts.map((text) => ({ text })) }) as const
const ask = <Row>(text: string, values: Value[], on = { app, tenant: owner_tenant }): Promise<Row[]> =>
  on.app.db.for(operator(uuidOf('ten', on.tenant), [])).rows<Row>(sql(text), values)
const idleSide = { app: idle.app, tenant: idle.owner_tenant }

interface DocumentJobsPiece {
  number: number
  piece: string
}
/** As PostgreSQL cuts the texts at the stored offsets. */
const chunksOf = (id: string): Promise<DocumentJobsPiece[]> =>
  ask<DocumentJobsPiece>(
    `select p.number, substr(p.text, c.start_offset::int + 1, (c.end_offset - c.start_offset)::int) as piece from chunks c
    join pages p on p.tenant_id = c.tenant_id and p.document_id = c.document_id and p.id = c.page_id
    where c.tenant_id = $1 and c.document_id = $3 order by p.number, c.number`,
    [uuidOf('doc', id)],
  )
async function rowsLeft(id: string): Promise<number> {
  const counts = await ask<{ count: number }>(
    `select (select count(*) from documents where tenant_id = $1 and id = $3)
      + (select count(*) from pages where tenant_id = $1 and document_id = $3)
      + (select count(*) from chunks where tenant_id = $1 and document_id = $3) as count`,
    [uuidOf('doc', id)],
  )
  return counts[0]!.count
}
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    assert.ok(tries < 100, 'it did not become so within ten seconds')
    await sleep(100)
  }
}

test('a document with a source is processing until its job has read the pages', async () => {
  const document = await idle.owner.documents.create({ title: 'Lease', source: pagesSource('One', 'Two') })
  const job = await idle.owner.jobs.get(document.latest_job_id!)

  assert.deepEqual([document.status, document.page_count, document.pages_ready], ['processing', 2, 0])
  assert.deepEqual(
    [job.type, job.status, job.subject, job.document_id],
    ['ingestion', 'queued', { object: 'document', id: document.id }, document.id],
  )
  assert.equal(job.timeout_seconds, 630)
  assert.deepEqual((await idle.owner.documents.get(document.id)).latest_job_id, job.id)
  assert.equal((await idle.owner.documents.create({ title: 'Notes' })).latest_job_id, null)
})

test('chunks match their pages for any text', async () => {
  const long = 'Der Mieter zahlt die Miete 😀 im Voraus. '.repeat(60)
  const document = await owner.documents.create({ title: 'Lease', source: pagesSource('  One.\n', '', long) })

  const chunks = await chunksOf(document.id)

  assert.deepEqual(
    [document.status, document.pages_ready, document.pages_failed, document.error],
    ['ready', 3, 0, null],
  )
  assert.deepEqual(chunks[0], { number: 1, piece: 'One.' })
  assert.equal(chunks.length, 4)
  assert.equal(
    chunks
      .slice(1)
      .map(({ piece }) => piece)
      .join(' '),
    long.trim(),
  )
})

test('reads a document of many pages in parts and reports progress on its job', async () => {
  const document = await owner.documents.create({
    title: 'Report',
    source: pagesSource(...Array.from({ length: 120 }, (_, i) => `Page ${i + 1}.`)),
  })

  const job = await owner.jobs.get(document.latest_job_id!)
  const numbers: number[] = []
  for await (const page of owner.pages.list(document.id, { limit: 50 })) numbers.push(page.number)

  assert.deepEqual([document.status, document.pages_ready, job.status], ['ready', 120, 'succeeded'])
  assert.deepEqual([job.progress, job.usage?.pages], [{ unit: 'pages', completed: 120, failed: 0, total: 120 }, 120])
  assert.deepEqual(
    numbers,
    Array.from({ length: 120 }, (_, i) => i + 1),
  )
  assert.equal((await chunksOf(document.id)).length, 120)
})

test('a correction rechunks only its own page', async () => {
  const document = await owner.documents.create({ title: 'Lease', source: pagesSource('One', 'Two') })
  const [first] = (await owner.pages.list(document.id)).data

  await owner.pages.update(document.id, first!.id, { text: 'Uno' })
  const third = await owner.pages.create(document.id, { text: 'Three' })
  const changed = await chunksOf(document.id)
  await owner.pages.remove(document.id, third.id)

  assert.deepEqual(
    changed.map(({ piece }) => piece),
    ['Uno', 'Two', 'Three'],
  )
  assert.equal((await chunksOf(document.id)).length, 2)
})

test('refuses page changes while a job reads the document and names the job', async () => {
  const document = await idle.owner.documents.create({ title: 'Lease', source: pagesSource('One') })
  const empty = await idle.owner.documents.create({ title: 'Notes' })
  const page = await idle.owner.pages.create(empty.id, { text: 'One' })
  await ask(
    `update documents set status = 'processing' where tenant_id = $1 and id = $3`,
    [uuidOf('doc', empty.id)],
    idleSide,
  )

  const refused = [
    await failed(idle.owner.pages.create(document.id, { text: 'Two' })),
    await failed(idle.owner.pages.replace(empty.id, page.id, { text: 'Two' })),
    await failed(idle.owner.pages.update(empty.id, page.id, { text: 'Two' })),
    await failed(idle.owner.pages.remove(empty.id, page.id)),
  ]

  for (const { code, status } of refused) assert.deepEqual([code, status], ['invalid_state', 409])
  assert.match(refused[0]!.message, new RegExp(document.latest_job_id!))
  assert.equal((await idle.owner.documents.update(document.id, { title: 'Contract' })).title, 'Contract')
})

test('a document whose job was cancelled is failed and can be ingested again', async () => {
  const document = await idle.owner.documents.create({ title: 'Lease', source: pagesSource('One') })

  await idle.owner.jobs.update(document.latest_job_id!, { status: 'cancelled' })
  const cancelled = await idle.owner.documents.get(document.id)
  await idle.owner.jobs.update(document.latest_job_id!, { status: 'queued' })
  const again = await idle.owner.documents.get(document.id)

  assert.deepEqual([cancelled.status, cancelled.error?.code], ['failed', 'cancelled'])
  assert.deepEqual([again.status, again.error], ['processing', null])
  await until(async () => {
    const types: string[] = []
    for await (const { type, subject } of idle.owner.events.list()) if (subject.id === document.id) types.push(type)
    return types.toSorted().join() === 'document.created,document.updated,document.updated'
  })
})

test('a deleted document disappears at once, even while queued, and its rows follow', async () => {
  const waiting = await idle.owner.documents.create({
    title: 'Lease',
    external_id: 'dead-1',
    source: pagesSource('One'),
  })
  const { response } = await idle.owner.documents.get(waiting.id).withResponse()
  const document = await owner.documents.create({
    title: 'Lease',
    source: pagesSource(...Array.from({ length: 450 }, () => 'One')),
  })
  const [page] = (await owner.pages.list(document.id)).data

  await idle.owner.documents.remove(waiting.id, { if_match: response.headers.get('etag')! })
  await owner.documents.remove(document.id)

  assert.equal((await idle.owner.jobs.get(waiting.latest_job_id!)).status, 'cancelled')
  assert.deepEqual((await idle.owner.documents.list({ external_id: 'dead-1' })).data, [])
  assert.equal((await idle.owner.documents.create({ title: 'Again', external_id: 'dead-1' })).external_id, 'dead-1')
  await assert.rejects(idle.owner.documents.get(waiting.id), { code: 'not_found' })
  await assert.rejects(owner.pages.get(document.id, page!.id), { code: 'not_found' })
  await until(async () => (await rowsLeft(document.id)) === 0)
  const [job] = (await owner.jobs.list({ document_id: document.id, type: 'purge' })).data
  await until(async () => (await owner.jobs.get(job!.id)).status === 'succeeded')
})

test('a page disappears with its document before its row is purged', async () => {
  const document = await idle.owner.documents.create({ title: 'Notes' })
  const page = await idle.owner.pages.create(document.id, { text: 'One' })

  await idle.owner.documents.remove(document.id)

  const [left] = await ask<{ count: number }>(
    'select count(*) from pages where tenant_id = $1 and document_id = $3',
    [uuidOf('doc', document.id)],
    idleSide,
  )
  assert.equal(left!.count, 1)
  await assert.rejects(idle.owner.pages.get(document.id, page.id), { code: 'not_found' })
  await assert.rejects(idle.owner.pages.list(document.id), { code: 'not_found' })
  await assert.rejects(idle.owner.pages.update(document.id, page.id, { text: 'Two' }), { code: 'not_found' })
})

test('a project key deletes documents, and the project can be deleted before the purge', async () => {
  const project = await idle.owner.projects.create({ name: 'Leases' })
  const { client } = await idle.newKey(idle.owner_tenant, { project_ids: [project.id] })
  const document = await client.documents.create({ title: 'Lease', project_id: project.id, source: pagesSource('One') })

  await assert.rejects(client.projects.remove(project.id), { code: 'resource_in_use' })
  await client.documents.remove(document.id)

  assert.equal((await idle.owner.projects.get(project.id)).document_count, 0)
  assert.deepEqual((await idle.owner.documents.list({ project_id: project.id })).data, [])
  await client.projects.remove(project.id)
  await assert.rejects(idle.owner.projects.get(project.id), { code: 'not_found' })
})

test('refuses an expiry in the past', async () => {
  const { owner: client } = idle
  const document = await client.documents.create({ title: 'Lease' })
  const expires_at = new Date(Date.now() - 1_000).toISOString()

  for (const call of [
    () => client.documents.create({ title: 'Expired', expires_at }),
    () => client.documents.update(document.id, { expires_at }),
    () => client.documents.replace(document.id, { title: 'Lease', expires_at }),
  ]) {
    const error = await failed(call())
    assert.deepEqual(
      [error.status, error.code, error.details[0]?.field, error.details[0]?.code],
      [422, 'validation_error', 'expires_at', 'too_small'],
    )
  }
  assert.equal((await client.documents.get(document.id)).expires_at, null)
})

test("deletes a document at its own expiry or after its project's retention", async () => {
  const { owner: client, app: server } = idle
  const project = await client.projects.create({ name: 'Short', retention_days: 30 })
  const longer = await client.projects.create({ name: 'Long', retention_days: 36_500 })
  const expired = await client.documents.create({ title: 'Expired' })
  await ask(
    `update documents set expires_at = now() - interval '1 minute' where tenant_id = $1 and id = $3`,
    [uuidOf('doc', expired.id)],
    idleSide,
  )
  const old = await client.documents.create({ title: 'Old', project_id: project.id })
  const kept = await Promise.all([
    client.documents.create({ title: 'Later', expires_at: '2999-01-01T00:00:00+01:00' }),
    client.documents.create({ title: 'Young', project_id: project.id }),
    client.documents.create({ title: 'Long', project_id: longer.id }),
  ])
  const before = floorUuid(new Date(Date.now() - 31 * 86_400_000))
  await ask('update documents set id = $4 where tenant_id = $1 and id = $3', [uuidOf('doc', old.id), before], idleSide)

  assert.equal(await expireDocuments(server), 2)
  assert.equal(await expireDocuments(server), 0)

  await assert.rejects(client.documents.get(expired.id), { code: 'not_found' })
  assert.equal((await client.projects.get(project.id)).document_count, 1)
  for (const { id } of kept) assert.equal((await client.documents.get(id)).id, id)
  assert.equal(kept[0].expires_at, '2998-12-31T23:00:00.000Z')
})

test('the expiry of a document can be set, kept and removed', async () => {
  const document = await owner.documents.create({ title: 'Lease' })
  const { client } = await newKey(owner_tenant)

  const set = await client.documents.update(document.id, { expires_at: '2999-06-01T12:00:00.1234Z' })
  const kept = await client.documents.update(document.id, { title: 'Contract' })
  const sent = await client.documents.replace(document.id, { title: 'Contract', expires_at: kept.expires_at })
  const reset = await client.documents.replace(document.id, { title: 'Contract' })

  assert.equal(document.expires_at, null)
  assert.equal(set.expires_at, '2999-06-01T12:00:00.124Z')
  assert.deepEqual([kept.expires_at, sent.expires_at, reset.expires_at], [set.expires_at, set.expires_at, null])
})
