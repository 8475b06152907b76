import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Classification } from '@octavo/sdk'
import { startApi } from '../../testing/api.ts'
import { ask, failed } from '../../testing/ask.ts'
import { examplesOf } from '../../testing/examples.ts'
import { weightsDir } from '../../testing/weights.ts'

const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
const { owner, otherTenant, owner_tenant, newKey } = api
// On a busy machine the engine takes longer to start than a request waits for it.
await owner.embeddings.create({ inputs: ['Begin.'], model: 'bge-small-en-v1.5' })

const LABELS = [
  { name: 'billing', description: 'Invoices, payments, refunds and prices' },
  { name: 'repairs', description: 'Something is broken and must be repaired' },
  { name: 'shipping', description: 'Parcels, delivery and addresses' },
]
const INVOICE = 'Please send the invoice again. The amount on the last one was wrong, and we have paid twice.'
const PAGES = [
  'The parcel was sent to our old address. We moved to Elm Street in March. The courier left it with a neighbour.',
  'The heating in the kitchen is broken. Cold water drips from the boiler, and the landlord must repair it before winter.',
  'The second parcel has not been delivered either. The tracking number says that the delivery is delayed until Friday.',
]
const sliceOf = (text: string, start: number, end: number): string => [...text].slice(start, end).join('')
const newDocument = (pages: string[]) =>
  owner.documents.createAndWait({ title: 'Letter', source: { type: 'pages', pages: pages.map((text) => ({ text })) } })

test('classifies a short text within the request and cites the supporting passages', async () => {
  const made = await owner.classifications.create({ text: INVOICE, labels: LABELS })

  assert.deepEqual(
    [made.status, made.job_id, made.method, made.model?.id, made.cache, made.label],
    ['succeeded', null, 'embedding', 'bge-small-en-v1.5', 'miss', 'billing'],
  )
  assert.deepEqual(made.results.map(({ label }) => label).toSorted(), ['billing', 'repairs', 'shipping'])
  const [best, second] = made.results
  assert.ok(best!.score > second!.score && made.results.reduce((sum, { score }) => sum + score, 0) <= 1.001)
  for (const { start, end, quote, document_id } of best!.citations)
    assert.deepEqual([sliceOf(INVOICE, start, end), document_id], [quote, null])
  assert.ok(best!.citations.length > 0 && made.usage!.input_tokens > 20)
  assert.deepEqual(
    made.labels.map(({ description, examples }) => [typeof description, examples]),
    LABELS.map(() => ['string', []]),
  )
  assert.deepEqual(await owner.classifications.get(made.id), made)
})

test('cites the supporting passages of a document by page', async () => {
  const document = await newDocument(PAGES)
  const pages = (await owner.pages.list(document.id)).data

  const made = await owner.classifications.create({ document_id: document.id, labels: LABELS })

  assert.deepEqual(
    [made.status, made.label, made.document_id, made.usage?.pages],
    ['succeeded', 'shipping', document.id, 3],
  )
  assert.match(made.job_id!, /^job_/)
  for (const { citations } of made.results)
    for (const { page_id, page_number, start, end, quote } of citations) {
      const page = pages.find(({ id }) => id === page_id)!
      assert.deepEqual([page.number, sliceOf(page.text, start, end)], [page_number, quote])
    }
  assert.notEqual(made.results[0]!.citations[0]!.page_number, 2)
})

test('with multiple labels, a label that fits one of many pages is assigned', async () => {
  const document = await newDocument([...PAGES, PAGES[0]!, PAGES[2]!, PAGES[0]!])
  const garden = { name: 'gardening', description: 'Flowers, lawns and trees' }

  const made = await owner.classifications.create({
    document_id: document.id,
    labels: [...LABELS, garden],
    multi_label: true,
  })

  const scoreOf = (label: string): number => made.results.find((one) => one.label === label)!.score
  assert.ok(
    scoreOf('repairs') > 0.4 && scoreOf('shipping') > 0.4,
    JSON.stringify(made.results.map(({ label, score }) => [label, score])),
  )
  assert.ok(scoreOf('gardening') < 0.3)
  assert.equal(made.results.find(({ label }) => label === 'repairs')!.citations[0]!.page_number, 2)
})

