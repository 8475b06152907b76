import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterOf } from './wire.ts'

test('reads Retry-After as seconds or as a date and caps it at an hour', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')

  const values = [
    '3',
    ' 0.5 ',
    '0',
    '86400',
    'Thu, 01 Jan 2026 00:00:10 GMT',
    'Wed, 31 Dec 2025 00:00:00 GMT',
    'soon',
    '',
  ]

  assert.deepEqual(
    values.map((value) => retryAfterOf(value, now)),
    [3_000, 500, 0, 3_600_000, 10_000, 0, null, null],
  )
})
