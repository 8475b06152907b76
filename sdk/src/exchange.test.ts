import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthenticationError, Octavo } from './index.ts'
import { failure, startServer } from './testing/server.ts'

const lease = { id: 'doc_1', object: 'document', title: 'Lease' }
const refused = { status: 401, body: failure('invalid_token') }

test('a token provider is called before every request', async (t) => {
  const tokens = ['first', 'second']
  const { octavo, received } = await startServer(t, [{ status: 200, body: lease }], {
    api_key: undefined,
    token: () => tokens.shift() ?? 'none',
  })

  await octavo.documents.get('doc_1')
  await octavo.documents.get('doc_1')

  assert.deepEqual(
    received.map(({ headers }) => headers.authorization),
    ['Bearer first', 'Bearer second'],
  )
})

test('renews a rejected token once', async (t) => {
  const asked: (string | null)[] = []
  const { octavo, received } = await startServer(t, [refused, { status: 200, body: lease }], {
    api_key: undefined,
    token: async (request) => {
      asked.push(request.refused)
      return request.refused === null ? 'expired' : 'fresh'
    },
  })

  const document = await octavo.documents.get('doc_1')

  assert.equal(document.title, 'Lease')
  assert.deepEqual(asked, [null, 'expired'])
  assert.equal(received[1]?.headers.authorization, 'Bearer fresh')
})

test('fails with 401 after a second rejection', async (t) => {
  const { octavo, received } = await startServer(t, [refused], {
    api_key: undefined,
    token: (request) => (request.refused === null ? 'expired' : 'fresh'),
  })

  await assert.rejects(octavo.documents.get('doc_1'), AuthenticationError)
  assert.equal(received.length, 2)
})

test('a failing token provider ends the call and is the cause of its error', async (t) => {
  const cause = new Error('The identity provider is down.')
  const { octavo, received } = await startServer(t, [{ status: 200, body: lease }], {
    api_key: undefined,
    token: () => Promise.reject(cause),
  })

  await assert.rejects(octavo.documents.get('doc_1'), { name: 'AuthenticationError', code: 'token_failed', cause })
  assert.equal(received.length, 0)
})

test('a client requires a credential', () => {
  const base_url = 'http://127.0.0.1:9'
  assert.throws(() => new Octavo({ base_url }), TypeError)
  assert.throws(() => new Octavo({ base_url, api_key: 'secret', token: () => 'other' }), TypeError)
})

test('the logger receives every response and retry, without the credential', async (t) => {
  const entries: [string, Record<string, unknown>][] = []
  const write = (message: string, fields: Record<string, unknown>) => void entries.push([message, fields])
  const busy = { status: 503, body: failure('service_unavailable'), headers: { 'retry-after': '0' } }
  const { octavo } = await startServer(t, [busy, { status: 200, body: lease }], {
    logger: { debug: write, warn: write },
  })

  await octavo.documents.get('doc_1')

  assert.deepEqual(
    entries.map(([message, { status, code }]) => [message, status ?? code]),
    [
      ['octavo: response', 503],
      ['octavo: retry', 'service_unavailable'],
      ['octavo: response', 200],
    ],
  )
  assert.ok(!JSON.stringify(entries).includes('secret'))
})

test('refuses a key or token that no header can hold, without a request and without showing it', async (t) => {
  const { base_url, received } = await startServer(t, [{ status: 200, body: lease }])
  const call = (options: { api_key: string } | { token: () => string }) =>
    new Octavo({ base_url, ...options }).documents.get('doc_1')

  const withoutKey = (error: Error) => error instanceof AuthenticationError && !error.message.includes('oct_key')
  await assert.rejects(call({ api_key: 'oct_key_…' }), withoutKey)
  await assert.rejects(call({ api_key: 'oct_key_1\noct_key_2' }), withoutKey)
  await assert.rejects(call({ token: () => '' }), { name: 'AuthenticationError', code: 'token_failed' })
  assert.equal(received.length, 0)

  await call({ api_key: 'oct_key_1\n' })
  assert.equal(received[0]?.headers.authorization, 'Bearer oct_key_1')
})
