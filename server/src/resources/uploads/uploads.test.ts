import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import type { Upload } from '@octavo/sdk'
import { uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { listAll } from '../../testing/files.ts'
import { change, until } from '../../testing/jobs.ts'
import { expireUploads } from './uploads.service.ts'

const api = await startApi({ after })
const { app, owner, otherTenant, owner_tenant, newKey } = api
const LEASE = 'The lease begins on 1 March 2027.'
const lease = (text = LEASE): Blob => new Blob([text], { type: 'text/plain' })
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const about = { file_name: 'lease.txt', media_type: 'text/plain', size_bytes: LEASE.length }

const put = ({ put: place }: Upload, body: string): Promise<Response> =>
  fetch(place!.url, { method: 'PUT', headers: place!.headers, body })
const documentOf = (upload: Upload, more: object = {}) =>
  owner.documents.createAndWait({ title: 'Lease', source: { type: 'upload', upload_id: upload.id }, ...more })
const countObjects = async (): Promise<number> => (await listAll(app.files, '')).length
const eventsOf = async (id: string): Promise<string[]> => {
  const types: string[] = []
  for await (const event of owner.events.list()) if (event.subject.id === id) types.push(event.type)
  return types
}

test('an uploaded file becomes a document, and the upload names it', async () => {
  const upload = await owner.uploads.createFromFile(lease(), { file_name: 'lease.txt', metadata: { year: '2027' } })
  const document = await documentOf(upload)
  const used = await owner.uploads.get(upload.id)

  assert.deepEqual(
    [upload.status, upload.document_id, upload.parts, upload.metadata],
    ['pending', null, [], { year: '2027' }],
  )
  assert.deepEqual(
    [document.status, document.source],
    ['ready', { type: 'upload', file_name: 'lease.txt', upload_id: upload.id }],
  )
  assert.equal(document.sha256, sha256(LEASE))
  assert.deepEqual([used.status, used.document_id, used.put], ['completed', document.id, null])
})

test('a signed URL accepts exactly the announced bytes without a key, also repeatedly', async () => {
  const upload = await owner.uploads.create(about)

  const statuses = [
    await put(upload, `${LEASE} And more.`),
    await put(upload, LEASE.slice(1)),
    await put(upload, 'x'.repeat(LEASE.length)),
    await put(upload, LEASE),
  ].map(({ status }) => status)

  assert.deepEqual(statuses, [400, 400, 200, 200])
  assert.equal((await documentOf(upload)).sha256, sha256(LEASE))
  assert.equal((await put(upload, LEASE)).status, 404, 'nobody changes the bytes of a document')
})

test('rejects an altered URL or one of another kind', async () => {
  const { put: place, id } = await owner.uploads.create(about)
  const { url, headers } = place!

  const answers = await Promise.all([
    fetch(`${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`, { method: 'PUT', headers, body: LEASE }),
    fetch(
      url.replace(
        /\.[\w-]{50,}\./,
        `.${Buffer.from(JSON.stringify({ may: 'put_upload', id })).toString('base64url')}.`,
      ),
      {
        method: 'PUT',
        body: LEASE,
      },
    ),
    fetch(url),
    fetch(url, { method: 'DELETE' }),
  ])

  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404, 404],
  )
})

test('an upload without its bytes cannot become a document', async () => {
  const upload = await owner.uploads.create(about)

  const error = await failed(documentOf(upload))

  assert.deepEqual([error.status, error.code], [409, 'invalid_state'])
  assert.match(error.message, /have not arrived/)
  assert.equal((await owner.uploads.get(upload.id)).status, 'pending')
})

test('an upload can be used once, even by two concurrent requests', async () => {
  const upload = await owner.uploads.createFromFile(lease())

  const outcomes = await Promise.allSettled([documentOf(upload), documentOf(upload), documentOf(upload)])
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as { code: string; status: number }] : [],
  )

  assert.deepEqual(
    refused.map(({ status, code }) => [status, code]),
    [
      [409, 'invalid_state'],
      [409, 'invalid_state'],
    ],
  )
  await assert.rejects(documentOf(upload), { code: 'invalid_state' })
})

test('refuses bytes that do not match the given sha256', async () => {
  const wrong = await owner.uploads.createFromFile(lease(), { sha256: sha256('another') })
  const right = await owner.uploads.createFromFile(lease(), { sha256: sha256(LEASE) })

  const [refused, taken] = [await documentOf(wrong), await documentOf(right)]

  assert.deepEqual([refused.status, refused.error?.code, refused.page_count], ['failed', 'document_unreadable', 0])
  assert.match(refused.error!.message, /sha256/)
  assert.equal(taken.status, 'ready')
})

