import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'

const { owner, otherTenant } = await startApi({ after })

async function documentOf(...texts: string[]) {
  const { data, response } = await owner.documents
    .create({ title: 'Lease', source: { type: 'pages', pages: texts.map((text) => ({ text })) } })
    .withResponse()
  const { data: pages } = await owner.pages.list(data.id)
  return { ...data, pages, etag: response.headers.get('etag')! }
}
const etagOf = async (id: string): Promise<string> =>
  (await owner.documents.get(id).withResponse()).response.headers.get('etag')!
const numbersOf = async (id: string): Promise<number[]> => (await owner.pages.list(id)).data.map(({ number }) => number)

test('a page without a number is appended; a page with one is inserted at its place', async () => {
  const document = await documentOf('One', 'Two')

  const third = await owner.pages.create(document.id, { text: 'Three' })
  const tenth = await owner.pages.create(document.id, { text: 'Ten', number: 10 })
  const eleventh = await owner.pages.create(document.id, { text: 'Eleven' })
  const fifth = await owner.pages.create(document.id, { text: 'Five', number: 5 })

  assert.deepEqual([third.number, tenth.number, eleventh.number, fifth.number], [3, 10, 11, 5])
  assert.deepEqual(await numbersOf(document.id), [1, 2, 3, 5, 10, 11])
  assert.deepEqual([third.text_source, third.status, third.document_id], ['supplied', 'succeeded', document.id])
  assert.equal(third.sha256, createHash('sha256').update('Three').digest('hex'))
})

test('deleting a page leaves a gap', async () => {
  const document = await documentOf('One', 'Two', 'Three')

  await owner.pages.remove(document.id, document.pages[1]!.id)
  const added = await owner.pages.create(document.id, { text: 'Four' })

  assert.equal(added.number, 4)
  assert.deepEqual(await numbersOf(document.id), [1, 3, 4])
  assert.equal((await owner.documents.get(document.id)).page_count, 3)
})

test('a page number is unique, and the conflict names the page', async () => {
  const document = await documentOf('One', 'Two')

  const clash = await failed(owner.pages.create(document.id, { text: 'Again', number: 2 }))

  assert.equal(clash.code, 'conflict')
  assert.deepEqual(summaryOf(clash), [409, 'number taken'])
  assert.equal(clash.details[0]?.id, document.pages[1]!.id)
  assert.deepEqual(await numbersOf(document.id), [1, 2])
})

test('a page number cannot change and may be sent back unchanged', async () => {
  const document = await documentOf('One')
  const [page] = document.pages

  const same = await owner.pages.replace(document.id, page!.id, { ...page!, text: 'Uno' })
  const error = await failed(owner.pages.update(document.id, page!.id, { number: 2 } as never))

  assert.deepEqual([same.number, same.text], [1, 'Uno'])
  assert.deepEqual(summaryOf(error), [422, 'number immutable'])
})

test('no page can be appended after the highest number', async () => {
  const document = await documentOf()
  await owner.pages.create(document.id, { text: 'Last', number: 2_147_483_647 })

  await assert.rejects(owner.pages.create(document.id, { text: 'More' }), { code: 'conflict', status: 409 })
  assert.equal((await owner.pages.create(document.id, { text: 'More', number: 7 })).number, 7)
})

test('every page change changes the ETag and counts of its document', async () => {
  const document = await documentOf('One')
  const tags = [document.etag]
  const changes = [
    () => owner.pages.create(document.id, { text: 'Two' }),
    () => owner.pages.update(document.id, document.pages[0]!.id, { text: 'Uno' }),
    () => owner.pages.replace(document.id, document.pages[0]!.id, { text: 'Ein' }),
    () => owner.pages.remove(document.id, document.pages[0]!.id),
  ]
  const counts: number[] = []

  for (const change of changes) {
    await change()
    tags.push(await etagOf(document.id))
    const { page_count, pages_ready } = await owner.documents.get(document.id)
    assert.equal(page_count, pages_ready)
    counts.push(page_count)
  }

  assert.equal(new Set(tags).size, 5)
  assert.deepEqual(counts, [2, 2, 2, 1])
})

test('a text change marks the page as corrected; a metadata change does not', async () => {
  const document = await documentOf('One')
  const [page] = document.pages

  const described = await owner.pages.update(document.id, page!.id, { metadata: { kind: 'cover' } })
  const corrected = await owner.pages.update(document.id, page!.id, { text: 'Uno' })
  const replaced = await owner.pages.replace(document.id, page!.id, { text: 'Uno' })

  assert.deepEqual([described.text_source, described.sha256], ['supplied', page!.sha256])
  assert.deepEqual([corrected.text_source, corrected.metadata], ['corrected', { kind: 'cover' }])
  assert.equal(corrected.sha256, createHash('sha256').update('Uno').digest('hex'))
  assert.deepEqual([replaced.text_source, replaced.metadata], ['corrected', {}])
})

