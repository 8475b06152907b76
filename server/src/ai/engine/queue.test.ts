import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EngineCall, Queue } from './queue.ts'

function callOf(name: string, count: number, more: { is_query?: boolean; text?: string } = {}): EngineCall {
  const waiting = Array.from({ length: count }, (_, index) => ({ text: more.text ?? 'short', index }))
  return { model: name, is_query: more.is_query ?? false, waiting, settle: () => {}, fail: () => {} }
}

function drain(queue: Queue): [name: string, size: number][] {
  const order: [string, number][] = []
  for (let batch = queue.next(); batch; batch = queue.next()) order.push([batch.call.model, batch.items.length])
  return order
}

test('documents take turns, batch by batch', () => {
  const queue = new Queue()
  queue.add(callOf('a', 20))
  queue.add(callOf('b', 9))

  assert.deepEqual(drain(queue), [
    ['a', 8],
    ['b', 8],
    ['a', 8],
    ['b', 1],
    ['a', 4],
  ])
})

test('queries go before documents, but many queries let one document batch through', () => {
  const queue = new Queue()
  queue.add(callOf('document', 16))
  for (let index = 0; index < 10; index++) queue.add(callOf('query', 1, { is_query: true }))

  const names = drain(queue).map(([name]) => name)
  assert.deepEqual(names, [...Array<string>(8).fill('query'), 'document', 'query', 'query', 'document'])
})

test('long texts make small batches', () => {
  const queue = new Queue()
  queue.add(callOf('long', 5, { text: 'x'.repeat(2_000) }))

  assert.deepEqual(
    drain(queue).map(([, size]) => size),
    [2, 2, 1],
  )
})

test('runs a returned batch first, unless its caller has gone', () => {
  const queue = new Queue()
  const [kept, dropped] = [callOf('kept', 1), callOf('dropped', 9)]
  queue.add(dropped)
  queue.add(kept)
  const batch = queue.next()!
  queue.putBack(batch)

  assert.equal(queue.next(), batch)
  queue.putBack(batch)
  queue.remove(dropped)
  assert.deepEqual(drain(queue), [['kept', 1]])
})
