import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstOf, itemAt, lastOf, required, valueOf } from './required.ts'

test('a lookup returns its value, including 0 and empty text', () => {
  assert.equal(required(0, 'number'), 0)
  assert.equal(firstOf(['', 'b']), '')
  assert.equal(lastOf([1, 2]), 2)
  assert.equal(firstOf([null]), null)
  assert.equal(itemAt(Float32Array.of(1, 2), 1), 2)
  assert.equal(valueOf(new Map([['a', false]]), 'a'), false)
})

test('a failed lookup throws and names the missing key', () => {
  assert.throws(() => required(undefined, 'page'), /No page/)
  assert.throws(() => firstOf([]), /No item at 0 of 0/)
  assert.throws(() => itemAt([1], 1), /No item at 1/)
  assert.throws(() => valueOf(new Map(), 'doc'), /No value of doc/)
})
