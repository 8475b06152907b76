import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pdfBlob } from '@octavo/extract/testing/pdf-files.ts'
import type { Octavo } from '@octavo/sdk'
import { readSettings, updateBudget, updateModels } from '../../tenants/tenants.service.ts'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { until } from '../../testing/jobs.ts'
import { writeModelsFile } from '../../testing/models-file.ts'
import { startProvider } from '../../testing/provider.ts'

const provider = await startProvider()
after(() => provider.close())
const listed = [{ id: 'writer' }, { id: 'other' }, { id: 'looker', capabilities: ['vision'] }]
const { app, newTenant } = await startApi({ after }, { MODELS_FILE: writeModelsFile(provider.url, listed) })
const known = [...app.models.list(), ...(await app.readers.list())]
const idsOf = async (client: Octavo): Promise<string[]> =>
  (await client.models.list()).data.map(({ id, is_default }) => (is_default ? `${id} *` : id))
const TEXT = 'Rent is 1,200 a month. It is due on the third day of each month.'

let client: Octavo
let tenant: string
before(async () => {
  ;({ client, tenant } = await newTenant())
})

test('a tenant sees and uses the models that the operator allows, with its own default', async () => {
  const all = await idsOf(client)
  await updateModels(app.system, tenant, { defaults: { generator: 'other' }, allowed: ['other'] }, known)

  const some = await idsOf(client)
  const summary = await client.summaries.create({ text: TEXT, style: 'abstract' })
  const refused = await failed(client.summaries.create({ text: TEXT, style: 'abstract', model: 'writer' }))
  const reader = await failed(client.documents.create({ title: 'Lease', processing: { reader: 'looker' } }))

  assert.deepEqual(all, ['built_in *', 'built_in_text *', 'looker', 'other', 'writer *'])
  assert.deepEqual(some, ['built_in *', 'built_in_text *', 'other *'])
  assert.deepEqual([summary.model?.id, summaryOf(refused)], ['other', [422, 'model reference_not_found']])
  assert.deepEqual(summaryOf(reader), [422, 'processing.reader capability_missing'])
  await assert.rejects(client.models.get('writer'), { code: 'not_found' })

  await updateModels(app.system, tenant, { defaults: { generator: null }, allowed: null }, known)
  assert.deepEqual(await idsOf(client), all)
})

test('an operator cannot set a model that does not exist', async () => {
  const set = (defaults: object, allowed?: string[]) =>
    updateModels(app.system, tenant, { defaults, ...(allowed ? { allowed } : {}) }, known)

  await assert.rejects(
    set({ embedder: 'writer' }),
    /'writer' is not a model that can be the default embedder\. Models: none/,
  )
  await assert.rejects(set({ generator: 'built_in_text' }), /Models: writer, other, looker/)
  await assert.rejects(set({}, ['writer', 'wirter']), /'wirter' is not a model id/)
  await assert.rejects(updateBudget(app.system, 'ten_01h455vb4pex5vsknk084sn02q', 1), /No tenant has the id/)
  assert.deepEqual(await readSettings(app.system, tenant), {
    default_models: {},
    allowed_models: null,
    daily_budget_micros: null,
  })
})

test('a local-only project refuses a remote reader from the request or the project settings', async () => {
  const processing = { reader: 'looker' }
  const mine = await client.projects.create({ name: 'Private', privacy: 'local_only' })
  const open = await client.projects.create({ name: 'Open', default_processing: processing })
  const input = { title: 'Lease', project_id: mine.id, processing }
  const said = async (work: Promise<unknown>) => summaryOf(await failed(work))

  assert.deepEqual(await said(client.documents.create(input)), [422, 'processing.reader not_allowed_value'])
  assert.deepEqual(await said(client.jobs.create({ type: 'documents', inputs: [{ title: 'One' }, input] })), [
    422,
    'inputs[1].processing.reader not_allowed_value',
  ])
  const remote = [422, 'default_processing.reader not_allowed_value']
  assert.deepEqual(await said(client.projects.update(mine.id, { default_processing: processing })), remote)
  assert.deepEqual(await said(client.projects.update(open.id, { privacy: 'local_only' })), remote)
  assert.deepEqual(
    await said(client.projects.create({ name: 'Both', privacy: 'local_only', default_processing: processing })),
    remote,
  )
  assert.equal((await client.documents.create({ ...input, processing: { reader: 'built_in' } })).status, 'ready')
  assert.equal(
    (await client.projects.update(open.id, { privacy: 'local_only', default_processing: { reader: null } })).privacy,
    'local_only',
  )
})

test('a document queued before its project became local-only is not sent to a remote reader', async () => {
  const project = await client.projects.create({ name: 'Later', default_processing: { reader: 'looker' } })
  provider.behave('looker', 'fails')
  const created = await client.documents.createFromFile(
    pdfBlob(['This is the lease.']),
    { project_id: project.id },
    { wait_seconds: 0 },
  )
  await until(
    async () => (await client.jobs.get(created.latest_job_id!, {}, { wait_seconds: 0 })).attempts.length > 0,
    'the first attempt',
  )

  await client.projects.update(project.id, { privacy: 'local_only', default_processing: { reader: null } })
  const calls = provider.calls('looker')
  const job = await client.jobs.wait(created.latest_job_id!)

  assert.deepEqual([job.status, job.error?.code], ['failed', 'remote_not_allowed'])
  assert.equal((await client.documents.get(created.id)).status, 'failed')
  assert.deepEqual([calls > 0, provider.calls('looker')], [true, calls])
})
