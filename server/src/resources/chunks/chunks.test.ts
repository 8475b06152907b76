import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pdfBlob } from '@octavo/extract/testing/pdf-files.ts'
import type { Chunk } from '@octavo/sdk'
import { startApi } from '../../testing/api.ts'
import { tokenCounter } from '../../text/tokens.ts'

const { owner, otherTenant, owner_tenant, newKey } = await startApi({ after })
const countTokens = await tokenCounter()

const sentence = (n: number): string => `Sentence number ${n} says a little about the tenant, the rent and the house.`
const long = (first: number, count: number): string =>
  Array.from({ length: count }, (_, i) => sentence(first + i)).join(' ')
const textDocument = (...texts: string[]) =>
  owner.documents.createAndWait({ title: 'Lease', source: { type: 'pages', pages: texts.map((text) => ({ text })) } })
async function chunksOf(id: string, query: object = {}): Promise<Chunk[]> {
  const all: Chunk[] = []
  for await (const chunk of owner.chunks.list(id, query)) all.push(chunk)
  return all
}

test('chunks contain the text of their page, in page order, with token counts', async () => {
  const { id } = await textDocument(`😀 ${long(1, 30)}`, '', long(40, 3))
  const pages = (await owner.pages.list(id)).data

  const chunks = await chunksOf(id, { limit: 1 })

  assert.deepEqual(
    chunks.map(({ page_number }) => page_number),
    [1, 1, 1, 3],
  )
  for (const [i, chunk] of chunks.entries()) {
    const page = pages.find((one) => one.id === chunk.page_id)
    assert.equal(chunk.text, [...page!.text].slice(chunk.start, chunk.end).join(''))
    assert.equal(chunk.token_count, countTokens(chunk.text))
    assert.ok(chunk.position > (chunks[i - 1]?.position ?? -1))
    assert.deepEqual(
      [chunk.object, chunk.document_id, chunk.page_number, chunk.heading_path],
      ['chunk', id, page!.number, []],
    )
  }
})

test('lists the chunks of one page and continues with a cursor', async () => {
  const { id } = await textDocument(long(1, 30), long(40, 30))
  const [, second] = (await owner.pages.list(id)).data

  const own = await chunksOf(id, { page_id: second!.id })
  const first = await owner.chunks.list(id, { limit: 2 })
  const next = await owner.chunks.list(id, { limit: 2, cursor: first.cursor! })

  assert.deepEqual(new Set(own.map(({ page_id }) => page_id)), new Set([second!.id]))
  assert.deepEqual(
    [...first.data, ...next.data].map((chunk) => chunk.id),
    (await chunksOf(id)).slice(0, 4).map((chunk) => chunk.id),
  )
  assert.deepEqual(await chunksOf(id, { page_id: 'page_01h455vb4pex5vsknk084sn02q' }), [])
})

test('a chunk has its headings, also on the following pages', async () => {
  const pages = [['# Lease', sentence(1)], [sentence(2)]]
  const { id } = await owner.documents.createAndWait(pdfBlob(...pages))

  const chunks = await chunksOf(id)

  assert.deepEqual(
    chunks.map(({ page_number, heading_path, text }) => [page_number, heading_path, text]),
    [
      [1, ['Lease'], `Lease\n\n${sentence(1)}`],
      [2, ['Lease'], sentence(2)],
    ],
  )
})

test('a correction rechunks its own page and leaves the other chunks unchanged', async () => {
  const { id } = await owner.documents.createAndWait(pdfBlob(['# Lease', sentence(1)], [sentence(2)], [sentence(3)]))
  const before = await chunksOf(id)
  const [, second] = (await owner.pages.list(id)).data

  await owner.pages.update(id, second!.id, { text: long(10, 20) })
  const after = await chunksOf(id)

  const others = (chunks: Chunk[]) => chunks.filter(({ page_number }) => page_number !== 2)
  assert.deepEqual(others(after), others(before))
  const own = after.filter(({ page_number }) => page_number === 2)
  assert.equal(own.map(({ text }) => text).join(' '), long(10, 20))
  assert.deepEqual(new Set(own.map(({ heading_path }) => heading_path.join())), new Set(['Lease']))
  assert.equal(
    own.some((chunk) => before.some((old) => old.id === chunk.id)),
    false,
  )
})

