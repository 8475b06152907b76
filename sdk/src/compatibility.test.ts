import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainUnknownFields } from './compatibility.ts'
import type { Capabilities } from './generated/types.ts'
import { ValidationError } from './index.ts'
import { failure, startServer } from './testing/server.ts'

const detail = { field: 'processing.attachments', location: 'body', code: 'unknown_field', message: 'No such field.' }
const unknown = new ValidationError({ code: 'invalid_request', message: 'Invalid.', details: [detail], status: 400 })
const server = (version: string): Capabilities => ({
  object: 'capabilities',
  version,
  api_versions: ['v1'],
  features: [],
  formats: [],
  limits: {},
})

test('names the fields that an older server does not know', async () => {
  const explained = await explainUnknownFields(unknown, async () => server('0.9.3'), '0.10.0')

  assert.match(
    String(explained?.message),
    /version 0\.9\.3, older than this client \(0\.10\.0\).*`processing\.attachments`/,
  )
  assert.deepEqual([explained?.status, explained?.details], [400, [detail]])
})

for (const version of ['0.10.0', '0.10.1', '1.0.0']) {
  test(`leaves the error unchanged if the server has version ${version}`, async () => {
    assert.equal(await explainUnknownFields(unknown, async () => server(version), '0.10.0'), null)
  })
}

test('leaves the error unchanged if the capabilities cannot be read', async () => {
  assert.equal(await explainUnknownFields(unknown, () => Promise.reject(new Error('down')), '0.10.0'), null)
})

test('reads the capabilities after an unknown field error, once per client', async (t) => {
  const refused = { status: 400, body: failure('invalid_request', [detail]) }
  const { octavo, received } = await startServer(t, [refused, { status: 200, body: server('0.0.0') }, refused])

  await assert.rejects(octavo.documents.create({ title: 'Lease' }), ValidationError)
  await assert.rejects(octavo.documents.create({ title: 'Lease' }), ValidationError)

  assert.deepEqual(
    received.map(({ url }) => url),
    ['/api/v1/documents', '/api/v1/capabilities', '/api/v1/documents'],
  )
})
