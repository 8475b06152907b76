import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newSecret } from '../auth/credential.ts'
import { startApi } from '../testing/api.ts'
import { ask, failed, type TestRequest } from '../testing/ask.ts'

const lines: string[] = []
const api = await startApi({ after }, { LOG_LEVEL: 'info' }, (line) => lines.push(line))

const ALLOWED = [
  'level',
  'time',
  'event',
  'request_id',
  'trace_id',
  'operation',
  'method',
  'status',
  'code',
  'duration_ms',
  'tenant_id',
  'key_id',
  'address',
  'port',
  'reason',
  'count',
  'error_name',
  'error_code',
  'error_stack',
]

/** Returns the log lines written during `work`. */
async function logOf(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const from = lines.length
  await work()
  await sleep(30)
  return lines.slice(from).map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('a request writes one log line with the operation, the caller and the result', async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const [line, ...more] = await logOf(() =>
    ask(api, '/api/v1/documents?limit=1', { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } }),
  )

  assert.deepEqual(more, [])
  assert.deepEqual(
    [line!.event, line!.method, line!.operation, line!.status],
    ['request', 'GET', 'documents.list', 200],
  )
  assert.equal(line!.trace_id, trace)
  assert.match(String(line!.request_id), /^req_/)
  assert.match(String(line!.tenant_id), /^ten_/)
  assert.equal(typeof line!.duration_ms, 'number')
})

test('metrics show the response time by the tier of the tenant', async () => {
  await ask(api, '/api/v1/documents?limit=1')
  await sleep(30)

  const text = await api.app.metrics.registry.metrics()
  assert.match(text, /octavo_http_tier_request_seconds_count\{tier="\w+"\} [1-9]/)
})

test('logs nothing that a caller sends', async () => {
  const canary = 'canary7f3a'
  const { id } = await api.owner.documents.create({ title: canary })
  const requests: [path: string, asking: TestRequest][] = [
    [`/api/v1/documents/${canary}`, {}],
    [`/api/v1/${canary}?x=${canary}`, {}],
    [`/${canary}`, { key: null }],
    [`/api/v1/documents/%ff${canary}`, {}],
    [`/api/v1/documents?external_id=${canary}&${canary}=1`, {}],
    [`/api/v1/documents?external_id=${canary}`, {}],
    [`/api/v1/documents?cursor=${canary}`, {}],
    ['/api/v1/documents', { method: 'POST', body: `{"title":"${canary}"}` }],
    ['/api/v1/documents', { method: 'POST', body: `{"title":"${canary}","${canary}":1}` }],
    ['/api/v1/documents', { method: 'POST', body: `{"title":"${canary}` }],
    ['/api/v1/documents', { method: 'POST', body: `{"title":"x","project_id":"${canary}"}` }],
    [
      '/api/v1/documents',
      { method: 'POST', body: `{"title":"x","external_id":"${canary}"}`, headers: { 'idempotency-key': canary } },
    ],
    ['/api/v1/documents', { method: 'POST', body: `{"title":"y","external_id":"${canary}"}` }],
    [
      `/api/v1/documents/${id}`,
      { method: 'PATCH', body: `{"title":"${canary}"}`, headers: { 'if-match': `"${canary}"` } },
    ],
    [
      `/api/v1/documents/${id}`,
      { headers: { 'if-none-match': canary, accept: canary, 'user-agent': canary, cookie: canary } },
    ],
    ['/api/v1/documents', { method: 'POST', body: '{}', headers: { 'content-type': canary } }],
    [
      '/api/v1/documents',
      { headers: { traceparent: canary, 'x-request-id': canary, 'x-forwarded-for': canary, origin: canary } },
    ],
    ['/api/v1/documents', { key: canary }],
    ['/api/v1/documents', { key: null, headers: { authorization: `Basic ${canary}` } }],
  ]
  const secret = newSecret('key')

  const log = await logOf(async () => {
    for (const [path, asking] of requests) await ask(api, path, asking)
    await ask(api, '/api/v1/documents', { key: secret })
    await ask(api, '/api/v1/api-keys', { method: 'POST', body: `{"name":"${canary}","scopes":["documents:read"]}` })
  })
  const text = JSON.stringify(log)

  assert.equal(log.filter(({ event }) => event === 'request').length, requests.length + 2)
  for (const word of [canary, Buffer.from(canary).toString('base64'), secret, api.owner_key, 'oct_key_'])
    assert.ok(!text.includes(word), word)
  for (const line of log)
    for (const name of Object.keys(line)) assert.ok(ALLOWED.includes(name), `the log has a field '${name}'`)
})

