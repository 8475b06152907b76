import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ConnectionError,
  NotFoundError,
  Octavo,
  OctavoError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './index.ts'
import { failure, startServer } from './testing/server.ts'

const lease = { id: 'doc_1', object: 'document', title: 'Lease' }
const hang = () => undefined

test('a call sends the key, the body and a new idempotency key', async (t) => {
  const { octavo, received } = await startServer(t, [{ status: 201, body: lease }])

  const document = await octavo.documents.create({ title: 'Lease' })
  await octavo.documents.create({ title: 'Lease' })

  assert.equal(document.title, 'Lease')
  const [first, second] = received
  assert.equal(first?.method, 'POST')
  assert.equal(first.url, '/api/v1/documents')
  assert.equal(first.headers.authorization, 'Bearer secret')
  assert.equal(first.headers['content-type'], 'application/json')
  assert.equal(first.body, '{"title":"Lease"}')
  assert.match(String(first.headers['idempotency-key']), /^[0-9a-f]{32}$/)
  assert.notEqual(first.headers['idempotency-key'], second?.headers['idempotency-key'])
})

test('accepts a base URL with a path and a trailing slash', async (t) => {
  const { base_url, received } = await startServer(t, [{ status: 200, body: lease }])
  const octavo = new Octavo({ base_url: `${base_url}/inner/`, api_key: 'secret' })

  await octavo.documents.get('doc/1', { fields: 'id,title' })

  assert.equal(received[0]?.url, '/inner/api/v1/documents/doc%2F1?fields=id%2Ctitle')
})

test('accepts a base URL with the path of the API, and names base_url if it is not a URL', async (t) => {
  const { base_url, received } = await startServer(t, [{ status: 200, body: lease }])

  await new Octavo({ base_url: `${base_url}/api/v1/`, api_key: 'secret' }).documents.get('doc_1')

  assert.equal(received[0]?.url, '/api/v1/documents/doc_1')
  for (const wrong of ['', '127.0.0.1:3000', 'localhost:3000', 'http://'])
    assert.throws(() => new Octavo({ base_url: wrong, api_key: 'secret' }), /^TypeError: base_url must be a URL/)
})

test('refuses an id that would address another resource before sending a request', async (t) => {
  const { octavo, received } = await startServer(t, [{ status: 204 }])

  assert.throws(() => octavo.documents.remove(''), TypeError)
  assert.throws(() => octavo.pages.remove('doc_1', '..'), TypeError)
  assert.equal(received.length, 0)
})

test('a POST keeps its idempotency key across retries', async (t) => {
  const steps = [
    { status: 503, body: failure('service_unavailable'), headers: { 'retry-after': '0' } },
    { status: 409, body: failure('idempotency_in_progress'), headers: { 'retry-after': '0' } },
    { status: 201, body: lease },
  ]
  const { octavo, received } = await startServer(t, steps)

  await octavo.documents.create({ title: 'Lease' })

  assert.equal(received.length, 3)
  assert.equal(new Set(received.map(({ headers }) => headers['idempotency-key'])).size, 1)
})

test("sends the caller's idempotency key and headers", async (t) => {
  const { octavo, received } = await startServer(t, [{ status: 201, body: lease }])

  await octavo.documents.create(
    { title: 'Lease' },
    { idempotency_key: 'import-7', if_match: '"a"', headers: { Prefer: 'wait=5' } },
  )

  const { headers } = received[0] ?? {}
  assert.equal(headers?.['idempotency-key'], 'import-7')
  assert.equal(headers['if-match'], '"a"')
  assert.equal(headers.prefer, 'wait=5')
})

test('waits as long as Retry-After says', async (t) => {
  const steps = [
    { status: 429, body: failure('rate_limit_exceeded'), headers: { 'retry-after': '1' } },
    { status: 200, body: lease },
  ]
  const { octavo, received } = await startServer(t, steps)
  const start = performance.now()

  await octavo.documents.get('doc_1')

  const took = performance.now() - start
  assert.equal(received.length, 2)
  assert.ok(took >= 1000 && took < 1900, `took ${took} ms`)
})

