import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'

const { owner, otherTenant, owner_tenant, newKey } = await startApi({ after })

/** A key that sees only a new project. */
async function limitedKey() {
  const project = await owner.projects.create({ name: 'Visible' })
  return { project, ...(await newKey(owner_tenant, { project_ids: [project.id] })) }
}

test("another tenant's document looks like one that does not exist", async () => {
  const { id } = await owner.documents.create({ title: 'Lease' })

  const error = async (given: string): Promise<object> => {
    const { code, message, details, status } = await failed(otherTenant.documents.get(given))
    return { code, message, details, status }
  }

  assert.deepEqual(await error(id), await error('doc_01h455vb4pex5vsknk084sn02q'))
  assert.deepEqual(await error(id), await error('nonsense'))
  await assert.rejects(otherTenant.documents.get(id), { code: 'not_found' })
})

test('a document without a source is empty and ready', async () => {
  const document = await owner.documents.create({ title: 'Notes' })

  assert.deepEqual(
    [document.status, document.page_count, document.pages_ready, document.source, document.size_bytes, document.sha256],
    ['ready', 0, 0, null, null, null],
  )
})

test('splits a text into pages at form feeds', async () => {
  const text = 'One\fTwo\f\fFour é'
  const document = await owner.documents.create({ title: 'Report', source: { type: 'text', text } })

  const pages = await owner.pages.list(document.id)

  assert.deepEqual(
    pages.data.map(({ number, text: page }) => [number, page]),
    [
      [1, 'One'],
      [2, 'Two'],
      [3, ''],
      [4, 'Four é'],
    ],
  )
  assert.deepEqual(document.source, { type: 'text' })
  assert.deepEqual([document.page_count, document.pages_ready, document.media_type], [4, 4, 'text/plain'])
  assert.equal(document.size_bytes, Buffer.byteLength(text))
  assert.equal(document.sha256, createHash('sha256').update(text).digest('hex'))
})

test('refuses a text with too many pages or a page that is too long', async () => {
  const tooLong = { title: 'Long', source: { type: 'text', text: `short\f${'x'.repeat(1_000_001)}` } } as const
  const tooMany = { title: 'Many', source: { type: 'text', text: '\f'.repeat(2_000) } } as const

  assert.deepEqual(summaryOf(await failed(owner.documents.create(tooLong))), [422, 'source.text too_long'])
  assert.deepEqual(summaryOf(await failed(owner.documents.create(tooMany))), [422, 'source.text too_many_items'])
})

test('the page limit counts characters, in a text as in pages', async () => {
  const text = '😀'.repeat(600_000)

  const [one, other] = await Promise.all([
    owner.documents.create({ title: 'Faces', source: { type: 'text', text } }),
    owner.documents.create({ title: 'Faces', source: { type: 'pages', pages: [{ text }] } }),
  ])

  assert.equal(one.sha256, other.sha256)
})

test('an external id finds its document and belongs to only one', async () => {
  const document = await owner.documents.create({ title: 'Lease', external_id: 'crm-17' })

  const found = await owner.documents.list({ external_id: 'crm-17' })

  assert.deepEqual(
    found.data.map(({ id }) => id),
    [document.id],
  )
  const clash = await failed(owner.documents.create({ title: 'Again', external_id: 'crm-17' }))
  assert.equal(clash.code, 'conflict')
  assert.deepEqual(summaryOf(clash), [409, 'external_id taken'])
  assert.equal(clash.details[0]?.id, document.id)
  assert.equal((await otherTenant.documents.create({ title: 'Mine', external_id: 'crm-17' })).external_id, 'crm-17')
})

test('an external id can be reused after it is released', async () => {
  const first = await owner.documents.create({ title: 'First', external_id: 'crm-18' })
  const second = await owner.documents.create({ title: 'Second' })

  const clashes = [
    await failed(owner.documents.update(second.id, { external_id: 'crm-18' })),
    await failed(owner.documents.replace(second.id, { title: 'Second', external_id: 'crm-18' })),
  ]

  for (const { code, details } of clashes) assert.deepEqual([code, details[0]?.id], ['conflict', first.id])
  await owner.documents.update(first.id, { external_id: null })
  assert.equal((await owner.documents.update(second.id, { external_id: 'crm-18' })).external_id, 'crm-18')
  assert.equal((await owner.documents.update(second.id, { external_id: 'crm-18', title: 'Same' })).title, 'Same')
})

test('a key without access to the document gets the conflict, but not the id', async () => {
  const { client, project } = await limitedKey()
  await owner.documents.create({ title: 'Secret', external_id: 'crm-19' })
  const own = await client.documents.create({ title: 'Own', project_id: project.id })

  const clashes = [
    await failed(client.documents.create({ title: 'Guess', project_id: project.id, external_id: 'crm-19' })),
    await failed(client.documents.update(own.id, { external_id: 'crm-19' })),
    await failed(client.documents.replace(own.id, { title: 'Own', external_id: 'crm-19' })),
  ]

  for (const clash of clashes) {
    assert.deepEqual(summaryOf(clash), [409, 'external_id taken'])
    assert.ok(!('id' in clash.details[0]!))
  }
})