test('answers a malformed HTTP request like any other and logs none of its content', async () => {
  const url = new URL(api.url)
  let answer = ''

  const log = await logOf(async () => {
    const socket = connect(Number(url.port), url.hostname)
    socket.on('data', (part) => (answer += part.toString()))
    socket.write('GET /canary7f3a HTTP/9.9\r\ncanary7f3a\r\n\r\n')
    await new Promise((resolve) => socket.on('close', resolve))
  })

  assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
  assert.match(answer, /"code":"invalid_parameter"/)
  assert.match(answer, /request-id: req_/)
  assert.ok(!JSON.stringify(log).includes('canary7f3a'))
})

test("logs an internal error under the caller's request id, without the message", async (t) => {
  const { client } = await api.newTenant()
  const document = await client.documents.create({ title: 'Lease' })
  t.mock.method(api.app.db, 'for', () => {
    throw Object.assign(new Error('canary7f3a'), { code: 'X0001' })
  })

  let request_id: string | null = null
  const log = await logOf(async () => {
    const error = await failed(client.documents.get(document.id))
    request_id = error.request_id
    assert.equal(error.code, 'internal_error')
    assert.ok(!error.message.includes('canary7f3a'))
  })
  const line = log.find(({ event }) => event === 'request failed')

  assert.deepEqual(
    [line?.request_id, line?.code, line?.error_name, line?.error_code],
    [request_id, 'internal_error', 'Error', 'X0001'],
  )
  assert.match(String(line?.error_stack), /^ {4}at /)
  assert.ok(!JSON.stringify(log).includes('canary7f3a'))
})

const WARNING = 40

/** The security events of `work`: name, error code, and whether key and tenant are named. */
async function securityEventsOf(work: () => Promise<unknown>): Promise<unknown[][]> {
  const log = await logOf(work)
  return log
    .filter(({ level }) => level === WARNING)
    .map(({ event, code, address, key_id, tenant_id }) => [event, code, address, key_id, tenant_id])
}

test('logs a failed authentication with the client address', async () => {
  const events = await securityEventsOf(async () => {
    await ask(api, '/api/v1/documents', { key: null })
    await ask(api, '/api/v1/documents', { key: newSecret('key') })
  })

  assert.deepEqual(events, [
    ['authentication failed', 'unauthenticated', '127.0.0.1', undefined, undefined],
    ['authentication failed', 'invalid_token', '127.0.0.1', undefined, undefined],
  ])
})

test('logs a refused scope and the use of a revoked key with the key', async () => {
  const { secret, id } = await api.owner.apiKeys.create({ name: 'Reader', scopes: ['documents:read'] })
  const events = await securityEventsOf(async () => {
    await ask(api, '/api/v1/documents', { key: secret, method: 'POST', body: '{"title":"x"}' })
    await api.owner.apiKeys.remove(id)
    for (let tries = 0; tries < 50; tries++) {
      if ((await ask(api, '/api/v1/documents', { key: secret })).status === 401) break
      await sleep(100)
    }
  })

  assert.deepEqual(
    events.map(([event, code, , key]) => [event, code, key]),
    [
      ['scope refused', 'insufficient_scope', id],
      ['revoked key used', 'invalid_token', id],
    ],
  )
  assert.match(String(events[1]?.[4]), /^ten_/)
})
