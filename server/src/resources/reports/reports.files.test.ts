import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { objectKey } from '../../files/keys.ts'
import { newUuid, uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { change, until } from '../../testing/jobs.ts'
import { contentsOf, csvLines, makeReport } from '../../testing/reports.ts'
import { insertDocuments } from '../../testing/rows.ts'
import { sweep } from '../files/files.sweep.ts'

const api = await startApi({ after })
const { app, owner, owner_tenant, otherTenant, other_tenant_key, newKey, newTenant } = api

test('a project key reports on its project and must name it', async () => {
  const [mine, other] = [await owner.projects.create({ name: 'Mine' }), await owner.projects.create({ name: 'Other' })]
  const inside = await owner.documents.create({ title: 'In', project_id: mine.id })
  await owner.documents.create({ title: 'Out', project_id: other.id })
  const limited = await newKey(owner_tenant, { project_ids: [mine.id] })

  const own = await makeReport(api, { type: 'documents', format: 'csv', project_id: mine.id }, limited)
  const whole = await owner.reports.create({ type: 'documents', format: 'csv' })

  assert.deepEqual(
    csvLines(own.text)
      .slice(1)
      .map((line) => line.split(',')[0]),
    [inside.id],
  )
  for (const project_id of [undefined, other.id])
    await assert.rejects(
      Promise.resolve(
        limited.client.reports.create({ type: 'documents', format: 'csv', ...(project_id ? { project_id } : {}) }),
      ),
      { code: 'validation_error' },
    )
  await assert.rejects(limited.client.reports.get(whole.id), { code: 'not_found' })
  await assert.rejects(limited.client.files.get(whole.file_id!), { code: 'not_found' })
  assert.equal((await contentsOf(api, whole.file_id!, limited.secret)).status, 404)
})

test('a report and its file are hidden from other tenants, and the file needs the reports scope', async () => {
  const { report } = await makeReport(api, { type: 'documents', format: 'json' })
  const reader = await newKey(owner_tenant, { scopes: ['documents:read'] })
  const writer = await newKey(owner_tenant, { scopes: ['documents:read', 'reports:write'] })

  await assert.rejects(otherTenant.reports.get(report.id), { code: 'not_found' })
  await assert.rejects(otherTenant.files.get(report.file_id!), { code: 'not_found' })
  await assert.rejects(otherTenant.reports.remove(report.id), { code: 'not_found' })
  const statuses = await Promise.all(
    [other_tenant_key, reader.secret].map(async (key) => (await contentsOf(api, report.file_id!, key)).status),
  )
  assert.deepEqual(statuses, [404, 403])
  await assert.rejects(reader.client.files.get(report.file_id!), { code: 'insufficient_scope' })
  await assert.rejects(Promise.resolve(writer.client.reports.create({ type: 'analysis', format: 'csv' })), {
    code: 'insufficient_scope',
  })
})

test('a link to a report works without a key', async () => {
  const { report, text } = await makeReport(api, { type: 'usage', format: 'markdown' })

  const { url } = await owner.files.contents(report.file_id!)

  assert.equal(await (await fetch(url)).text(), text)
})

test('a report does not change after it is written', async () => {
  const { tenant, client, secret } = await newTenant()
  const document = await client.documents.create({ title: 'Soon gone' })
  const { report, text } = await makeReport(api, { type: 'documents', format: 'csv', title: 'One' }, { client, secret })

  await client.documents.remove(document.id)
  const changed = await client.reports.update(report.id, { title: 'Two', metadata: { seen: 'yes' } })

  assert.deepEqual([changed.title, changed.metadata, changed.file_id], ['Two', { seen: 'yes' }, report.file_id])
  assert.match(text, /Soon gone/)
  assert.equal((await contentsOf(api, report.file_id!, secret)).text, text)
  assert.deepEqual([(await client.reports.list({})).data.length, tenant.startsWith('ten_')], [1, true])
})

const objectsOf = async (tenant: string): Promise<number> =>
  (await app.files.list(`${uuidOf('ten', tenant)}/`, null)).length

test('deleting a report removes its bytes', async () => {
  const { tenant, client, secret } = await newTenant()
  const { report } = await makeReport(api, { type: 'documents', format: 'pdf' }, { client, secret })
  assert.equal(await objectsOf(tenant), 1)

  await client.reports.remove(report.id)

  await assert.rejects(client.reports.get(report.id), { code: 'not_found' })
  assert.equal((await contentsOf(api, report.file_id!, secret)).status, 404)
  await until(async () => (await objectsOf(tenant)) === 0, 'the store')
})

test('the sweeper keeps a report and removes the remains of a crash', async () => {
  const { tenant, client, secret } = await newTenant()
  const { report, text } = await makeReport(api, { type: 'documents', format: 'csv' }, { client, secret })
  const left = objectKey(uuidOf('ten', tenant), newUuid())
  await app.files.put(left, Readable.from([Buffer.from('half')]), { media_type: 'text/csv' })
  await sleep(5)

  const swept = await sweep({ ...app, config: { ...app.config, sweep: { ...app.config.sweep, after_seconds: 0 } } })

  assert.deepEqual([swept?.missing, swept?.stopped, await app.files.find(left)], [0, null, null])
  assert.equal((await contentsOf(api, report.file_id!, secret)).text, text)
})

/** Four megabytes take longer than a test may. */
const slowly = (bytes: Readable): Readable =>
  bytes.compose(async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      await sleep(2_000)
      yield piece
    }
  })

test('a report cancelled or deleted while it is written leaves nothing behind', async (t) => {
  const { tenant, client } = await newTenant()
  await insertDocuments(app, tenant, { count: 10_000, title: 'x'.repeat(200) })
  const put = app.files.put.bind(app.files)
  t.mock.method(app.files, 'put', (...[key, bytes, given]: Parameters<typeof put>) => put(key, slowly(bytes), given))
  const create = () => client.reports.create({ type: 'documents', format: 'json' }, { wait_seconds: 0 })
  const [first, second] = [await create(), await create()]
  const isWriting = async (id: string): Promise<boolean> => ((await client.jobs.get(id)).progress?.completed ?? 0) > 0

  await until(() => isWriting(first.job_id!), 'the first')
  await client.jobs.update(first.job_id!, { status: 'cancelled' })
  const cancelled = await client.reports.get(first.id, {}, { wait_seconds: 10 })
  await until(() => isWriting(second.job_id!), 'the second')
  await client.reports.remove(second.id)
  await until(async () => (await client.jobs.get(second.job_id!)).is_terminal, 'the job')

  assert.deepEqual([cancelled.status, cancelled.file_id, cancelled.row_count], ['cancelled', null, null])
  await until(async () => (await objectsOf(tenant)) === 0, 'the store')
  assert.deepEqual(await change(app, tenant, 'select id from files where tenant_id = $1'), [])
})

test('a report deleted after its bytes are stored leaves nothing behind', async (t) => {
  const { tenant, client } = await newTenant()
  const put = app.files.put.bind(app.files)
  const { promise: created, resolve } = Promise.withResolvers<string>()
  let stored = 0
  t.mock.method(app.files, 'put', async (...given: Parameters<typeof put>) => {
    const size_bytes = await put(...given)
    stored = await objectsOf(tenant)
    await client.reports.remove(await created)
    return size_bytes
  })

  const { id, job_id } = await client.reports.create({ type: 'documents', format: 'csv' }, { wait_seconds: 0 })
  resolve(id)

  await until(async () => (await client.jobs.get(job_id!)).is_terminal, 'the job')
  await until(async () => stored === 1 && (await objectsOf(tenant)) === 0, 'the store')
})
