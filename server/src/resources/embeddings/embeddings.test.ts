import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Embedding } from '@octavo/sdk'
import { newUuid } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { ask, failed } from '../../testing/ask.ts'
import { examplesOf } from '../../testing/examples.ts'
import { startProvider } from '../../testing/provider.ts'
import { weightsDir } from '../../testing/weights.ts'

const provider = await startProvider({ dimensions: 8 })
const file = join(tmpdir(), `octavo-models-${newUuid()}.json`)
await writeFile(
  file,
  JSON.stringify({
    providers: [{ id: 'stub', base_url: provider.url, locality: 'remote' }],
    models: [
      {
        id: 'far',
        provider: 'stub',
        model: 'far',
        kind: 'embedder',
        context_tokens: 512,
        dimensions: 8,
        max_batch: 64,
      },
      { id: 'wide', provider: 'stub', model: 'wide', kind: 'embedder', context_tokens: 512, dimensions: 16_000 },
    ],
  }),
)
after(() => Promise.all([provider.close(), rm(file)]))
const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir(), MODELS_FILE: file })
const { owner, otherTenant, owner_tenant, newKey } = api
// On a busy machine the engine takes longer to start than a request waits for it.
await owner.embeddings.create({ inputs: ['Begin.'] })

const CAT = 'The cat sleeps on the sofa.'
const RATES = 'Interest rates rose by half a percent.'
const numbersOf = ({ vector }: Embedding['data'][number]): number[] =>
  typeof vector === 'string'
    ? [...new Float32Array(Uint8Array.from(Buffer.from(vector, 'base64')).buffer)]
    : (vector as number[])
const cosine = (a: number[], b: number[]): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
const newDocument = (texts: string[], project_id?: string) =>
  owner.documents.createAndWait({
    title: 'Letter',
    source: { type: 'pages', pages: texts.map((text) => ({ text })) },
    ...(project_id === undefined ? {} : { project_id }),
  })

test('embeds a few texts within the request, in order', async () => {
  const made = await owner.embeddings.create({ inputs: [CAT, RATES, 'A kitten naps on the couch.'] })

  assert.deepEqual(
    [made.status, made.job_id, made.method, made.model?.id, made.dimensions, made.encoding_format, made.warnings],
    ['succeeded', null, 'embedding', 'all-minilm-l6-v2', 384, 'float', []],
  )
  assert.deepEqual(
    made.data.map(({ index, chunk_id }) => [index, chunk_id]),
    [0, 1, 2].map((index) => [index, null]),
  )
  const [cat, rates, kitten] = made.data.map(numbersOf)
  for (const vector of [cat!, rates!, kitten!]) {
    assert.equal(vector.length, 384)
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4)
  }
  assert.ok(cosine(cat!, kitten!) > cosine(cat!, rates!) + 0.2)
  assert.ok(made.usage!.input_tokens > 10)
  assert.deepEqual(await owner.embeddings.get(made.id), made)
})

test('returns the stored vectors as Base64', async () => {
  const inputs = ['The lease ends in May.']
  const floats = await owner.embeddings.create({ inputs })
  const base64 = await owner.embeddings.create({ inputs, encoding_format: 'base64' })
  const anew = await owner.embeddings.create({ inputs, cache: 'bypass' })

  assert.deepEqual([floats.cache, base64.cache, anew.cache], ['miss', 'hit', 'bypass'])
  assert.equal(typeof base64.data[0]!.vector, 'string')
  const [a, b] = [numbersOf(floats.data[0]!), numbersOf(base64.data[0]!)]
  assert.equal(b.length, 384)
  assert.ok(a.every((value, i) => Math.abs(value - b[i]!) < 1e-9))
})

test('many texts become a job, and lists omit the vectors', async () => {
  const inputs = Array.from(
    { length: 200 },
    (_, i) => `Letter ${i} is about ${i % 2 === 0 ? 'a roof that leaks' : 'an invoice'}.`,
  )

  const made = await owner.embeddings.create({ inputs, encoding_format: 'base64' })

  assert.match(made.job_id!, /^job_/)
  assert.deepEqual([made.status, made.data.length, made.usage!.input_tokens > 1_000], ['succeeded', 200, true])
  const vectors = made.data.map(numbersOf)
  assert.ok(cosine(vectors[0]!, vectors[2]!) > cosine(vectors[0]!, vectors[1]!))
  const { data } = await owner.embeddings.list()
  assert.ok(data.length > 1 && data.every((one) => one.data.length === 0))
  assert.equal(data[0]!.dimensions, 384)
})