test('examples define the meaning of a label', async () => {
  const labels = [
    { name: 'a', examples: ['My card was swallowed by the machine', 'The cash machine kept my card'] },
    { name: 'b', examples: ['How do I change my address?', 'I have moved, please update my home address'] },
  ]
  const made = await owner.classifications.create({ text: 'The ATM did not give my card back', labels })

  assert.equal(made.label, 'a')
})

test('an unrelated text gets no label, and the threshold decides the match', async () => {
  const text = 'Photosynthesis turns light into sugar in the leaves of plants.'
  const strict = await owner.classifications.create({ text, labels: LABELS, threshold: 0.9 })
  const lax = await owner.classifications.create({ text, labels: LABELS, threshold: 0 })

  assert.deepEqual([strict.label, strict.threshold, lax.label], [null, 0.9, lax.results[0]!.label])
})

test('returns the first result for the same request unless the cache is bypassed', async () => {
  const wanted = { text: 'The radiator leaks. Please repair it soon.', labels: LABELS }
  const first = await owner.classifications.create(wanted)
  const second = await owner.classifications.create(wanted)
  const anew = await owner.classifications.create({ ...wanted, cache: 'bypass' })
  const other = await owner.classifications.create({ ...wanted, labels: LABELS.slice(0, 2) })

  assert.deepEqual([first.cache, second.cache, anew.cache, other.cache], ['miss', 'hit', 'bypass', 'miss'])
  assert.deepEqual([second.results, second.usage?.input_tokens], [first.results, 0])
  assert.equal(new Set([first.fingerprint, second.fingerprint, anew.fingerprint]).size, 1)
  assert.notEqual(first.id, second.id)
})

test('label names must be unique, and the input is either a document or a text', async () => {
  const [label] = LABELS
  const twice = await failed(owner.classifications.create({ text: INVOICE, labels: [label!, label!] }))
  const blank = await failed(owner.classifications.create({ text: INVOICE, labels: [label!, { name: '  ' }] }))
  const empty = await failed(owner.classifications.create({ text: ' \n ', labels: LABELS }))
  const both = await failed(
    owner.classifications.create({ text: INVOICE, document_id: 'doc_01h455vb4pex5vsknk084sn02q', labels: LABELS }),
  )
  const gone = await failed(
    owner.classifications.create({ document_id: 'doc_01h455vb4pex5vsknk084sn02q', labels: LABELS }),
  )
  const one = await failed(owner.classifications.create({ text: INVOICE, labels: [label!] }))

  assert.deepEqual(
    [twice, blank, empty, both, gone, one].map(({ status, details }) => [status, details[0]?.field, details[0]?.code]),
    [
      [422, 'labels[1].name', 'duplicate_items'],
      [422, 'labels[1].name', 'too_short'],
      [422, 'text', 'too_short'],
      [422, 'document_id', 'inconsistent'],
      [422, 'document_id', 'reference_not_found'],
      [422, 'labels', 'too_few_items'],
    ],
  )
})

test('a document without words fails with a reason', async () => {
  const document = await newDocument([' '])

  const made = await owner.classifications.create({ document_id: document.id, labels: LABELS })

  assert.deepEqual([made.status, made.error?.code, made.label, made.results], ['failed', 'document_empty', null, []])
})

test('built_in_text compares vectors, and another embedder can be selected', async () => {
  const engine = await owner.classifications.create({ text: INVOICE, labels: LABELS, model: 'built_in_text' })
  const other = await owner.classifications.create({ text: INVOICE, labels: LABELS, model: 'all-minilm-l6-v2' })
  const unknown = await failed(owner.classifications.create({ text: INVOICE, labels: LABELS, model: 'nobody' }))

  assert.deepEqual(
    [engine.model?.id, other.model?.id, other.label],
    ['bge-small-en-v1.5', 'all-minilm-l6-v2', 'billing'],
  )
  assert.deepEqual([unknown.status, unknown.details[0]?.code], [422, 'reference_not_found'])
})

test('refuses a classification if no model is available', async (t) => {
  const bare = await startApi(t, {}, undefined, false)

  const refused = await failed(bare.owner.classifications.create({ text: INVOICE, labels: LABELS }))

  assert.deepEqual([refused.status, refused.details[0]?.code], [422, 'capability_missing'])
})