test('page metadata does not change its chunks, and deleting the page removes them', async () => {
  const { id } = await textDocument('One.', 'Two.')
  const [first, second] = (await owner.pages.list(id)).data
  const before = await chunksOf(id)

  await owner.pages.update(id, first!.id, { metadata: { checked: 'yes' } })
  await owner.pages.update(id, first!.id, { text: 'One.' })
  const same = await chunksOf(id)
  await owner.pages.remove(id, second!.id)

  assert.deepEqual(same, before)
  assert.deepEqual(await chunksOf(id), before.slice(0, 1))
})

test('chunks special tokens in text as ordinary text', async () => {
  const { id, status } = await textDocument('It ends with <|endoftext|> here.')

  const [chunk] = await chunksOf(id)

  assert.deepEqual([status, chunk?.text], ['ready', 'It ends with <|endoftext|> here.'])
})

test('finds a chunk by id only under its own document', async () => {
  const { id } = await textDocument('One.')
  const other = await textDocument('Two.')
  const [chunk] = await chunksOf(id)
  const project = await owner.projects.create({ name: 'Chunks' })
  const { client } = await newKey(owner_tenant, { project_ids: [project.id] })

  assert.deepEqual(await owner.chunks.get(id, chunk!.id), chunk)

  await assert.rejects(owner.chunks.get(other.id, chunk!.id), { code: 'not_found' })
  await assert.rejects(owner.chunks.get(id, 'chk_01h455vb4pex5vsknk084sn02q'), { code: 'not_found' })
  await assert.rejects(otherTenant.chunks.get(id, chunk!.id), { code: 'not_found' })
  await assert.rejects(client.chunks.get(id, chunk!.id), { code: 'not_found' })
  const [page] = (await owner.pages.list(id)).data
  await owner.pages.update(id, page!.id, { text: 'Three.' })
  await assert.rejects(owner.chunks.get(id, chunk!.id), { code: 'not_found' })
})

test('chunks are visible to callers who can see the document', async () => {
  const { id } = await textDocument('One.')
  const project = await owner.projects.create({ name: 'Visible' })
  const { client } = await newKey(owner_tenant, { project_ids: [project.id] })

  await assert.rejects(otherTenant.chunks.list(id), { code: 'not_found' })
  await assert.rejects(client.chunks.list(id), { code: 'not_found' })
  await assert.rejects(owner.chunks.list('doc_01h455vb4pex5vsknk084sn02q'), { code: 'not_found' })
  await owner.documents.remove(id)
  await assert.rejects(owner.chunks.list(id), { code: 'not_found' })
})

test('finds table rows by their headers, and the chunk shows both texts', async () => {
  const csv = 'Region,Warehouse keeper\nNorth,Ilse Brandt\nSouth,Otto Kern\n'
  const { id } = await owner.documents.createAndWait(new File([csv], 'keepers.csv', { type: 'text/csv' }))

  const [chunk] = await chunksOf(id)
  const { results } = await owner.searches.create({ query: 'warehouse keeper Otto', document_ids: [id] })

  const expanded = 'Region: North; Warehouse keeper: Ilse Brandt\nRegion: South; Warehouse keeper: Otto Kern'
  assert.ok(chunk?.expanded_text?.endsWith(expanded))
  assert.ok(chunk?.text.endsWith('North\tIlse Brandt\nSouth\tOtto Kern'))
  assert.ok(results?.[0]?.expanded_text?.endsWith(expanded))
})