test('If-Match on the document guards adding a page', async () => {
  const document = await documentOf('One')

  await owner.pages.create(document.id, { text: 'Two' }, { if_match: document.etag })
  await assert.rejects(owner.pages.create(document.id, { text: 'Two' }, { if_match: document.etag }), {
    code: 'precondition_failed',
  })
  await owner.pages.create(document.id, { text: 'Three' }, { if_match: await etagOf(document.id) })
  await owner.pages.create(document.id, { text: 'Four' }, { if_match: '*' })

  assert.deepEqual(await numbersOf(document.id), [1, 2, 3, 4])
})

test("If-Match on a page uses its own ETag, not the document's", async () => {
  const document = await documentOf('One', 'Two')
  const { response } = await owner.pages.get(document.id, document.pages[0]!.id).withResponse()
  const tag = response.headers.get('etag')!
  await owner.pages.update(document.id, document.pages[1]!.id, { text: 'Due' })

  await owner.pages.update(document.id, document.pages[0]!.id, { text: 'Uno' }, { if_match: tag })

  for (const if_match of [tag, await etagOf(document.id)])
    await assert.rejects(owner.pages.remove(document.id, document.pages[0]!.id, { if_match }), {
      code: 'precondition_failed',
    })
})

test('a document has at most two thousand pages', async () => {
  const document = await documentOf(...Array.from({ length: 1_999 }, (_, i) => `Page ${i + 1}`))
  const last = await owner.pages.create(document.id, { text: 'Page 2000' })

  await assert.rejects(owner.pages.create(document.id, { text: 'Page 2001' }), { code: 'conflict', status: 409 })
  const pages = { type: 'pages', pages: Array.from({ length: 2_001 }, () => ({ text: '' })) } as const
  const error = await failed(owner.documents.create({ title: 'Too long', source: pages }))

  assert.equal(last.number, 2_000)
  assert.equal((await owner.documents.get(document.id)).page_count, 2_000)
  assert.deepEqual(summaryOf(error), [422, 'source.pages too_many_items'])
})

test('a page holds up to a million characters', async () => {
  const document = await documentOf()
  const full = await owner.pages.create(document.id, { text: 'é'.repeat(1_000_000) })

  const error = await failed(owner.pages.update(document.id, full.id, { text: 'x'.repeat(1_000_001) }))

  assert.equal((await owner.pages.get(document.id, full.id)).text.length, 1_000_000)
  assert.deepEqual(summaryOf(error), [422, 'text too_long'])
})

test('a large page sent twice with the same key is created once', async () => {
  const document = await documentOf()
  const large = { text: 'é\n'.repeat(400_000), metadata: { note: 'x'.repeat(500) } }

  const first = await owner.pages.create(document.id, large, { idempotency_key: 'large-page' }).withResponse()
  const second = await owner.pages.create(document.id, large, { idempotency_key: 'large-page' }).withResponse()

  assert.ok(JSON.stringify(first.data).length > 1024 * 1024)
  assert.deepEqual(second.data, first.data)
  assert.equal(second.response.status, 201)
  assert.equal(second.response.headers.get('idempotent-replayed'), 'true')
  for (const name of ['etag', 'location'])
    assert.equal(second.response.headers.get(name), first.response.headers.get(name))
  assert.deepEqual(await numbersOf(document.id), [1])
})

test('lists pages by number in both orders', async () => {
  const document = await documentOf('1', '2', '3', '4', '5')
  const read = async (query: object): Promise<string[]> => {
    const texts: string[] = []
    for await (const { text } of owner.pages.list(document.id, query)) texts.push(text)
    return texts
  }

  assert.deepEqual(await read({ limit: 2 }), ['1', '2', '3', '4', '5'])
  assert.deepEqual(await read({ limit: 2, sort: '-number' }), ['5', '4', '3', '2', '1'])
  assert.deepEqual(await read({ page: 2, per_page: 2 }), ['3', '4', '5'])
  assert.deepEqual(await read({ status: 'failed' }), [])
  assert.deepEqual(await read({ status: ['failed', 'succeeded'] }), ['1', '2', '3', '4', '5'])
})

test('finds a page only under its own document', async () => {
  const [one, other] = await Promise.all([documentOf('One'), documentOf('Other')])

  await assert.rejects(owner.pages.get(other.id, one.pages[0]!.id), { code: 'not_found' })
  await assert.rejects(owner.pages.remove(other.id, one.pages[0]!.id), { code: 'not_found' })
  await assert.rejects(otherTenant.pages.get(one.id, one.pages[0]!.id), { code: 'not_found' })
  assert.equal((await owner.pages.get(one.id, one.pages[0]!.id)).text, 'One')
})