test("another tenant's classification looks like one that does not exist", async () => {
  const { id } = await owner.classifications.create({ text: INVOICE, labels: LABELS })

  await assert.rejects(otherTenant.classifications.get(id), { code: 'not_found' })
  await assert.rejects(otherTenant.classifications.update(id, {}), { code: 'not_found' })
  await assert.rejects(otherTenant.classifications.remove(id), { code: 'not_found' })
  assert.deepEqual((await otherTenant.classifications.list()).data, [])
})

test('a project key creates and sees only classifications of its project', async () => {
  const [ours, theirs] = [
    await owner.projects.create({ name: 'Ours' }),
    await owner.projects.create({ name: 'Theirs' }),
  ]
  const { client } = await newKey(owner_tenant, { project_ids: [ours.id] })
  const foreign = await owner.classifications.create({ text: INVOICE, labels: LABELS, project_id: theirs.id })
  const made = await client.classifications.create({ text: INVOICE, labels: LABELS, project_id: ours.id })

  assert.deepEqual([made.project_id, made.cache], [ours.id, 'miss'])
  await assert.rejects(client.classifications.get(foreign.id), { code: 'not_found' })
  assert.equal((await failed(client.classifications.create({ text: INVOICE, labels: LABELS }))).status, 422)
  assert.deepEqual(
    (await client.classifications.list()).data.map(({ id }) => id),
    [made.id],
  )
})

test('metadata updates honor If-Match, and a deleted classification is not found', async () => {
  const { id } = await owner.classifications.create({ text: INVOICE, labels: LABELS })
  const path = `/api/v1/classifications/${id}`
  const etag = (await ask(api, path)).headers.etag!
  const change = (headers: Record<string, string>) =>
    ask(api, path, { method: 'PATCH', headers, body: JSON.stringify({ metadata: { checked: 'yes' } }) })

  assert.equal((await change({ 'if-match': etag })).status, 200)
  assert.equal((await change({ 'if-match': etag })).status, 412)
  assert.deepEqual((await owner.classifications.get(id)).metadata, { checked: 'yes' })
  assert.equal((await ask(api, path, { method: 'DELETE', headers: { 'if-match': etag } })).status, 412)
  await owner.classifications.remove(id)
  await assert.rejects(owner.classifications.get(id), { code: 'not_found' })
})

test('lists a classification under its document and deletes it with the document', async () => {
  const document = await newDocument(PAGES)
  const { id } = await owner.classifications.create({ document_id: document.id, labels: LABELS })

  assert.deepEqual(
    (await owner.classifications.list({ document_id: document.id })).data.map((one) => one.id),
    [id],
  )
  await owner.documents.remove(document.id)

  await assert.rejects(owner.classifications.get(id), { code: 'not_found' })
})

test('the examples of the guide work as written', async () => {
  const document = await newDocument(PAGES)
  const examples = examplesOf('classifications.md', { DOCUMENT: document.id })

  assert.equal(examples.length, 2)
  for (const { path, body } of examples) {
    const answer = await ask(api, `/api/v1${path}`, { method: 'POST', body, headers: { prefer: 'wait=30' } })
    const made = JSON.parse(answer.text) as Classification
    assert.deepEqual([answer.status, made.status], [201, 'succeeded'], answer.text)
    assert.ok(made.results.length > 1)
  }
})

test('without examples, a label must lead clearly unless the request sets a threshold', async () => {
  const text =
    'TechMart receipt: wireless mouse, keyboard, monitor. Total 821.14, paid by card. Thank you for shopping.'
  const labels = [{ name: 'repair estimate' }, { name: 'medical report' }, { name: 'court transcript' }]

  const careful = await owner.classifications.create({ text, labels })
  const any = await owner.classifications.create({ text, labels, threshold: 0 })
  const byExample = await owner.classifications.create({
    text,
    labels: labels.map((label) => ({ ...label, examples: [`This is a ${label.name}.`] })),
  })

  assert.deepEqual(
    [careful.threshold, careful.label],
    [0.6, careful.results[0]!.score >= 0.6 ? careful.results[0]!.label : null],
  )
  assert.deepEqual([any.threshold, any.label], [0, any.results[0]!.label])
  assert.equal(byExample.threshold, 0.3)
})
