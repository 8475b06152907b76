import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admit } from './gcra.ts'

const rate = { quota: 60, window_ms: 60_000 }

/** How many of these requests pass, one at each of these times. */
function countAdmitted(times: readonly number[], cost = 1): number {
  let arrival: number | undefined
  let count = 0
  for (const now of times) {
    const admission = admit(arrival, now, rate, cost)
    arrival = admission.arrival_ms
    if (admission.is_admitted) count++
  }
  return count
}
const every = (milliseconds: number, until: number): number[] =>
  Array.from({ length: Math.floor(until / milliseconds) }, (_, i) => i * milliseconds)

test('the whole quota passes at once, then one request per interval', () => {
  assert.equal(countAdmitted(Array<number>(100).fill(0)), 60)
  assert.equal(countAdmitted([...Array<number>(60).fill(0), 999]), 60)
  assert.equal(countAdmitted([...Array<number>(60).fill(0), 1_000]), 61)
})

test('a ten-minute flood admits the quota plus the refill and nothing more', () => {
  assert.equal(countAdmitted(every(100, 600_000)), 659)
})

test('a request with a higher cost takes more units', () => {
  assert.equal(countAdmitted(Array<number>(100).fill(0), 5), 12)
  assert.equal(countAdmitted(Array<number>(100).fill(0), 7), 8)
})

test('a refusal costs nothing and returns the time to wait', () => {
  const full = admit(undefined, 0, rate, 60)
  const refused = admit(full.arrival_ms, 500, rate, 5)

  assert.ok(!refused.is_admitted)
  assert.equal(refused.arrival_ms, full.arrival_ms)
  assert.equal(refused.remaining, 0)
  assert.equal(refused.wait_ms, 4_500)
  assert.ok(admit(refused.arrival_ms, 500 + refused.wait_ms, rate, 5).is_admitted)
})

test('an admission returns the remaining units and the reset time', () => {
  const admission = admit(undefined, 0, rate, 5)

  assert.equal(admission.remaining, 55)
  assert.equal(admission.wait_ms, 5_000)
})
