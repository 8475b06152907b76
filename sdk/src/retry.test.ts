import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionError, ServerError, ValidationError } from './errors.ts'
import { DEFAULT_MAX_RETRIES, retryWaitMs } from './retry.ts'

const lost = new ConnectionError({ code: 'connection_failed', message: 'Lost.' })
const unavailable = (retryAfter: string) =>
  new ServerError({
    code: 'service_unavailable',
    message: 'Busy.',
    status: 503,
    headers: new Headers({ 'retry-after': retryAfter }),
  })

test('retries outlast a failover of seven seconds and then stop', () => {
  for (let round = 0; round < 1000; round += 1) {
    let total = 0
    for (let attempt = 1; attempt <= DEFAULT_MAX_RETRIES; attempt += 1)
      total += retryWaitMs(lost, attempt, DEFAULT_MAX_RETRIES) ?? 0
    assert.ok(total >= 7_750 && total <= 15_500, `${total} ms`)
  }
  assert.equal(retryWaitMs(lost, DEFAULT_MAX_RETRIES + 1, DEFAULT_MAX_RETRIES), null)
})

test('retries wait at least Retry-After and are spread out', () => {
  const waits = Array.from({ length: 100 }, () => retryWaitMs(unavailable('4'), 1, 5) ?? 0)

  assert.ok(Math.min(...waits) >= 4_000 && Math.max(...waits) <= 5_000)
  assert.ok(new Set(waits).size > 50)
})

test('Retry-After can be a date, and an invalid value is ignored', () => {
  const inTenSeconds = new Date(Date.now() + 10_000).toUTCString()

  const wait = retryWaitMs(unavailable(inTenSeconds), 1, 5) ?? 0
  assert.ok(wait > 8_000 && wait <= 12_500, `${wait} ms`)
  assert.ok((retryWaitMs(unavailable('soon'), 1, 5) ?? Infinity) <= 500)
})

test('does not retry a permanent failure', () => {
  assert.equal(retryWaitMs(new ValidationError({ code: 'invalid_request', message: 'No.', status: 400 }), 1, 5), null)
  assert.equal(retryWaitMs(lost, 1, 0), null)
})