test('throws instead of waiting if Retry-After is too long', async (t) => {
  const { octavo, received } = await startServer(t, [
    { status: 429, body: failure('rate_limit_exceeded'), headers: { 'retry-after': '3600' } },
  ])

  await assert.rejects(octavo.documents.get('doc_1'), (error) => {
    assert.ok(error instanceof RateLimitError)
    assert.equal(error.headers?.get('retry-after'), '3600')
    return true
  })
  assert.equal(received.length, 1)
})

test('retries a broken connection and gives up after max_retries', async (t) => {
  const { octavo, received } = await startServer(t, [(answer) => answer.destroy()], { max_retries: 1 })

  await assert.rejects(octavo.documents.get('doc_1'), (error) => {
    assert.ok(error instanceof ConnectionError)
    assert.equal(error.code, 'connection_failed')
    assert.equal(error.status, null)
    return true
  })
  assert.equal(received.length, 2)
})

test('throws a TimeoutError if an attempt takes too long', async (t) => {
  const { octavo } = await startServer(t, [hang], { max_retries: 0 })

  await assert.rejects(octavo.documents.get('doc_1', {}, { timeout_ms: 50 }), TimeoutError)
})

test('retries a slow attempt', async (t) => {
  const { octavo, received } = await startServer(t, [hang, { status: 200, body: lease }], { timeout_ms: 100 })

  const { title } = await octavo.documents.get('doc_1')

  assert.equal(title, 'Lease')
  assert.equal(received.length, 2)
})

test('the caller can abort a call while it waits to retry', async (t) => {
  const steps = [{ status: 503, body: failure('service_unavailable'), headers: { 'retry-after': '30' } }]
  const { octavo, received } = await startServer(t, steps)
  const reason = new Error('The user went away.')
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), 100)

  await assert.rejects(octavo.documents.get('doc_1', {}, { signal: controller.signal }), reason)
  await assert.rejects(octavo.documents.get('doc_1', {}, { signal: controller.signal }), reason)

  assert.equal(received.length, 1)
})

test('the caller can abort a call while it waits for the response', async (t) => {
  const { octavo } = await startServer(t, [hang])

  await assert.rejects(octavo.documents.get('doc_1', {}, { signal: AbortSignal.timeout(50) }), {
    name: 'TimeoutError',
    code: 23,
  })
})

test("an error carries every field of the server's error", async (t) => {
  const details = [{ field: 'title', location: 'body', code: 'too_long', message: 'Too long.', pointer: '/title' }]
  const { octavo, received } = await startServer(t, [{ status: 422, body: failure('validation_error', details) }])

  await assert.rejects(octavo.documents.create({ title: '' }), (error) => {
    assert.ok(error instanceof ValidationError && error instanceof OctavoError)
    const { name, code, message, status, request_id, doc_url } = error
    assert.deepEqual(
      { name, code, message, status, request_id, doc_url },
      {
        name: 'ValidationError',
        code: 'validation_error',
        message: 'It went wrong.',
        status: 422,
        request_id: 'req_1',
        doc_url: 'http://127.0.0.1/errors#validation_error',
      },
    )
    assert.deepEqual(error.details, details)
    return true
  })
  assert.equal(received.length, 1)
})

test('each family of statuses has its own error class', async (t) => {
  const names = {
    400: 'ValidationError',
    401: 'AuthenticationError',
    403: 'PermissionError',
    404: 'NotFoundError',
    409: 'ConflictError',
    412: 'ConflictError',
    415: 'OctavoError',
    429: 'RateLimitError',
    500: 'ServerError',
    503: 'ServerError',
  }
  const steps = Object.keys(names).map((status) => ({ status: Number(status), body: failure('x') }))
  const { octavo } = await startServer(t, steps, { max_retries: 0 })

  for (const [status, name] of Object.entries(names)) {
    await assert.rejects(octavo.documents.get('doc_1'), { name, status: Number(status), code: 'x' })
  }
})

