import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Context } from './context.ts'

test('releases a slot at once if it is granted to a caller who has left', () => {
  const context = new Context(1_000)
  const released: string[] = []
  context.atEnd(() => released.push('before'))

  context.end()
  context.atEnd(() => released.push('after'))
  context.end()

  assert.deepEqual(released, ['before', 'after'])
})
