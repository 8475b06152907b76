import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readKey } from './idempotency.ts'

const fingerprint = (key: string, body: string): string | undefined =>
  readKey(key, {
    principal: 'key_1',
    path: '/documents',
    search: '?b=2&a=1',
    body: Buffer.from(body),
  })?.fingerprint.toString('hex')

test('a fingerprint depends on the request and on the key', () => {
  const sent = fingerprint('4b6f', '{"password": "1234"}')
  assert.equal(fingerprint('"4b6f"', '{"password": "1234"}'), sent)
  assert.notEqual(fingerprint('4b6f', '{"password": "1235"}'), sent)
  // A short secret in the body cannot be guessed from the stored row, which does not hold the key.
  assert.notEqual(fingerprint('90aa', '{"password": "1234"}'), sent)
})
