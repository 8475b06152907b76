import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeMetadata, refuseFixed } from './changes.ts'

const many = (count: number, from = 0): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key ${from + i}`, 'value']))

test('accepts creation-only fields only if they are unchanged', () => {
  const current = { project_id: null, source: { type: 'text' }, title: 'Lease' }

  refuseFixed(current, {})
  refuseFixed(current, { project_id: null, source: { type: 'text' } })
  assert.throws(() => refuseFixed(current, { source: { type: 'text', text: 'x' } }), {
    code: 'validation_error',
    details: [
      {
        field: 'source',
        location: 'body',
        pointer: '/source',
        code: 'immutable',
        message: 'Can be set only at creation. Remove this field, or send it unchanged.',
      },
    ],
  })
})

test('merges metadata, removes keys set to null and keeps it without input', () => {
  assert.deepEqual(mergeMetadata({ a: '1', b: '2' }, { b: null, c: '3' }), { a: '1', c: '3' })
  assert.deepEqual(mergeMetadata({ a: '1' }, undefined), { a: '1' })
  assert.deepEqual(mergeMetadata({ a: '1' }, {}), { a: '1' })
})

test('the metadata limit applies to the merged result, not to the request', () => {
  assert.equal(Object.keys(mergeMetadata(many(49), many(1, 49))).length, 50)
  assert.equal(Object.keys(mergeMetadata(many(50), { 'key 0': null, more: 'value' })).length, 50)
  assert.throws(() => mergeMetadata(many(50), { more: 'value' }), { code: 'validation_error' })
})
