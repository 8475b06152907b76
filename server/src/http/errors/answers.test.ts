// How answers leave: tags, HEAD, compression, headers.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startApi } from '../../testing/api.ts'
import { ask, errorOf } from '../../testing/ask.ts'

const api = await startApi({ after })
const { owner } = api

async function longDocument() {
  const metadata = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`key ${i}`, 'some words that repeat themselves']),
  )
  const document = await owner.documents.create({ title: 'Lease', metadata })
  return { document, path: `/api/v1/documents/${document.id}` }
}

test("compresses a long response with the caller's preferred encoding", async () => {
  const { document, path } = await longDocument()

  const [plain, br, gzip, none] = await Promise.all(
    [{}, { 'accept-encoding': 'gzip, br' }, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br;q=0' }].map(
      (headers) => ask(api, path, { headers }),
    ),
  )

  assert.deepEqual([br!.headers['content-encoding'], gzip!.headers['content-encoding']], ['br', 'gzip'])
  assert.deepEqual([plain!.headers['content-encoding'], none!.headers['content-encoding']], [undefined, undefined])
  assert.deepEqual(JSON.parse(brotliDecompressSync(br!.bytes).toString()), document)
  assert.deepEqual(JSON.parse(gunzipSync(gzip!.bytes).toString()), document)
  assert.ok(br!.bytes.length < plain!.bytes.length / 3)
  assert.match(plain!.headers.vary!, /Accept-Encoding/)
})

test('a compressed response has a weak ETag that still works in If-Match', async () => {
  const { path } = await longDocument()
  const strong = (await ask(api, path)).headers.etag!
  const weak = (await ask(api, path, { headers: { 'accept-encoding': 'br' } })).headers.etag!

  const same = await ask(api, path, { headers: { 'accept-encoding': 'br', 'if-none-match': weak } })
  const change = { method: 'PATCH', body: '{"title":"Contract"}', headers: { 'if-match': weak } }
  const first = await ask(api, path, change)
  const second = await ask(api, path, change)

  assert.equal(weak, `W/${strong}`)
  assert.deepEqual([same.status, same.text, same.headers['content-encoding']], [304, '', undefined])
  assert.deepEqual([first.status, second.status, errorOf(second).code], [200, 412, 'precondition_failed'])
})

test('sends short responses, errors and secrets uncompressed', async () => {
  const headers = { 'accept-encoding': 'br, gzip' }
  const body = JSON.stringify({
    name: 'x',
    scopes: ['documents:read'],
    metadata: { long: 'x'.repeat(500), longer: 'y'.repeat(500) },
  })

  const answers = await Promise.all([
    ask(api, '/api/v1/projects', { headers }),
    ask(api, `/api/v1/documents?${'a=1&'.repeat(29)}`, { headers }),
    ask(api, '/api/v1/api-keys', { method: 'POST', body, headers }),
  ])

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 201],
  )
  assert.ok(answers.every((answer) => answer.headers['content-encoding'] === undefined))
  assert.ok(answers[1].bytes.length > 1024 && answers[2].bytes.length > 1024)
})

test('HEAD returns the headers of GET without the body', async () => {
  const { path } = await longDocument()

  for (const address of [path, '/api/v1/documents', '/api/v1/capabilities', '/errors']) {
    const [head, get] = await Promise.all([ask(api, address, { method: 'HEAD' }), ask(api, address)])
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary'])
      assert.equal(head.headers[name], get.headers[name])
  }
  const absent = await ask(api, '/api/v1/documents/nonsense', { method: 'HEAD' })
  assert.deepEqual([absent.status, absent.text], [404, ''])
  assert.equal((await ask(api, path, { method: 'HEAD', key: null })).status, 401)
})

test('returns 304 for an unchanged resource', async () => {
  const { path } = await longDocument()
  const { headers } = await ask(api, path)

  const [same, star, other, wrong] = await Promise.all(
    [headers.etag!, '*', '"other"', 'other'].map((tag) => ask(api, path, { headers: { 'if-none-match': tag } })),
  )

  assert.deepEqual(
    [same!.status, same!.text, same!.headers.etag, same!.headers['cache-control']],
    [304, '', headers.etag, 'private, no-cache'],
  )
  assert.deepEqual([star!.status, other!.status], [304, 200])
  assert.deepEqual([wrong!.status, errorOf(wrong!).details[0]?.field], [400, 'If-None-Match'])
})

test('a response with selected fields has no ETag', async () => {
  const { document, path } = await longDocument()

  const { headers, text } = await ask(api, `${path}?fields=title`)

  assert.deepEqual(JSON.parse(text), { id: document.id, object: 'document', title: 'Lease' })
  assert.equal(headers.etag, undefined)
})

test('every response has a request id and forbids content sniffing', async () => {
  const addresses = [
    '/api/v1/documents',
    '/api/v1/nothing',
    '/nothing',
    '/errors',
    '/api/v2/documents',
    '/api/v1/documents/%ff',
    '/%',
  ]
  const answers = await Promise.all(
    addresses.map((address) => ask(api, address, { headers: { 'request-id': 'mine', 'x-request-id': 'mine' } })),
  )

  for (const { headers, status, text } of answers) {
    assert.match(headers['request-id'] as string, /^req_[0-7][0-9a-z]{25}$/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['strict-transport-security'], undefined)
    if (status < 400) continue
    const error = JSON.parse(text) as Record<string, unknown>
    assert.deepEqual(Object.keys(error), ['code', 'message', 'details', 'request_id', 'doc_url'])
    assert.equal(error.request_id, headers['request-id'])
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  }
  assert.equal(new Set(answers.map(({ headers }) => headers['request-id'])).size, answers.length)
})

test('the page behind doc_url explains the code', async () => {
  const { doc_url } = errorOf(await ask(api, '/api/v1/documents/nonsense'))
  const url = new URL(doc_url)

  const page = await ask(api, url.pathname, { key: null })

  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.ok(page.text.includes(`id="${url.hash.slice(1)}"`))
})