test('deleting an upload removes its bytes, and a used one cannot be deleted', async () => {
  const [unused, used] = [await owner.uploads.createFromFile(lease()), await owner.uploads.createFromFile(lease())]
  const document = await documentOf(used)
  const before = await countObjects()

  await owner.uploads.remove(unused.id)

  await until(async () => (await countObjects()) === before - 1)
  assert.equal((await put(unused, LEASE)).status, 404)
  await assert.rejects(owner.uploads.get(unused.id), { code: 'not_found' })
  assert.deepEqual(summaryOf(await failed(documentOf(unused))), [422, 'source.upload_id reference_not_found'])
  await assert.rejects(owner.uploads.remove(used.id), { code: 'invalid_state' })
  assert.equal((await owner.documents.get(document.id)).status, 'ready')
})

test('deletes an unused upload after a day', async () => {
  const [old, fresh] = [await owner.uploads.createFromFile(lease()), await owner.uploads.createFromFile(lease())]
  const before = await countObjects()
  await change(
    app,
    owner_tenant,
    `update uploads set expires_at = now() - interval '1 second' where tenant_id = $1 and id = $3`,
    [uuidOf('upl', old.id)],
  )

  const count = await expireUploads(app)

  assert.ok(count >= 1)
  assert.equal(Date.parse(fresh.expires_at) - Date.parse(fresh.created_at), 86_400_000)
  await assert.rejects(owner.uploads.get(old.id), { code: 'not_found' })
  assert.equal((await owner.uploads.get(fresh.id)).status, 'pending')
  await until(async () => (await countObjects()) === before - 1)
  await until(async () => (await eventsOf(old.id)).length === 2)
  assert.deepEqual(await eventsOf(old.id), ['upload.deleted', 'upload.created'])
})

test('events record the outcome of an upload', async () => {
  const used = await owner.uploads.createFromFile(lease())
  await documentOf(used)
  const deleted = await owner.uploads.create(about)
  await owner.uploads.remove(deleted.id)

  await until(async () => (await eventsOf(deleted.id)).length === 2)
  assert.deepEqual(await eventsOf(used.id), ['upload.completed', 'upload.created'])
  assert.deepEqual(await eventsOf(deleted.id), ['upload.deleted', 'upload.created'])
})

test('lists uploads without their URLs', async () => {
  const upload = await owner.uploads.create(about)

  const [first] = (await owner.uploads.list({ status: 'pending', limit: 1 })).data
  const completed = (await owner.uploads.list({ status: 'completed', limit: 100 })).data

  assert.deepEqual([first?.id, first?.put], [upload.id, null])
  assert.ok(completed.length > 0 && completed.every(({ status }) => status === 'completed'))
})

test('refuses a file that is too large before it is sent', async () => {
  const error = await failed(owner.uploads.create({ ...about, size_bytes: app.config.max_file_bytes + 1 }))

  assert.deepEqual(summaryOf(error), [413, 'size_bytes too_large'])
  assert.deepEqual(summaryOf(await failed(owner.uploads.create({ ...about, size_bytes: 0 }))), [
    422,
    'size_bytes too_small',
  ])
})

test('an upload is hidden from other tenants and from keys of other projects', async () => {
  const project = await owner.projects.create({ name: 'Visible' })
  const { client } = await newKey(owner_tenant, { project_ids: [project.id] })
  const outside = await owner.uploads.createFromFile(lease())

  const inside = await client.uploads.createFromFile(lease(), { project_id: project.id })
  const document = await client.documents.create({
    title: 'x',
    project_id: project.id,
    source: { type: 'upload', upload_id: inside.id },
  })

  assert.equal(document.project_id, project.id)
  assert.deepEqual(summaryOf(await failed(client.uploads.create(about))), [422, 'project_id reference_not_found'])
  for (const other of [client, otherTenant]) {
    await assert.rejects(other.uploads.get(outside.id), { code: 'not_found' })
    await assert.rejects(other.uploads.remove(outside.id), { code: 'not_found' })
    const source = { type: 'upload', upload_id: outside.id } as const
    const project_id = other === client ? project.id : null
    const error = await failed(other.documents.create({ title: 'x', project_id, source }))
    assert.deepEqual(summaryOf(error), [422, 'source.upload_id reference_not_found'])
  }
  assert.deepEqual(
    (await client.uploads.list()).data.map(({ id }) => id),
    [inside.id],
  )
})
