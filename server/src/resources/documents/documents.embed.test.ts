import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { pdfBlob } from '@octavo/extract/testing/pdf-files.ts'
import { ModelUnavailable } from '../../ai/model.ts'
import { startApi } from '../../testing/api.ts'
import { FakeEmbedder, useEmbedders } from '../../testing/fake-embedder.ts'
import { change, until } from '../../testing/jobs.ts'
import { startReindexing } from '../../vector-spaces/vector-spaces.service.ts'

const { app, newTenant } = await startApi({ after })
const far = new FakeEmbedder('far', 8, 'remote')
useEmbedders(app, [far])
beforeEach(() => {
  far.error = new ModelUnavailable('far', 'throttled', { retry_after_ms: 300 })
})

const LONG = 'The zeppelin flew over the lake at noon. '.repeat(1_500)

async function startTenant() {
  const { tenant, client } = await newTenant()
  const count = async (rows: string): Promise<number> => (await change(app, tenant, `select from ${rows}`)).length
  return {
    client,
    write: (text: string) => client.documents.create({ title: 'Flight', source: { type: 'text', text } }),
    countGaps: () => count('embedding_gaps where tenant_id = $1'),
    countReindexJobs: () => count(`jobs where tenant_id = $1 and type = 'reindex'`),
    countWithoutVector: () =>
      count(`chunks c where tenant_id = $1
        and not exists (select from chunk_vectors v where v.tenant_id = $1 and v.chunk_id = c.id)`),
  }
}

test('keyword search finds documents before they are embedded, and they are ready when they have vectors', async () => {
  const { client, write, countGaps, countWithoutVector } = await startTenant()
  const created = await Promise.all([
    write('The zeppelin flew.'),
    write(LONG),
    client.documents.createFromFile(pdfBlob(['The zeppelin flew.'], ['It flew on.'])),
  ])
  const readStates = () => Promise.all(created.map(async ({ id }) => (await client.documents.get(id)).status))
  const findDocuments = async () => {
    const { results } = await client.searches.create({ query: 'zeppelin', limit: 100, store: false })
    return new Set(results.map(({ document_id }) => document_id)).size
  }

  await until(async () => (await findDocuments()) === created.length, 'keyword search finds all', 60)
  const before = await readStates()
  far.error = null
  await until(async () => !(await readStates()).includes('processing'), 'the documents are ready', 60)

  assert.deepEqual(before, ['processing', 'processing', 'processing'])
  assert.deepEqual(await readStates(), ['ready', 'ready', 'ready'])
  assert.deepEqual([await countWithoutVector(), await countGaps()], [0, 0])
})

test('embeds each chunk of a long document once', async () => {
  far.error = null
  far.texts = []
  const { client, write, countWithoutVector } = await startTenant()

  const { id } = await write(LONG)
  await until(async () => (await client.documents.get(id)).status === 'ready', 'the document is ready', 60)

  const { data } = await client.chunks.list(id, { limit: 100 })
  assert.ok(data.length > 32)
  assert.deepEqual([far.texts.length, await countWithoutVector()], [data.length, 0])
})

test('the background leaves a document to its ingestion, and adds the vectors of a canceled one', async () => {
  const { client, write, countGaps, countReindexJobs, countWithoutVector } = await startTenant()
  const { latest_job_id } = await write(LONG)
  await until(async () => (await countGaps()) > 0, 'the pages are committed', 60)

  await startReindexing(app)
  const during = await countReindexJobs()
  await client.jobs.update(latest_job_id!, { status: 'cancelled' })
  await until(async () => (await client.jobs.get(latest_job_id!)).is_terminal, 'the job ends', 60)
  far.error = null
  await startReindexing(app)
  await until(async () => (await countGaps()) === 0, 'the gap is closed', 60)

  assert.deepEqual([during, await countReindexJobs(), await countWithoutVector()], [0, 1, 0])
})