test('replacing a document resets omitted fields and never changes its source', async () => {
  const document = await owner.documents.create({
    title: 'Lease',
    external_id: 'crm-20',
    metadata: { year: '2026' },
    source: { type: 'pages', pages: [{ text: 'One' }] },
  })

  const replaced = await owner.documents.replace(document.id, { title: 'Contract' })

  assert.deepEqual([replaced.title, replaced.external_id, replaced.metadata], ['Contract', null, {}])
  assert.deepEqual([replaced.source, replaced.page_count, replaced.sha256], [{ type: 'pages' }, 1, document.sha256])
})

test('a document can be edited and sent back, but fields set at creation cannot change', async () => {
  const project = await owner.projects.create({ name: 'Leases' })
  const document = await owner.documents.create({
    title: 'Lease',
    project_id: project.id,
    source: { type: 'text', text: 'x' },
  })

  const replaced = await owner.documents.replace(document.id, { ...document, title: 'Contract' })

  assert.equal(replaced.title, 'Contract')
  for (const change of [{ project_id: null }, { source: { type: 'text', text: 'y' } }]) {
    const error = await failed(owner.documents.update(document.id, change as never))
    assert.deepEqual(summaryOf(error), [422, `${Object.keys(change)[0]} immutable`])
  }
})

test('merges metadata key by key, up to fifty keys', async () => {
  const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key ${i}`, 'x']))
  const document = await owner.documents.create({ title: 'Lease', metadata: fifty })

  const error = await failed(owner.documents.update(document.id, { metadata: { more: 'x' } }))
  const exchanged = await owner.documents.update(document.id, { metadata: { 'key 0': null, more: 'x' } })

  assert.deepEqual(summaryOf(error), [422, 'metadata too_many_items'])
  assert.deepEqual(
    [Object.keys(exchanged.metadata).length, exchanged.metadata.more, exchanged.metadata['key 0']],
    [50, 'x', undefined],
  )
  await assert.rejects(owner.documents.create({ title: 'Lease', metadata: { ...fifty, more: 'x' } }), { status: 422 })
})

test('deleting a document deletes its pages', async () => {
  const document = await owner.documents.create({
    title: 'Lease',
    source: { type: 'pages', pages: [{ text: 'One' }, { text: 'Two' }] },
  })
  const [page] = (await owner.pages.list(document.id)).data

  await owner.documents.remove(document.id)

  await assert.rejects(owner.documents.get(document.id), { code: 'not_found' })
  await assert.rejects(owner.pages.list(document.id), { code: 'not_found' })
  await assert.rejects(owner.pages.get(document.id, page!.id), { code: 'not_found' })
  await assert.rejects(owner.documents.remove(document.id), { code: 'not_found' })
})

test('a project key must name its project, and no other, in each document it creates', async () => {
  const { client, project } = await limitedKey()
  const other = await owner.projects.create({ name: 'Hidden' })
  const foreign = await otherTenant.projects.create({ name: 'Foreign' })

  const made = await client.documents.create({ title: 'Lease', project_id: project.id })

  assert.equal(made.project_id, project.id)
  for (const body of [
    {},
    { project_id: null },
    { project_id: other.id },
    { project_id: foreign.id },
    { project_id: 'proj_x' },
  ]) {
    const error = await failed(client.documents.create({ title: 'Lease', ...body }))
    assert.deepEqual(summaryOf(error), [422, 'project_id reference_not_found'])
  }
  await assert.rejects(owner.documents.create({ title: 'Lease', project_id: foreign.id }), { status: 422 })
})

test('a project key reads, changes and deletes only documents of its project', async () => {
  const { client, project } = await limitedKey()
  const [inside, outside] = await Promise.all([
    owner.documents.create({ title: 'Inside', project_id: project.id, source: { type: 'text', text: 'x' } }),
    owner.documents.create({ title: 'Outside', source: { type: 'text', text: 'x' } }),
  ])
  const [page] = (await owner.pages.list(outside.id)).data

  assert.equal((await client.documents.update(inside.id, { title: 'Changed' })).title, 'Changed')
  assert.equal((await client.pages.create(inside.id, { text: 'y' })).number, 2)
  for (const attempt of [
    () => client.documents.get(outside.id),
    () => client.documents.update(outside.id, { title: 'Changed' }),
    () => client.documents.remove(outside.id),
    () => client.pages.list(outside.id),
    () => client.pages.create(outside.id, { text: 'y' }),
    () => client.pages.get(outside.id, page!.id),
    () => client.pages.update(outside.id, page!.id, { text: 'y' }),
    () => client.pages.get(inside.id, page!.id),
  ])
    await assert.rejects(attempt, { code: 'not_found' })
  assert.equal((await owner.documents.get(outside.id)).title, 'Outside')
})
