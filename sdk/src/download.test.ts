import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionError, NotFoundError, TimeoutError } from './index.ts'
import { failure, startServer } from './testing/server.ts'

const later = { status: 503, body: failure('service_unavailable'), headers: { 'retry-after': '0' } }

test('a download is repeated after temporary failures', async (t) => {
  const { octavo, received } = await startServer(t, [
    later,
    (answer) => answer.destroy(),
    { status: 200, body: 'The lease begins.', headers: { 'content-type': 'text/plain' } },
  ])

  const response = await octavo.files.download('file_1')

  assert.equal(await response.text(), 'The lease begins.')
  assert.deepEqual(
    received.map(({ url, headers }) => `${url} ${headers.accept}`),
    Array.from({ length: 3 }, () => '/api/v1/files/file_1/contents */*'),
  )
})

test('a download fails with the errors of other calls', async (t) => {
  const cut = await startServer(t, [(answer) => answer.destroy()])
  const silent = await startServer(t, [() => undefined])
  const missing = await startServer(t, [{ status: 404, body: failure('not_found') }])

  await assert.rejects(cut.octavo.files.download('file_1', { max_retries: 1 }), ConnectionError)
  await assert.rejects(silent.octavo.documents.contents('doc_1', {}, { max_retries: 0, timeout_ms: 50 }), TimeoutError)
  await assert.rejects(missing.octavo.files.download('file_1'), NotFoundError)
  assert.deepEqual([cut.received.length, missing.received.length], [2, 1])
})
