import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, isRecord, messageOf, recordOf, toError } from './unknown.ts'

test('only objects are records, not arrays or null', () => {
  assert.deepEqual([{}, new Error('x'), [], null, 'text', undefined].map(isRecord), [
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  assert.deepEqual(recordOf({ a: 1 }), { a: 1 })
  assert.deepEqual(recordOf(null), {})
})

test('any thrown value has a message and converts to an error', () => {
  const error = new RangeError('too far')

  assert.equal(toError(error), error)
  assert.equal(messageOf(error), 'too far')
  assert.equal(messageOf('plain text'), 'plain text')
  assert.equal(toError('plain text').message, 'plain text')
})

test('an error code must be a string', () => {
  assert.equal(codeOf(Object.assign(new Error('gone'), { code: 'ENOENT' })), 'ENOENT')
  assert.equal(codeOf(Object.assign(new Error('gone'), { code: 5 })), '')
  assert.equal(codeOf(null), '')
})
