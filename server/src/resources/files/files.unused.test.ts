import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { ask, errorOf, failed, summaryOf } from '../../testing/ask.ts'
import { change, until } from '../../testing/jobs.ts'
import { expireFiles } from './files.unused.ts'

const api = await startApi({ after })
const { app, owner, otherTenant, owner_tenant, newKey, newTenant } = api
const TEXT = 'The lease begins on 1 March 2027.'
const lease = (): Blob => new Blob([TEXT], { type: 'text/plain' })
const send = () => owner.files.create(lease(), { file_name: 'lease.txt' })
const source = ({ id }: { id: string }) => ({ type: 'file' as const, file_id: id as `file_${string}` })

test('a file is sent first and becomes the file of a document', async () => {
  const file = await send()
  const sent = await (await owner.files.download(file.id)).text()
  const document = await owner.documents.createAndWait({ title: 'Lease', source: source(file) })

  const used = await owner.files.get(file.id)

  assert.deepEqual([file.kind, file.document_id, file.size_bytes, sent], ['original', null, TEXT.length, TEXT])
  assert.equal(Date.parse(file.expires_at ?? '') - Date.parse(file.created_at), 86_400_000)
  assert.deepEqual([document.status, document.file_id, document.page_count], ['ready', file.id, 1])
  assert.deepEqual(document.source, { type: 'file', file_name: 'lease.txt' })
  assert.deepEqual([used.document_id, used.expires_at], [document.id, null])
})

test('a file can be used once, also when two requests come at the same time', async () => {
  const file = await send()

  const both = await Promise.allSettled(
    ['One', 'Two'].map((title) => owner.documents.create({ title, source: source(file) })),
  )

  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  await assert.rejects(owner.documents.create({ title: 'Three', source: source(file) }), { code: 'invalid_state' })
})

test('a file of another tenant, or one that does not exist, cannot be used', async () => {
  const file = await send()
  const missing = { id: 'file_01h455vb4pex5vsknk084sn02q' }

  const stolen = await failed(otherTenant.documents.create({ title: 'Stolen', source: source(file) }))
  const absent = await failed(owner.documents.create({ title: 'Missing', source: source(missing) }))

  for (const error of [stolen, absent]) assert.deepEqual(summaryOf(error), [422, 'source.file_id reference_not_found'])
  await assert.rejects(otherTenant.files.get(file.id), { code: 'not_found' })
})

test('a key of a project sends files to that project only, and the file follows its document', async () => {
  const { tenant, client } = await newTenant()
  const [mine, other] = [
    await client.projects.create({ name: 'Mine' }),
    await client.projects.create({ name: 'Other' }),
  ]
  const limited = await newKey(tenant, { project_ids: [mine.id] })

  await assert.rejects(limited.client.files.create(lease()), { code: 'validation_error' })
  await assert.rejects(limited.client.files.create(lease(), { project_id: other.id }), { code: 'validation_error' })
  const file = await limited.client.files.create(lease(), { project_id: mine.id })
  const moved = await client.documents.create({ title: 'Lease', project_id: other.id, source: source(file) })

  assert.equal(moved.file_id, file.id)
  assert.equal((await client.files.get(file.id)).project_id, other.id)
  await assert.rejects(limited.client.files.get(file.id), { code: 'not_found' })
})

test('a request that is refused or finds a duplicate leaves the file unused', async () => {
  const text = 'Only once.'
  const first = await owner.documents.createAndWait(new Blob([text], { type: 'text/plain' }))
  const file = await owner.files.create(new Blob([text], { type: 'text/plain' }))

  const existing = await owner.documents.create({
    title: 'Again',
    source: source(file),
    on_duplicate: 'return_existing',
  })

  assert.equal(existing.id, first.id)
  assert.equal((await owner.files.get(file.id)).document_id, null)
  assert.equal(await (await owner.files.download(file.id)).text(), text)
})

test('a batch takes files, and refuses one that is not there', async () => {
  const file = await send()

  await owner.jobs.create({ type: 'documents', inputs: [{ title: 'Lease', source: source(file) }] })

  await until(async () => (await owner.files.get(file.id)).document_id !== null)
  const absent = { title: 'Absent', source: source({ id: 'file_01h455vb4pex5vsknk084sn02q' }) }
  await assert.rejects(owner.jobs.create({ type: 'documents', inputs: [absent] }), { code: 'validation_error' })
})

test('only a form with a file is accepted', async () => {
  const json = await ask(api, '/api/v1/files', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const nothing = await ask(api, '/api/v1/files', { method: 'POST' })

  assert.deepEqual([json.status, json.headers['accept']], [415, 'multipart/form-data'])
  assert.deepEqual([nothing.status, errorOf(nothing).code], [400, 'invalid_request'])
  await assert.rejects(owner.files.create(new Blob([])), { code: 'validation_error' })
})

test('a file that no document uses is deleted after a day', async () => {
  const [old, fresh] = [await send(), await send()]
  const [row] = await change<{ object_id: string }>(
    app,
    owner_tenant,
    `update files set expires_at = now() - interval '1 second' where tenant_id = $1 and id = $3 returning object_id`,
    [uuidOf('file', old.id)],
  )

  const count = await expireFiles(app)

  assert.ok(count >= 1)
  await assert.rejects(owner.files.get(old.id), { code: 'not_found' })
  assert.equal((await owner.files.get(fresh.id)).id, fresh.id)
  const key = `${uuidOf('ten', owner_tenant)}/${row?.object_id}`
  await until(async () => (await app.files.find(key)) === null)
})
