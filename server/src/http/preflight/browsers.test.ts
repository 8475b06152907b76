// Browsers of other origins.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { ask } from '../../testing/ask.ts'

const ORIGIN = 'https://console.example.com'
const open = await startApi({ after }, { CORS_ALLOWED_ORIGINS: `${ORIGIN}, https://other.example` })
const closed = await startApi({ after })

const preflight = (api: typeof open, origin: string, path = '/api/v1/documents') =>
  ask(api, path, {
    method: 'OPTIONS',
    key: null,
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  })
const corsHeaders = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))

test('answers a preflight from an allowed origin without a key', async () => {
  const { status, headers, text } = await preflight(open, ORIGIN)

  assert.deepEqual([status, text], [204, ''])
  assert.equal(headers['access-control-allow-origin'], ORIGIN)
  assert.equal(headers['access-control-allow-methods'], 'GET,HEAD,POST,PUT,PATCH,DELETE')
  assert.match(headers['access-control-allow-headers']!, /Authorization, Content-Type, Idempotency-Key, If-Match/)
  assert.equal(headers['access-control-max-age'], '7200')
  assert.equal(headers['access-control-allow-credentials'], undefined)
  assert.match(headers['request-id'] as string, /^req_/)
})

test('sends CORS headers to an allowed origin, also on failures', async () => {
  const [good, bad, absent] = await Promise.all([
    ask(open, '/api/v1/documents', { headers: { origin: ORIGIN } }),
    ask(open, '/api/v1/documents', { headers: { origin: ORIGIN }, key: null }),
    ask(open, '/api/v1/documents/nonsense', { headers: { origin: ORIGIN } }),
  ])

  assert.deepEqual([good.status, bad.status, absent.status], [200, 401, 404])
  for (const { headers } of [good, bad, absent]) {
    assert.equal(headers['access-control-allow-origin'], ORIGIN)
    assert.match(headers['access-control-expose-headers']!, /Location, ETag, Link, Retry-After, Request-Id, RateLimit/)
    assert.match(headers['access-control-expose-headers']!, /Content-Range, Content-Disposition/)
    assert.match(headers.vary!, /Origin/)
  }
})

test('sends no CORS headers to any other origin', async () => {
  for (const origin of [
    'https://evil.example',
    `${ORIGIN}.evil.example`,
    'http://console.example.com',
    'null',
    'HTTPS://CONSOLE.EXAMPLE.COM',
  ]) {
    const before = await preflight(open, origin)
    const request = await ask(open, '/api/v1/documents', { headers: { origin } })

    assert.equal(before.status, 204)
    assert.deepEqual([corsHeaders(before.headers), corsHeaders(request.headers)], [[], []])
  }
})

test('allows no origin by default', async () => {
  const before = await preflight(closed, ORIGIN)
  const request = await ask(closed, '/api/v1/documents', { headers: { origin: ORIGIN } })

  assert.equal(before.status, 204)
  assert.deepEqual([corsHeaders(before.headers), corsHeaders(request.headers)], [[], []])
})

test('OPTIONS without preflight headers lists the methods and requires a key', async () => {
  const known = await ask(open, '/api/v1/documents', { method: 'OPTIONS' })
  const item = await ask(open, '/api/v1/events/evt_x', { method: 'OPTIONS' })

  assert.deepEqual([known.status, known.headers.allow], [204, 'GET, POST, HEAD, OPTIONS'])
  assert.deepEqual([item.status, item.headers.allow], [204, 'GET, HEAD, OPTIONS'])
  assert.equal((await ask(open, '/api/v1/documents', { method: 'OPTIONS', key: null })).status, 401)
  assert.equal((await ask(open, '/api/v1/nothing', { method: 'OPTIONS' })).status, 404)
})
