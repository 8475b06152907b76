import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, isRecord, messageOf, recordOf, toError } from './unknown.ts'

test('only objects with members are records', () => {
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

test('anything that is thrown has a message and becomes an error', () => {
  const error = new RangeError('too far')

  assert.equal(toError(error), error)
  assert.equal(messageOf(error), 'too far')
  assert.equal(messageOf('plain text'), 'plain text')
  assert.equal(toError('plain text').message, 'plain text')
})

test('only a text is the code of an error', () => {
  assert.equal(codeOf(Object.assign(new Error('gone'), { code: 'ENOENT' })), 'ENOENT')
  assert.equal(codeOf(Object.assign(new Error('gone'), { code: 5 })), '')
  assert.equal(codeOf(null), '')
})