test('embeds the chunks of a document in order', async () => {
  const document = await newDocument([`${CAT} `.repeat(80), RATES])
  const chunks = (await owner.chunks.list(document.id)).data

  const made = await owner.embeddings.create({ document_id: document.id })

  assert.deepEqual([made.status, made.document_id, made.usage?.pages], ['succeeded', document.id, 2])
  assert.deepEqual(
    made.data.map(({ chunk_id }) => chunk_id),
    chunks.map(({ id }) => id),
  )
  assert.ok(chunks.length > 2)
  const alone = await owner.embeddings.create({ inputs: [chunks.at(-1)!.text] })
  assert.ok(cosine(numbersOf(made.data.at(-1)!), numbersOf(alone.data[0]!)) > 0.98)
})

test('embeds a long text to its end and warns about it', async () => {
  const start = 'The tenant keeps two dogs in the garden. '.repeat(60)
  const made = await owner.embeddings.create({ inputs: [start, start + `${RATES} `.repeat(150), RATES] })

  const [first, second, rates] = made.data.map(numbersOf)
  assert.ok(cosine(second!, rates!) > cosine(first!, rates!) + 0.2)
  assert.equal(made.warnings.length, 1)
  assert.match(made.warnings[0]!, /^2 inputs \(the first: inputs\[0\]\) are longer than the 256 tokens/)
})

test('refuses an invalid embedding request and names the field', async () => {
  const refusals = await Promise.all(
    [
      { inputs: [CAT, ' \n'] },
      { inputs: [CAT], dimensions: 100 },
      { inputs: [CAT], model: 'built_in_text' },
      { inputs: [CAT], document_id: 'doc_01h455vb4pex5vsknk084sn02q' as const },
      {},
      { inputs: Array.from({ length: 257 }, () => CAT) },
      { document_id: 'doc_01h455vb4pex5vsknk084sn02q' as const },
    ].map((body) => failed(owner.embeddings.create(body))),
  )

  assert.deepEqual(
    refusals.map(({ status, details }) => [status, details[0]?.field, details[0]?.code]),
    [
      [422, 'inputs[1]', 'too_short'],
      [422, 'dimensions', 'not_allowed_value'],
      [422, 'model', 'capability_missing'],
      [422, 'document_id', 'inconsistent'],
      [422, 'document_id', 'inconsistent'],
      [422, 'inputs', 'too_many_items'],
      [422, 'document_id', 'reference_not_found'],
    ],
  )
  assert.equal((await owner.embeddings.create({ inputs: [CAT], dimensions: 384 })).status, 'succeeded')
})

