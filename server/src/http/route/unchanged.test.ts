// An update without a difference changes nothing: neither the ETag, nor updated_at, nor the events.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { ask, type TestAnswer } from '../../testing/ask.ts'
import { change, textSource } from '../../testing/jobs.ts'

const api = await startApi({ after })
const { app, owner, owner_tenant } = api
const metadata = { b: '2', a: '1' }

const project = await owner.projects.create({ name: 'Leases', metadata, default_processing: { ocr: 'auto' } })
const expires_at = '2999-06-01T12:00:00.1234Z'
const document = await owner.documents.createAndWait({
  title: 'Lease',
  metadata,
  expires_at,
  source: textSource('One page.'),
})
const [page] = (await owner.pages.list(document.id)).data
await owner.pages.update(document.id, page!.id, { metadata })
const key = await owner.apiKeys.create({ name: 'Key', scopes: ['documents:read'], metadata })
const summary = await owner.summaries.create({ text: 'The rent is due on the third.', metadata })
const analysis = await owner.analysis.create(document.id, { features: ['language'], metadata })
const report = await owner.reports.create({ type: 'documents', format: 'csv', title: 'All', metadata })
for (const { job_id } of [analysis, report]) await owner.jobs.wait(job_id!)
const batch = await owner.jobs.create({ type: 'documents', inputs: [{ title: 'Lease' }], metadata })
await owner.jobs.wait(batch.id)

const again = { metadata: { a: '1', b: '2' } }
const updates: [path: string, method: 'PATCH' | 'PUT', body: object][] = [
  [`/projects/${project.id}`, 'PATCH', { name: 'Leases', ...again }],
  [`/projects/${project.id}`, 'PATCH', { default_processing: { ocr: 'auto' } }],
  [`/projects/${project.id}`, 'PATCH', { metadata: { absent: null } }],
  [`/projects/${project.id}`, 'PUT', { name: 'Leases', default_processing: { ocr: 'auto' }, ...again }],
  [`/documents/${document.id}`, 'PATCH', { title: 'Lease', ...again }],
  [`/documents/${document.id}`, 'PUT', { title: 'Lease', expires_at: '2999-06-01T14:00:00.124+02:00', ...again }],
  [`/documents/${document.id}/pages/${page!.id}`, 'PATCH', { text: page!.text, ...again }],
  [`/documents/${document.id}/pages/${page!.id}`, 'PUT', { text: page!.text, ...again }],
  [`/documents/${document.id}/analysis/${analysis.id}`, 'PATCH', again],
  [`/api-keys/${key.id}`, 'PATCH', { name: 'Key', ...again }],
  [`/summaries/${summary.id}`, 'PATCH', again],
  [`/reports/${report.id}`, 'PATCH', { title: 'All', ...again }],
  [`/jobs/${batch.id}`, 'PATCH', again],
]

const send = (path: string, method = 'GET', body?: object): Promise<TestAnswer> =>
  ask(api, `/api/v1${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
const countEvents = async (): Promise<number> =>
  (
    await change<{ count: number }>(app, owner_tenant, 'select count(*)::int as count from events where tenant_id = $1')
  )[0]!.count

for (const [path, method, body] of updates) {
  const [, name] = path.split('/')
  test(`${method} /${name}… with ${JSON.stringify(body)} changes nothing if no value differs`, async () => {
    const [before, events] = [await send(path), await countEvents()]
    const { status, headers, text } = await send(path, method, body)

    assert.equal(status, 200, text)
    assert.deepEqual([headers.etag, text], [before.headers.etag, before.text])
    assert.equal((await send(path)).headers.etag, before.headers.etag)
    assert.equal(await countEvents(), events)
  })
}

test('an update with a difference changes the ETag and records an event', async () => {
  const [before, events] = [await send(`/projects/${project.id}`), await countEvents()]
  const { headers } = await send(`/projects/${project.id}`, 'PATCH', { metadata: { a: '2' } })

  assert.notEqual(headers.etag, before.headers.etag)
  assert.equal(await countEvents(), events + 1)
})
