import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, test } from 'node:test'
import type { Document } from '@octavo/contract'
import { startApi } from '../../testing/api.ts'
import { ask, errorOf, type TestAnswer } from '../../testing/ask.ts'
import { BOUNDARY, type FormPart, field, filePart, formHeaders, multipartBody } from '../../testing/forms.ts'
import { until } from '../../testing/jobs.ts'
import { openRaw } from '../../testing/raw.ts'

const MAX = 100_000
const api = await startApi({ after }, { MAX_FILE_BYTES: String(MAX) })
const PATH = '/api/v1/documents'

const post = (parts: readonly FormPart[], headers: Record<string, string> = {}): Promise<TestAnswer> =>
  ask(api, PATH, { method: 'POST', body: multipartBody(parts), headers: { ...formHeaders(), ...headers } })
const made = (answer: TestAnswer): Document => {
  assert.equal(answer.status, 201, answer.text)
  return JSON.parse(answer.text) as Document
}
/** Counts all stored files, including partial ones. */
const countFiles = async (): Promise<number> =>
  (await readdir(api.app.config.files.dir, { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) =>
    entry.isFile(),
  ).length
/** The refusal in short, once nothing of the request is left. */
async function refused(sending: () => Promise<TestAnswer>): Promise<(string | number)[]> {
  const before = await countFiles()
  const answer = await sending()
  const { code, details } = errorOf(answer)
  assert.equal(await countFiles(), before, `bytes were left behind by ${answer.text}`)
  return [answer.status, code, ...details.map((detail) => `${detail.field} ${detail.code}`)]
}

test('a form with only a file creates a document named after the file', async () => {
  const document = made(await post([filePart('The lease begins.', 'Lease 2027.txt')], { prefer: 'wait=20' }))

  assert.deepEqual([document.title, document.status, document.page_count], ['Lease 2027.txt', 'ready', 1])
  assert.deepEqual(document.source, { type: 'file', file_name: 'Lease 2027.txt' })
  assert.deepEqual([document.media_type, document.size_bytes], ['text/plain', 17])
  assert.equal((await api.owner.pages.list(document.id)).data[0]?.text, 'The lease begins.')
})

test('fields may come before or after the file, and non-text fields are JSON', async () => {
  const project = await api.owner.projects.create({ name: 'Leases' })
  const parts = [
    field('metadata', '{"year":"2027"}'),
    field('project_id', project.id),
    filePart('x'),
    field('title', '12345'),
    field('external_id', 'null'),
    field('processing', '{"ocr":"never","languages":["de"]}'),
  ]

  const document = made(await post(parts))

  assert.deepEqual([document.title, document.external_id, document.project_id], ['12345', 'null', project.id])
  assert.deepEqual(document.metadata, { year: '2027' })
  assert.deepEqual(document.processing, { reader: 'built_in', ocr: 'never', attachments: 'none', languages: ['de'] })
})

test('keeps only the last segment of a file path, in any script', async () => {
  const names = ['../../etc/passwd', 'C:\\\\Users\\\\x\\\\Mietvertrag für Müller.txt', '契約.txt', '..', '']

  const documents = await Promise.all(names.map(async (name) => made(await post([filePart('x', name)]))))

  assert.deepEqual(
    documents.map(({ title }) => title),
    ['passwd', 'Mietvertrag für Müller.txt', '契約.txt', 'document', 'document'],
  )
})

test('the boundary may be quoted, and the type of the file may be missing', async () => {
  const body = multipartBody([{ ...filePart('x'), type: '' }])

  const answer = await ask(api, PATH, { method: 'POST', body, headers: formHeaders(`"${BOUNDARY}"; charset=utf-8`) })

  assert.equal(made(answer).source?.type, 'file')
})

test('refuses a form without a file or with an empty one', async () => {
  assert.deepEqual(await refused(() => post([field('title', 'Lease')])), [400, 'invalid_request', 'file required'])
  assert.deepEqual(await refused(() => post([])), [400, 'invalid_request', 'file required'])
  assert.deepEqual(await refused(() => post([filePart('')])), [422, 'validation_error', 'file too_short'])
})

test('validates form fields like the fields of a JSON body', async () => {
  const wrong = [
    [field('metadata', 'year'), [400, 'invalid_request', 'metadata invalid_type']],
    [field('metadata', '{"year":2027}'), [400, 'invalid_request', 'metadata.year invalid_type']],
    [field('titel', 'Lease'), [400, 'invalid_request', 'titel unknown_field']],
    [field('__proto__', '{}'), [400, 'invalid_request', '__proto__ unknown_field']],
    [field('on_duplicate', 'ignore'), [422, 'validation_error', 'on_duplicate not_allowed_value']],
    [
      field('project_id', 'proj_01h455vb4pex5vsknk084sn02q'),
      [422, 'validation_error', 'project_id reference_not_found'],
    ],
    [field('processing', '{"reader":"nobody"}'), [422, 'validation_error', 'processing.reader capability_missing']],
    [field('source', '{"type":"text","text":"x"}'), [400, 'invalid_request', 'source unknown_field']],
  ] as const

  for (const [part, expected] of wrong) assert.deepEqual(await refused(() => post([part, filePart('x')])), expected)
})

test('refuses duplicate parts, unknown file parts and too many fields', async () => {
  const many = Array.from({ length: 60 }, (_, i) => field(`f${i}`, 'x'))

  assert.deepEqual(await refused(() => post([field('title', 'a'), field('title', 'b'), filePart('x')])), [
    400,
    'invalid_request',
    'title repeated',
  ])
  assert.deepEqual((await refused(() => post([filePart('x'), filePart('y')]))).slice(0, 2), [400, 'invalid_request'])
  assert.deepEqual(await refused(() => post([{ ...filePart('x'), name: 'upload' }])), [
    400,
    'invalid_request',
    'upload unknown_field',
  ])
  assert.deepEqual((await refused(() => post([...many, filePart('x')]))).slice(0, 2), [400, 'invalid_request'])
  assert.deepEqual((await refused(() => post([field('title', 'x'.repeat(300_000)), filePart('x')]))).slice(0, 2), [
    400,
    'invalid_request',
  ])
})

test('accepts a file of the maximum size and refuses one byte more', async () => {
  const largest = made(await post([filePart(Buffer.alloc(MAX, 'x'))]))

  assert.equal(largest.size_bytes, MAX)
  assert.deepEqual(await refused(() => post([filePart(Buffer.alloc(MAX + 1, 'x'))])), [413, 'payload_too_large'])
  assert.deepEqual(await refused(() => post([filePart(Buffer.alloc(3_000_000, 'x'))])), [413, 'payload_too_large'])
})

test('refuses an oversized form by its announced length', async () => {
  const headers = Object.entries({
    ...formHeaders(),
    host: 'x',
    authorization: `Bearer ${api.owner_key}`,
    'content-length': '99000000',
  })
  const socket = await openRaw(
    api.url,
    `POST ${PATH} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  const [chunk] = (await socket.take(1).toArray()) as Buffer[]

  assert.match(chunk!.toString(), /^HTTP\/1\.1 413 /)
})

test('refuses an incomplete form', async () => {
  const whole = multipartBody([filePart('The lease begins.')])
  const send = (body: Buffer, headers = formHeaders()) =>
    refused(() => ask(api, PATH, { method: 'POST', body, headers }))

  assert.deepEqual(await send(whole.subarray(0, whole.length - 20)), [400, 'invalid_request'])
  assert.deepEqual(await send(whole.subarray(0, 60)), [400, 'invalid_request'])
  assert.deepEqual(await send(whole, { 'content-type': 'multipart/form-data' }), [400, 'invalid_request'])
  assert.deepEqual((await send(whole, formHeaders('another'))).slice(0, 2), [400, 'invalid_request'])
  assert.deepEqual((await send(Buffer.from('{"title":"Lease"}'))).slice(0, 2), [400, 'invalid_request'])
  assert.deepEqual((await send(whole, formHeaders(`${BOUNDARY}; charset=latin1`))).slice(0, 2), [
    415,
    'unsupported_media_type',
  ])
})

test('a file that is cut off leaves nothing behind', async () => {
  const before = await countFiles()
  const body = multipartBody([filePart(Buffer.alloc(90_000, 'x'))])
  const headers = {
    ...formHeaders(),
    host: 'x',
    authorization: `Bearer ${api.owner_key}`,
    'content-length': String(body.length),
  }
  const head = `POST ${PATH} HTTP/1.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

  const socket = await openRaw(api.url, head, body.subarray(0, 50_000))
  await until(async () => (await countFiles()) > before, 'the file')
  socket.destroy()

  await until(async () => (await countFiles()) === before, 'the store')
})

test('a repeated form with the same key returns the same document, even with another boundary', async () => {
  const headers = { 'idempotency-key': 'form-1' }
  const first = made(await post([filePart('Once.'), field('title', 'Once')], headers))
  const before = await countFiles()

  const body = multipartBody([field('title', 'Once'), filePart('Once.')], 'x1')
  const again = await ask(api, PATH, { method: 'POST', body, headers: { ...headers, ...formHeaders('x1') } })
  const other = await refused(() => post([filePart('Twice.'), field('title', 'Once')], headers))

  assert.deepEqual([made(again).id, again.headers['idempotent-replayed']], [first.id, 'true'])
  assert.deepEqual(other.slice(0, 2), [422, 'idempotency_key_reused'])
  assert.equal(await countFiles(), before)
})

test('a key belongs to one form: another file name, type, field or a JSON body reuses it', async () => {
  const headers = { 'idempotency-key': 'form-2' }
  made(await post([filePart('Once.', 'lease.txt')], headers))
  const body = { source: { type: 'base64', media_type: 'text/plain', data: 'T25jZS4=', file_name: 'lease.txt' } }

  const others = [
    await refused(() => post([filePart('Once.', 'other.txt')], headers)),
    await refused(() => post([{ ...filePart('Once.', 'lease.txt'), type: 'text/markdown' }], headers)),
    await refused(() => post([filePart('Once.', 'lease.txt'), field('external_id', 'a')], headers)),
    await refused(() => post([filePart('Once.', 'lease.txt'), field('no_such_field', '1')], headers)),
    await refused(() => ask(api, PATH, { method: 'POST', body: JSON.stringify(body), headers })),
  ]

  for (const other of others) assert.deepEqual(other.slice(0, 2), [422, 'idempotency_key_reused'])
})

test('a refused form does not use up its key', async () => {
  const headers = { 'idempotency-key': 'form-3' }

  const first = await refused(() => post([field('no_such_field', '1'), filePart('x')], headers))
  const second = await post([filePart('x')], headers)

  assert.equal(first[1], 'invalid_request')
  assert.equal(made(second).source?.type, 'file')
  assert.equal(second.headers['idempotent-replayed'], undefined)
})

test('accepts forms only for documents and only with the write scope', async () => {
  const { secret } = await api.newKey(api.owner_tenant, { scopes: ['documents:read'] })
  const body = multipartBody([filePart('x')])
  const send = async (path: string, key: string | null) =>
    refused(() => ask(api, path, { method: 'POST', body, headers: formHeaders(), key }))

  assert.deepEqual((await send('/api/v1/projects', api.owner_key)).slice(0, 2), [415, 'unsupported_media_type'])
  assert.deepEqual((await send(PATH, secret)).slice(0, 2), [403, 'insufficient_scope'])
  assert.deepEqual((await send(PATH, null)).slice(0, 1), [401])
})

test('stores no file that is sent to an endpoint without a body', async () => {
  const { id } = await api.owner.documents.create({ title: 'Kept', source: { type: 'pages', pages: [{ text: 'A' }] } })
  const body = multipartBody([filePart('x')])
  const remove = (): Promise<TestAnswer> =>
    ask(api, `${PATH}/${id}`, { method: 'DELETE', body, headers: formHeaders() })

  assert.deepEqual(await refused(remove), [415, 'unsupported_media_type'])
  assert.equal((await api.owner.documents.get(id)).title, 'Kept')
})