test("warns about chunks that exceed the model's context", async () => {
  const document = await newDocument(['漢字は難しいが、とても美しい。'.repeat(60)])

  const made = await owner.embeddings.create({ document_id: document.id })

  assert.equal(made.status, 'succeeded')
  assert.match(made.warnings.join(), /chunks? (is|are) longer than the 256 tokens of the model's context/)
})

test('a document with too many vectors for one response fails before any cost', async () => {
  const document = await newDocument(['x'.repeat(260_000)])
  const before = provider.calls('wide')

  const made = await owner.embeddings.create({ document_id: document.id, model: 'wide', encoding_format: 'base64' })
  const floats = await owner.embeddings.create({ document_id: document.id, model: 'wide' })

  assert.deepEqual(
    [made.status, made.error?.code, provider.calls('wide') - before],
    ['failed', 'document_too_large', 0],
  )
  assert.match(made.error!.message, /more than 250 chunks/)
  assert.match(floats.error!.message, /more than 37 chunks.* as float\. Use the encoding_format 'base64'/)
})

test('a document without words fails with a reason', async () => {
  const document = await newDocument([' '])

  const made = await owner.embeddings.create({ document_id: document.id })

  assert.deepEqual([made.status, made.error?.code, made.data], ['failed', 'document_empty', []])
})

test('a job calls a remote model once for each batch', async () => {
  const before = provider.calls('far')
  const inputs = Array.from({ length: 130 }, (_, i) => `word${i}`)

  const made = await owner.embeddings.create({ inputs, model: 'far' })
  const again = await owner.embeddings.create({ inputs, model: 'far' })

  assert.deepEqual([made.status, made.dimensions, made.data.length, again.cache], ['succeeded', 8, 130, 'hit'])
  for (const one of made.data) assert.ok(Math.abs(Math.hypot(...numbersOf(one)) - 1) < 1e-4)
  assert.equal(provider.calls('far') - before, 3)
})

test('resumes after a provider failure without repeating finished batches', async () => {
  provider.behave('far', 'well', 'well', 'fails', 'fails', 'fails', 'well')
  const before = provider.calls('far')
  const inputs = Array.from({ length: 150 }, (_, i) => `other${i}`)

  const created = await owner.embeddings.create({ inputs, model: 'far' })
  const made = await owner.embeddings.get(created.id, {}, { wait_seconds: 45 })

  assert.deepEqual([made.status, made.data.length], ['succeeded', 150])
  const asked = provider.asked
    .slice(before - provider.calls('far'))
    .filter(({ body }) => body.input?.includes('other0'))
  assert.equal(asked.length, 1)
})

test('a local-only project refuses a remote model and accepts a local one', async () => {
  const project = await owner.projects.create({ name: 'Private', privacy: 'local_only' })
  const before = provider.calls()

  const refused = await failed(owner.embeddings.create({ inputs: [CAT], project_id: project.id, model: 'far' }))
  const made = await owner.embeddings.create({ inputs: [CAT], project_id: project.id })

  assert.deepEqual(
    [refused.status, refused.details[0]?.field, refused.details[0]?.code],
    [422, 'model', 'not_allowed_value'],
  )
  assert.deepEqual([made.status, made.model?.locality, provider.calls() - before], ['succeeded', 'local', 0])
})

test('refuses an embedding if no embedder is available', async (t) => {
  const bare = await startApi(t, {}, undefined, false)

  const refused = await failed(bare.owner.embeddings.create({ inputs: [CAT] }))

  assert.deepEqual([refused.status, refused.details[0]?.code], [422, 'capability_missing'])
})

test('an embedding is hidden from other callers and deleted with its document', async () => {
  const [ours, theirs] = [
    await owner.projects.create({ name: 'Ours' }),
    await owner.projects.create({ name: 'Theirs' }),
  ]
  const { client } = await newKey(owner_tenant, { project_ids: [ours.id] })
  const document = await newDocument([CAT], theirs.id)
  const { id } = await owner.embeddings.create({ document_id: document.id })

  await assert.rejects(otherTenant.embeddings.get(id), { code: 'not_found' })
  await assert.rejects(client.embeddings.get(id), { code: 'not_found' })
  assert.equal((await failed(client.embeddings.create({ document_id: document.id }))).status, 422)
  assert.equal((await client.embeddings.create({ inputs: [CAT], project_id: ours.id })).status, 'succeeded')
  await owner.documents.remove(document.id)
  await assert.rejects(owner.embeddings.get(id), { code: 'not_found' })
})

test('metadata updates honor If-Match, and a deleted embedding is not found', async () => {
  const { id } = await owner.embeddings.create({ inputs: [CAT] })
  const path = `/api/v1/embeddings/${id}`
  const etag = (await ask(api, path)).headers.etag!
  const headers = { 'if-match': etag }
  const body = JSON.stringify({ metadata: { checked: 'yes' } })

  const changed = await ask(api, path, { method: 'PATCH', headers, body })
  assert.deepEqual([changed.status, numbersOf((JSON.parse(changed.text) as Embedding).data[0]!).length], [200, 384])
  assert.equal((await ask(api, path, { method: 'PATCH', headers, body })).status, 412)
  assert.equal((await ask(api, path, { method: 'DELETE', headers })).status, 412)
  await owner.embeddings.remove(id)
  await assert.rejects(owner.embeddings.get(id), { code: 'not_found' })
})

test('the examples of the guide work as written', async () => {
  const document = await newDocument([CAT, RATES])
  const examples = examplesOf('embeddings.md', { DOCUMENT: document.id })

  assert.equal(examples.length, 2)
  for (const { path, body } of examples) {
    const answer = await ask(api, `/api/v1${path}`, { method: 'POST', body, headers: { prefer: 'wait=30' } })
    const made = JSON.parse(answer.text) as Embedding
    assert.deepEqual([answer.status, made.status], [201, 'succeeded'], answer.text)
    assert.ok(made.data.length > 0)
  }
})
