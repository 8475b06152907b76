import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSlots } from './slots.ts'

const never = new AbortController().signal

test('limits concurrency and admits waiters in order of arrival', async () => {
  const slots = openSlots(2)
  const order: number[] = []
  let most = 0
  let now = 0

  await Promise.all(
    [1, 2, 3, 4, 5].map(async (name) => {
      const release = await slots.take(never)
      most = Math.max(most, ++now)
      order.push(name)
      await new Promise((resolve) => setImmediate(resolve))
      now--
      release()
      release()
    }),
  )

  assert.deepEqual([most, order, slots.waiting], [2, [1, 2, 3, 4, 5], 0])
})

test('an aborted waiter leaves the queue, and no slot is lost', async () => {
  const slots = openSlots(1)
  const release = await slots.take(never)
  const controller = new AbortController()
  const reason = new Error('cancelled')
  const giving_up = slots.take(controller.signal)
  const waiting = slots.take(never)

  controller.abort(reason)
  await assert.rejects(giving_up, reason)
  assert.equal(slots.waiting, 1)
  release()
  const second = await waiting
  second()

  await slots.take(never)
  await assert.rejects(slots.take(AbortSignal.abort(reason)), reason)
})

test('without a limit no call waits', async () => {
  const slots = openSlots(null)

  await Promise.all(Array.from({ length: 1_000 }, () => slots.take(never)))

  assert.equal(slots.waiting, 0)
})
