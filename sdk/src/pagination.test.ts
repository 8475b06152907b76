import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotFoundError } from './index.ts'
import { failure, startServer } from './testing/server.ts'

const threePages = [
  { status: 200, body: { data: [{ id: 'doc_1' }, { id: 'doc_2' }], cursor: 'b', has_next_page: true } },
  { status: 200, body: { data: [], cursor: 'c', has_next_page: true } },
  { status: 200, body: { data: [{ id: 'doc_3' }], cursor: null, has_next_page: false } },
]

test('a listing resolves to its first page', async (t) => {
  const { octavo, received } = await startServer(t, threePages)

  const page = await octavo.documents.list({ status: ['ready', 'failed'], limit: 2 })

  assert.equal(page.data.length, 2)
  assert.equal(page.cursor, 'b')
  assert.equal(received.length, 1)
  assert.equal(received[0]?.url, '/api/v1/documents?status=ready%2Cfailed&limit=2')
})

test('a listing iterates over the items of all pages and fetches each page once', async (t) => {
  const { octavo, received } = await startServer(t, threePages)

  const ids = await Array.fromAsync(octavo.documents.list({ limit: 2 }), ({ id }) => id)

  assert.deepEqual(ids, ['doc_1', 'doc_2', 'doc_3'])
  assert.deepEqual(
    received.map(({ url }) => url),
    ['/api/v1/documents?limit=2', '/api/v1/documents?limit=2&cursor=b', '/api/v1/documents?limit=2&cursor=c'],
  )
})

test('iteration fetches a page only when it is needed', async (t) => {
  const { octavo, received } = await startServer(t, threePages)

  for await (const { id } of octavo.documents.list()) {
    if (id === 'doc_2') break
  }

  assert.equal(received.length, 1)
})

test('a listing can iterate over whole pages', async (t) => {
  const { octavo } = await startServer(t, threePages)

  const sizes = await Array.fromAsync(octavo.documents.list().pages(), ({ data }) => data.length)

  assert.deepEqual(sizes, [2, 0, 1])
})

test('follows numbered pages by number', async (t) => {
  const { octavo, received } = await startServer(t, [
    { status: 200, body: { data: [{ id: 'doc_1' }], page: 1, per_page: 1, has_next_page: true } },
    { status: 200, body: { data: [{ id: 'doc_2' }], page: 2, per_page: 1, has_next_page: false } },
  ])

  const ids = await Array.fromAsync(octavo.documents.list({ per_page: 1 }), ({ id }) => id)

  assert.deepEqual(ids, ['doc_1', 'doc_2'])
  assert.equal(received[1]?.url, '/api/v1/documents?per_page=1&page=2')
})

test('an unchanged list resolves to null and yields no items', async (t) => {
  const { octavo } = await startServer(t, [{ status: 304 }])

  const listing = octavo.documents.list({}, { if_none_match: 'W/"a"' })

  assert.equal(await listing, null)
  assert.deepEqual(await Array.fromAsync(listing), [])
})

test('a failed page ends the iteration with its error', async (t) => {
  const { octavo } = await startServer(t, [...threePages.slice(0, 1), { status: 404, body: failure('not_found') }])

  await assert.rejects(Array.fromAsync(octavo.documents.list()), NotFoundError)
})
