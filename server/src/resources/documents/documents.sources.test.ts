import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import type { Document, NewDocument } from '@octavo/sdk'
import { uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { bytesOf, listAll } from '../../testing/files.ts'
import { until } from '../../testing/jobs.ts'

const { app, owner, otherTenant, owner_tenant, newKey } = await startApi({ after })

const base64Of = (text: string, file_name?: string) =>
  ({
    type: 'base64',
    media_type: 'text/plain',
    data: Buffer.from(text).toString('base64'),
    ...(file_name ? { file_name } : {}),
  }) as const
const create = (text: string, more: Partial<NewDocument> = {}, client = owner) =>
  client.documents.create({ title: 'Lease', source: base64Of(text), ...more }).withResponse()
const countObjects = async (): Promise<number> => (await listAll(app.files, `${uuidOf('ten', owner_tenant)}/`)).length
const textsOf = async (id: string): Promise<string[]> => (await owner.pages.list(id)).data.map(({ text }) => text)

test('accepts a small file inside the request', async () => {
  const document = await owner.documents.createAndWait({ title: 'Lease', source: base64Of('One\fTwo', '../lease.txt') })

  assert.deepEqual(
    [document.status, document.page_count, document.media_type, document.size_bytes],
    ['ready', 2, 'text/plain', 7],
  )
  assert.deepEqual(document.source, { type: 'base64', file_name: 'lease.txt' })
  assert.equal(document.sha256, createHash('sha256').update('One\fTwo').digest('hex'))
  assert.deepEqual(await textsOf(document.id), ['One', 'Two'])
  assert.equal(await (await owner.files.download(document.file_id!)).text(), 'One\fTwo')
})

test('refuses a file that is empty or not Base64', async () => {
  const before = await countObjects()
  const refused = async (data: string) =>
    summaryOf(await failed(owner.documents.create({ title: 'x', source: { ...base64Of(''), data } })))

  assert.deepEqual(await refused(''), [422, 'source.data too_short'])
  assert.deepEqual(await refused('not base64!'), [422, 'source.data invalid_format'])
  assert.equal(await countObjects(), before)
})

test('detects the format from the bytes, not from the declared type', async () => {
  const html = await owner.documents.createAndWait({
    title: 'Page',
    source: {
      ...base64Of('<!doctype html><html><body><h1>Lease</h1><p>Of a house.</p></body></html>'),
      media_type: 'application/pdf',
    },
  })
  const noise = await owner.documents.createAndWait({
    title: 'Noise',
    source: { type: 'base64', media_type: 'application/pdf', data: bytesOf(5_000).toString('base64') },
  })

  assert.deepEqual([html.status, html.media_type], ['ready', 'text/html'])
  assert.deepEqual([noise.status, noise.error?.code, noise.pages_ready], ['failed', 'unsupported_format', 0])
})

test('a refused document leaves no bytes behind', async () => {
  await create('first', { external_id: 'lease-7' })
  const before = await countObjects()

  const error = await failed(create('second', { external_id: 'lease-7' }))

  assert.deepEqual(summaryOf(error), [409, 'external_id taken'])
  assert.equal(await countObjects(), before)
})

test('the same bytes create another document unless duplicates are rejected', async () => {
  const first = await create('same bytes')
  const second = await create('same bytes')
  const before = await countObjects()

  const error = await failed(create('same bytes', { on_duplicate: 'reject' }))

  assert.notEqual(first.data.id, second.data.id)
  assert.deepEqual(summaryOf(error), [409, 'source taken'])
  assert.equal(error.details[0]?.id, first.data.id)
  assert.equal(await countObjects(), before)
})

test('return_existing returns the existing document and creates nothing', async () => {
  const first = await create('one and only', { title: 'First' })
  const [objects, events] = [await countObjects(), (await owner.events.list({ limit: 1 })).data[0]?.id]

  const again = await create('one and only', { title: 'Second', on_duplicate: 'return_existing' })

  assert.deepEqual([again.response.status, again.data.id, again.data.title], [200, first.data.id, 'First'])
  assert.equal(again.response.headers.get('location'), null)
  assert.equal(await countObjects(), objects)
  assert.equal((await owner.events.list({ limit: 1 })).data[0]?.id, events)
})

test('one of several concurrent requests with the same bytes creates the document', async () => {
  const before = await countObjects()

  const answers = await Promise.all(
    Array.from({ length: 5 }, () => create('at once', { on_duplicate: 'return_existing' })),
  )

  assert.equal(new Set(answers.map(({ data }) => data.id)).size, 1)
  assert.deepEqual(
    answers.map(({ response }) => response.status).toSorted((a, b) => a - b),
    [200, 200, 200, 200, 201],
  )
  assert.equal(await countObjects(), before + 1)
})

test('detects duplicates of text by its bytes, as for files', async () => {
  const first = await owner.documents.create({ title: 'Text', source: { type: 'text', text: 'the very same' } })

  const again = await create('the very same', { on_duplicate: 'return_existing' })

  assert.equal(again.data.id, first.id)
})

test('does not match bytes of a deleted document, another tenant or a hidden project', async () => {
  const project = await owner.projects.create({ name: 'Visible' })
  const { client } = await newKey(owner_tenant, { project_ids: [project.id] })
  const hidden = await create('known to some')
  const deleted = await create('known to nobody')
  await owner.documents.remove(deleted.data.id)

  const own = await create('known to some', { on_duplicate: 'reject', project_id: project.id }, client)
  const foreign = await create('known to some', { on_duplicate: 'reject' }, otherTenant)
  const fresh = await create('known to nobody', { on_duplicate: 'reject' })

  assert.deepEqual(new Set([own, foreign, fresh, hidden].map(({ response }) => response.status)), new Set([201]))
})

test('refuses on_duplicate for bytes that are not known yet', async () => {
  const upload = await owner.uploads.createFromFile(new Blob(['x'], { type: 'text/plain' }))
  const source = { type: 'upload', upload_id: upload.id } as const

  const error = await failed(owner.documents.create({ title: 'x', source, on_duplicate: 'reject' }))

  assert.deepEqual(summaryOf(error), [422, 'on_duplicate inconsistent'])
  assert.equal((await owner.documents.create({ title: 'Empty', on_duplicate: 'reject' })).status, 'ready')
})

test('deleting a document deletes its bytes and its upload', async () => {
  const upload = await owner.uploads.createFromFile(new Blob(['gone soon'], { type: 'text/plain' }))
  const document = await owner.documents.createAndWait({ title: 'x', source: { type: 'upload', upload_id: upload.id } })
  const before = await countObjects()

  await owner.documents.remove(document.id)

  await assert.rejects(owner.files.get(document.file_id!), { code: 'not_found' })
  await assert.rejects(owner.files.download(document.file_id!), { code: 'not_found' })
  await assert.rejects(owner.chunks.list(document.id), { code: 'not_found' })
  await assert.rejects(owner.uploads.get(upload.id), { code: 'not_found' })
  await until(async () => (await countObjects()) === before - 1)
})

const batchOf = async (...inputs: NewDocument[]) => {
  const { id } = await owner.jobs.create({ type: 'documents', inputs })
  await until(async () => (await owner.jobs.get(id)).is_terminal, 'the batch')
  const job = await owner.jobs.get(id)
  const documents: Document[] = []
  for (const item of (await owner.jobs.list({ parent_job_id: id })).data)
    documents.push(await owner.documents.get(item.document_id!))
  return { job, documents }
}

test('a batch accepts inline files and uploaded files', async () => {
  const upload = await owner.uploads.createFromFile(new Blob(['Uploaded.'], { type: 'text/plain' }))

  const { job, documents } = await batchOf(
    { title: 'Inside', source: base64Of('Inside.') },
    { title: 'Uploaded', source: { type: 'upload', upload_id: upload.id } },
    { title: 'Used again', source: { type: 'upload', upload_id: upload.id } },
    { title: 'Empty', source: base64Of('') },
  )

  assert.deepEqual(documents.map(({ title, status, source }) => `${title} ${status} ${source?.type}`).sort(), [
    'Inside ready base64',
    'Uploaded ready upload',
  ])
  assert.deepEqual([job.status, job.progress?.completed, job.progress?.failed], ['partially_succeeded', 2, 2])
  assert.deepEqual(
    job.error?.details.map(({ field, code }) => `${field} ${code}`),
    ['inputs[2] invalid_state', 'inputs[3].source.data too_short'],
  )
})

test('a batch whose inputs all exist ends without creating anything', async () => {
  await create('batch twin')
  const before = await countObjects()

  const { job, documents } = await batchOf({
    title: 'Twin',
    source: base64Of('batch twin'),
    on_duplicate: 'return_existing',
  })

  assert.deepEqual([job.status, job.progress?.completed, documents.length], ['succeeded', 1, 0])
  assert.equal(await countObjects(), before)
})
