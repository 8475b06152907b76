import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeMetadata, refuseFixed } from './changes.ts'

const many = (count: number, from = 0): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key ${from + i}`, 'value']))

test('creation-only members may come along unchanged, and only so', () => {
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

test('metadata is merged, null removes a key, and nothing given changes nothing', () => {
  assert.deepEqual(mergeMetadata({ a: '1', b: '2' }, { b: null, c: '3' }), { a: '1', c: '3' })
  assert.deepEqual(mergeMetadata({ a: '1' }, undefined), { a: '1' })
  assert.deepEqual(mergeMetadata({ a: '1' }, {}), { a: '1' })
})

test('the bound on metadata holds for what the merge gives, not for what was sent', () => {
  assert.equal(Object.keys(mergeMetadata(many(49), many(1, 49))).length, 50)
  assert.equal(Object.keys(mergeMetadata(many(50), { 'key 0': null, more: 'value' })).length, 50)
  assert.throws(() => mergeMetadata(many(50), { more: 'value' }), { code: 'validation_error' })
})
