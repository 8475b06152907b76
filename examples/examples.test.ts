// Each adapter as a process, on the real server.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../server/src/testing/api.ts'
import { weightsDir } from '../server/src/testing/weights.ts'
import { type AdapterProcess, startAdapterProcess } from './testing.ts'

const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })

/** Starts an example and returns a function that sends it requests. */
async function startExample(name: string): Promise<AdapterProcess['ask']> {
  const { ask, stop } = await startAdapterProcess(name, api.url, api.owner_key)
  after(stop)
  return ask
}

test('Dify retrieves passages of a project', async () => {
  const project = await api.owner.projects.create({ name: 'Leases' })
  const pages = ['The lease begins on the first of March.', 'Rent is due on the third day of each month.']
  const { id } = await api.owner.documents.createAndWait({
    title: 'Lease',
    project_id: project.id,
    metadata: { kind: 'lease' },
    source: { type: 'pages', pages: pages.map((text) => ({ text })) },
  })
  const ask = await startExample('dify')
  const request = {
    knowledge_id: project.id,
    query: 'When is the rent due?',
    retrieval_setting: { top_k: 1, score_threshold: 0 },
  }
  const condition = (name: string, value: string, comparison_operator = 'is') => ({
    ...request,
    metadata_condition: { conditions: [{ name, comparison_operator, value }] },
  })
  const found = await ask('/retrieval', request)
  const filtered = await ask('/retrieval', condition('kind', 'letter'))
  const refused = await ask('/retrieval', condition('kind', 'lease', 'contains'))
  const unknown = await ask('/retrieval', { ...request, knowledge_id: 'prj_01h455vb4pex5vsknk084sn02q' })
  const wrongKey = await ask('/retrieval', request, 'wrong')

  const { records } = found.body as { records: { content: string; score: number; title: string; metadata: object }[] }
  assert.deepEqual([found.status, records.length, records[0]?.title], [200, 1, 'Lease'])
  assert.match(records[0]?.content ?? '', /Rent is due/)
  assert.deepEqual(records[0]?.metadata, { kind: 'lease', document_id: id, page_number: 2 })
  assert.deepEqual(filtered.body, { records: [] })
  assert.equal(refused.status, 400)
  assert.equal((unknown.body as { error_code: number }).error_code, 2001)
  assert.equal((wrongKey.body as { error_code: number }).error_code, 1002)
})

test('a program for the OpenAI API gets embeddings', async () => {
  const ask = await startExample('openai-embeddings')
  const models = await ask('/v1/models')
  const model = (models.body as { data: { id: string }[] }).data[0]?.id
  const input = ['The rent is due.', 'A cat sleeps.']
  const floats = await ask('/v1/embeddings', { model, input })
  const base64 = await ask('/v1/embeddings', { model, input: input[0], encoding_format: 'base64' })
  const tokens = await ask('/v1/embeddings', { model, input: [[1, 2]] })
  const wrongKey = await ask('/v1/embeddings', { model, input }, 'wrong')

  const { data, usage } = floats.body as { data: { embedding: number[]; index: number }[]; usage: object }
  assert.deepEqual(
    data.map(({ index, embedding }) => [index, embedding.length]),
    [
      [0, 384],
      [1, 384],
    ],
  )
  assert.ok('prompt_tokens' in usage)
  const [encoded] = (base64.body as { data: { embedding: string }[] }).data
  const decoded = new Float32Array(Uint8Array.from(Buffer.from(encoded?.embedding ?? '', 'base64')).buffer)
  // A vector depends slightly on the other inputs of its batch.
  const cosine = decoded.reduce((sum, value, index) => sum + value * (data[0]?.embedding[index] ?? 0), 0)
  assert.ok(cosine > 0.9, `cosine ${cosine}`)
  assert.deepEqual([tokens.status, wrongKey.status], [400, 401])
  assert.match((tokens.body as { error: { message: string } }).error.message, /not tokens/)
})