test("a proxy's HTML page is an error even with status 200", async (t) => {
  const page = '<html>Sign in</html>'
  const { octavo } = await startServer(
    t,
    [
      { status: 502, body: page },
      { status: 200, body: page },
      { status: 301, headers: { location: '/elsewhere' } },
    ],
    { max_retries: 0 },
  )

  await assert.rejects(
    octavo.documents.get('doc_1'),
    (error) => error instanceof ServerError && error.code === 'unexpected_answer',
  )
  await assert.rejects(octavo.documents.get('doc_1'), { code: 'unexpected_answer', status: 200, request_id: 'req_1' })
  await assert.rejects(octavo.documents.get('doc_1'), { code: 'unexpected_answer', status: 301 })
})

test('a DELETE succeeds if its response was lost and the retry finds nothing', async (t) => {
  const { octavo, received } = await startServer(t, [
    (answer) => answer.destroy(),
    { status: 404, body: failure('not_found') },
  ])

  await octavo.documents.remove('doc_1')

  assert.equal(received.length, 2)
})

for (const status of [500, 502, 504]) {
  test(`a DELETE succeeds if a ${status} is followed by not found`, async (t) => {
    const headers = { 'retry-after': '0' }
    const { octavo } = await startServer(t, [
      { status, body: failure('internal_error'), headers },
      { status: 404, body: failure('not_found') },
    ])

    await octavo.documents.remove('doc_1')
  })
}

test('a DELETE fails with not found if earlier attempts were only refused', async (t) => {
  const headers = { 'retry-after': '0' }
  const { octavo, received } = await startServer(t, [
    { status: 429, body: failure('rate_limit_exceeded'), headers },
    { status: 503, body: failure('service_unavailable'), headers },
    { status: 404, body: failure('not_found') },
  ])

  await assert.rejects(octavo.documents.remove('doc_1'), NotFoundError)
  assert.equal(received.length, 3)
})

test('a DELETE of a missing resource fails', async (t) => {
  const { octavo } = await startServer(t, [{ status: 404, body: failure('not_found') }])

  await assert.rejects(octavo.documents.remove('doc_1'), NotFoundError)
})

test('withResponse returns the data and the response', async (t) => {
  const { octavo } = await startServer(t, [
    { status: 200, body: lease, headers: { etag: '"a"' } },
    { status: 304 },
    { status: 204 },
  ])

  const { data, response } = await octavo.documents.get('doc_1').withResponse()
  assert.equal(data.title, 'Lease')
  assert.equal(response.status, 200)
  assert.equal(response.request_id, 'req_1')
  assert.equal(response.headers.get('etag'), '"a"')

  const unchanged = await octavo.documents.get('doc_1', {}, { if_none_match: '"a"' }).withResponse()
  assert.equal(unchanged.data, null)
  assert.equal(unchanged.response.status, 304)

  const removed = await octavo.documents.remove('doc_1').withResponse()
  assert.equal(removed.data, undefined)
  assert.equal(removed.response.status, 204)
})

test('withResponse reports a failure once, without an unhandled rejection', async (t) => {
  const { octavo } = await startServer(t, [{ status: 404, body: failure('not_found') }])
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  t.after(() => process.off('unhandledRejection', note))

  await assert.rejects(octavo.documents.get('doc_1').withResponse(), NotFoundError)
  await assert.rejects(octavo.documents.list().withResponse(), NotFoundError)
  await new Promise((resolve) => {
    setTimeout(resolve, 10)
  })

  assert.deepEqual(unhandled, [])
})

test('a PATCH sends a merge patch with only the given fields', async (t) => {
  const { octavo, received } = await startServer(t, [{ status: 200, body: lease }])

  await octavo.documents.update('doc_1', { title: undefined, external_id: null })

  assert.equal(received[0]?.headers['content-type'], 'application/merge-patch+json')
  assert.equal(received[0].headers['idempotency-key'], undefined)
  assert.equal(received[0].body, '{"external_id":null}')
})

test('calls operations that the client does not know', async (t) => {
  const { octavo, received } = await startServer(t, [{ status: 200, body: { answer: 42 } }])

  const { answer } = await octavo.request<{ answer: number }>({
    method: 'GET',
    path: '/news',
    query: { since: 7, until: undefined },
  })

  assert.equal(answer, 42)
  assert.equal(received[0]?.url, '/api/v1/news?since=7')
})

test('refuses an empty key at once', () => {
  assert.throws(() => new Octavo({ base_url: 'http://127.0.0.1', api_key: '' }), TypeError)
})
