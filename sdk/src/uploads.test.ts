import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { failure, type SdkTestReceivedRequest, type SdkTestStep, startServer } from './testing/server.ts'

const FILE = new Blob(['The lease begins.'], { type: 'text/plain;charset=utf-8' })
const PUT_HEADERS = { 'content-type': 'application/octet-stream', 'x-signed': 'yes' }
const later = { status: 503, body: failure('service_unavailable'), headers: { 'retry-after': '0' } }
const taken = { status: 200 }

const putAt = (host: string, path: string) => ({ url: `http://${host}${path}`, headers: PUT_HEADERS })
/** An upload whose addresses are of the server that answers. `received`: of its parts of five bytes, those that have come. */
function uploadStep({
  received,
  size_bytes = FILE.size,
  status = 201,
}: {
  received?: number[]
  size_bytes?: number
  status?: number
} = {}): SdkTestStep {
  return (answer: ServerResponse) => {
    const host = answer.req.headers.host!
    const count = received ? Math.ceil(size_bytes / 5) : 0
    const parts = Array.from({ length: count }, (_, i) => ({
      number: i + 1,
      offset: i * 5,
      size_bytes: Math.min(5, size_bytes - i * 5),
      is_received: received!.includes(i + 1),
      put: putAt(host, `/part/${i + 1}`),
    }))
    answer.writeHead(status, { 'content-type': 'application/json' })
    answer.end(
      JSON.stringify({
        id: 'upl_1',
        object: 'upload',
        size_bytes,
        file_name: 'document',
        parts,
        put: received ? null : putAt(host, '/put'),
      }),
    )
  }
}
const shown = ({ method, url, body }: SdkTestReceivedRequest): string => `${method} ${url} ${body}`

test('announces a file and sends it with the signed headers and without the key', async (t) => {
  const { octavo, received } = await startServer(t, [uploadStep(), taken])
  const told: object[] = []

  const upload = await octavo.uploads.createFromFile(
    FILE,
    { metadata: { year: '2027' } },
    { onUpload: (progress) => told.push(progress) },
  )

  assert.equal(upload.id, 'upl_1')
  assert.deepEqual(JSON.parse(received[0]!.body), {
    file_name: 'document',
    media_type: 'text/plain',
    metadata: { year: '2027' },
    size_bytes: 17,
  })
  assert.equal(shown(received[1]!), 'PUT /put The lease begins.')
  const { authorization, 'content-type': type, 'x-signed': signed } = received[1]!.headers
  assert.deepEqual([authorization, type, signed], [undefined, 'application/octet-stream', 'yes'])
  assert.deepEqual(told, [{ sent_bytes: 17, total_bytes: 17 }])
})

test('sends each missing part to its own URL', async (t) => {
  const { octavo, received } = await startServer(t, [uploadStep({ received: [2], status: 200 }), taken])
  const told: number[] = []

  await octavo.uploads.send('upl_1', FILE, { onUpload: ({ sent_bytes }) => told.push(sent_bytes) })

  assert.equal(received[0]?.url, '/api/v1/uploads/upl_1')
  assert.deepEqual(
    received.slice(1).map(shown).sort(),
    ['PUT /part/1 The l', 'PUT /part/3 begin', 'PUT /part/4 s.'].sort(),
  )
  assert.deepEqual([told[0], told.at(-1)], [5, 17])
})

test('sends a failed part again', async (t) => {
  const cut = (answer: ServerResponse): void => void answer.destroy()
  const { octavo, received } = await startServer(t, [uploadStep(), later, cut, taken])

  await octavo.uploads.createFromFile(FILE)

  assert.deepEqual(received.slice(1).map(shown), Array(3).fill('PUT /put The lease begins.'))
})

test('treats a 412 after a lost response as success if only one PUT is allowed', async (t) => {
  const exists = { status: 412, body: '' }
  const lost = await startServer(t, [uploadStep(), later, exists])
  const first = await startServer(t, [uploadStep(), exists])

  await lost.octavo.uploads.createFromFile(FILE)

  assert.equal(lost.received.length, 3)
  await assert.rejects(first.octavo.uploads.createFromFile(FILE), { status: 412 })
})

test('reports a permanent failure at once and does not retry the part forever', async (t) => {
  const refused = await startServer(t, [uploadStep(), { status: 404, body: failure('not_found') }])
  const down = await startServer(t, [uploadStep(), later], { max_retries: 2 })

  await assert.rejects(refused.octavo.uploads.createFromFile(FILE), { code: 'not_found' })
  await assert.rejects(down.octavo.uploads.createFromFile(FILE), { status: 503 })
  assert.deepEqual([refused.received.length, down.received.length], [2, 4])
})

test('a signal aborts the upload', async (t) => {
  const stop = new AbortController()
  const hang = (): void => stop.abort(new Error('enough'))
  const { octavo } = await startServer(t, [uploadStep({ received: [] }), hang])

  await assert.rejects(octavo.uploads.createFromFile(FILE, {}, { signal: stop.signal }), { message: 'enough' })
})

test('does not send a file whose size differs from the announced size', async (t) => {
  const { octavo, received } = await startServer(t, [uploadStep({ size_bytes: 5, status: 200 }), taken])

  await assert.rejects(octavo.uploads.send('upl_1', FILE), TypeError)
  assert.equal(received.length, 1)
})

test('createFromFile uploads a large file and returns the status of the document request', async (t) => {
  const large = new Blob([new Uint8Array(64 * 1024 * 1024 + 1)])
  const existing = { status: 200, body: { id: 'doc_1', status: 'ready' } }
  const { octavo, received } = await startServer(t, [uploadStep({ size_bytes: large.size }), taken, existing])

  const { data, response } = await octavo.documents
    .createFromFile(large, { on_duplicate: 'return_existing' })
    .withResponse()

  assert.deepEqual([data.id, response.status], ['doc_1', 200])
  assert.deepEqual(
    received.map(({ method, url }) => `${method} ${url}`),
    ['POST /api/v1/uploads', 'PUT /put', 'POST /api/v1/documents'],
  )
  assert.match(received[2]!.body, /"on_duplicate":"return_existing"/)
})

test('createFromFile sends a small file as a form with JSON for non-text fields', async (t) => {
  const { octavo, received } = await startServer(t, [{ status: 201, body: { id: 'doc_1', status: 'ready' } }])

  const { data, response } = await octavo.documents
    .createFromFile(FILE, { title: 'Lease', file_name: 'a.txt', metadata: { year: '2027' }, external_id: null })
    .withResponse()

  assert.deepEqual([data.id, response.status], ['doc_1', 201])
  const [{ headers, body }] = received as [SdkTestReceivedRequest]
  assert.match(String(headers['content-type']), /^multipart\/form-data; boundary=/)
  assert.match(body, /name="title"\r\n\r\nLease\r\n/)
  assert.match(body, /name="metadata"\r\n\r\n\{"year":"2027"\}\r\n/)
  assert.match(body, /name="file"; filename="a\.txt"\r\nContent-Type: text\/plain\r\n\r\nThe lease begins\.\r\n/)
  assert.doesNotMatch(body, /external_id|media_type/)
})

test('createFromFile reports a small file once it has arrived', async (t) => {
  const { octavo } = await startServer(t, [{ status: 201, body: { id: 'doc_1', status: 'ready' } }])
  const told: object[] = []

  await octavo.documents.createFromFile(FILE, {}, { onUpload: (progress) => told.push(progress) })

  assert.deepEqual(told, [{ sent_bytes: FILE.size, total_bytes: FILE.size }])
})
