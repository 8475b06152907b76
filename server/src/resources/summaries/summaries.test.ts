import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { failed } from '../../testing/ask.ts'
import { weightsDir } from '../../testing/weights.ts'

const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
const { owner, otherTenant, owner_tenant, newKey } = api

const LEASE = [
  'The lease of the house in Elm Street begins on the first of March. The tenant is Ada Byron and the landlord is the City of Lyndon.',
  'Rent is 1,200 a month. It is due on the third day of each month, in advance and without deduction. Late rent bears interest of five percent.',
  'The landlord keeps the roof, the walls and the heating in repair. The tenant keeps the garden. Nobody may keep a horse in the kitchen.',
  'Either side may end the lease with three months of notice. On its last day the tenant gives back all keys and leaves the house clean.',
]
const TEXT = LEASE.join(' ')
const sliceOf = (text: string, start: number, end: number): string => [...text].slice(start, end).join('')

test('summarizes a short text within the request with its own sentences and their places', async () => {
  const summary = await owner.summaries.create({ text: TEXT, length: 'short' })

  assert.deepEqual(
    [
      summary.status,
      summary.is_terminal,
      summary.job_id,
      summary.method,
      summary.style,
      summary.cache,
      summary.model?.id,
    ],
    ['succeeded', true, null, 'extractive', 'extractive', 'miss', 'built_in_text'],
  )
  assert.ok(summary.sentences.length > 0 && summary.sentences.length <= 3)
  for (const { text, citations } of summary.sentences) {
    const [citation] = citations
    assert.equal(sliceOf(TEXT, citation!.start, citation!.end), citation!.quote)
    assert.deepEqual([citation!.quote, citation!.document_id, citation!.match], [text, null, 'exact'])
  }
  assert.deepEqual(await owner.summaries.get(summary.id), summary)
})

test('a summary of a document cites its pages', async () => {
  const document = await owner.documents.createAndWait({
    title: 'Lease',
    source: { type: 'pages', pages: LEASE.map((text) => ({ text })) },
  })
  const pages = (await owner.pages.list(document.id)).data

  const created = await owner.summaries.create({ document_ids: [document.id], style: 'bullets' }, { wait_seconds: 0 })
  const summary = await owner.summaries.get(created.id, {}, { wait_seconds: 30 })

  assert.deepEqual([created.status, summary.status, summary.usage?.pages], ['queued', 'succeeded', 4])
  assert.ok(summary.text?.startsWith('- '))
  for (const { citations } of summary.sentences)
    for (const { page_id, page_number, start, end, quote, page_sha256 } of citations) {
      const page = pages.find(({ id }) => id === page_id)!
      assert.deepEqual([page.number, sliceOf(page.text, start, end), page.sha256], [page_number, quote, page_sha256])
    }
})

test('refuses an unsupported request and names the missing capability', async () => {
  const cases: [object, string, string][] = [
    [{ text: TEXT, style: 'abstract' }, 'style', 'capability_missing'],
    [{ text: TEXT, model: 'nobody' }, 'model', 'reference_not_found'],
    [{ text: TEXT, model: 'all-minilm-l6-v2' }, 'model', 'capability_missing'],
    [{ text: TEXT, language: 'fr' }, 'language', 'capability_missing'],
    [{ text: '  \n ' }, 'text', 'too_short'],
    [{ document_ids: ['doc_01h455vb4pex5vsknk084sn02q'] }, 'document_ids[0]', 'reference_not_found'],
    [{ text: TEXT, document_ids: ['doc_01h455vb4pex5vsknk084sn02q'] }, 'document_ids', 'inconsistent'],
    [{}, 'document_ids', 'inconsistent'],
  ]
  for (const [body, field, code] of cases) {
    const error = await failed(owner.summaries.create(body))
    assert.deepEqual(
      [error.status, error.details[0]?.field, error.details[0]?.code],
      [422, field, code],
      JSON.stringify(body),
    )
  }
})

test('deleting a document deletes its summaries, including those of several documents', async () => {
  const [one, two] = await Promise.all(
    ['One', 'Two'].map((title) =>
      owner.documents.createAndWait({ title, source: { type: 'text', text: `${title}. ${TEXT}` } }),
    ),
  )
  const summary = await owner.summaries.create({ document_ids: [two!.id, one!.id] })
  const listed = await owner.summaries.list({ document_id: one!.id })
  assert.deepEqual(
    [summary.status, summary.document_ids, listed.data.map(({ id }) => id)],
    ['succeeded', [two!.id, one!.id], [summary.id]],
  )

  await owner.documents.remove(one!.id)

  await assert.rejects(owner.summaries.get(summary.id), { code: 'not_found' })
  assert.equal((await owner.documents.get(two!.id)).status, 'ready')
})

test('a summary is visible to callers who can see its documents', async () => {
  const project = await owner.projects.create({ name: 'Seen' })
  const other = await owner.projects.create({ name: 'Unseen' })
  const { client } = await newKey(owner_tenant, { project_ids: [project.id] })
  const [seen, unseen] = await Promise.all(
    [project, other].map(({ id }) =>
      owner.documents.createAndWait({ title: 'Lease', project_id: id, source: { type: 'text', text: TEXT } }),
    ),
  )
  const [mine, theirs, both] = await Promise.all(
    [[seen!.id], [unseen!.id], [seen!.id, unseen!.id]].map((document_ids) => owner.summaries.create({ document_ids })),
  )

  assert.deepEqual([mine!.project_id, both!.project_id], [project.id, null])
  assert.equal((await client.summaries.get(mine!.id)).id, mine!.id)
  for (const { id } of [theirs!, both!]) await assert.rejects(client.summaries.get(id), { code: 'not_found' })
  await assert.rejects(otherTenant.summaries.get(mine!.id), { code: 'not_found' })
  assert.deepEqual(
    (await client.summaries.list()).data.map(({ id }) => id),
    [mine!.id],
  )
  await assert.rejects(client.summaries.create({ document_ids: [unseen!.id] }), { code: 'validation_error' })
  await assert.rejects(client.summaries.create({ text: TEXT }), { code: 'validation_error' })
  assert.equal((await client.summaries.create({ text: TEXT, project_id: project.id })).project_id, project.id)
})

test('metadata can be changed, and deletion honors If-Match', async () => {
  const summary = await owner.summaries.create({ text: TEXT, metadata: { a: '1' } })

  const patched = await owner.summaries.update(summary.id, { metadata: { b: '2' } })
  await assert.rejects(owner.summaries.remove(summary.id, { if_match: '"other"' }), { code: 'precondition_failed' })
  await owner.summaries.remove(summary.id)

  assert.deepEqual([patched.metadata, patched.text], [{ a: '1', b: '2' }, summary.text])
  await assert.rejects(owner.summaries.get(summary.id), { code: 'not_found' })
})

test('a summary of a receipt starts with its fields, each with its place', async () => {
  const text = `NORTHWIND BOOKS
12 Harbor Street
Receipt #: R-20481
Date: 03/14/2026
Customer: Ana Lindqvist
Atlas of Rivers 48.00
Subtotal: $50.50
TOTAL: $54.54
Thank you for your visit!`

  const { sentences } = await owner.summaries.create({ text, length: 'short' })

  assert.deepEqual(
    sentences.slice(0, 5).map((sentence) => sentence.text),
    ['NORTHWIND BOOKS', 'Customer: Ana Lindqvist', 'Receipt #: R-20481', 'TOTAL: $54.54', 'Date: 03/14/2026'],
  )
  for (const { citations } of sentences)
    for (const { start, end, quote } of citations) assert.equal(text.slice(start, end), quote)
})
