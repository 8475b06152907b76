import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Breaker, openBreaker, type Pass } from './breaker.ts'

function clock() {
  const time = { now_ms: 0 }
  return { time, now: () => time.now_ms }
}

function enter(breaker: Breaker): Pass {
  const pass = breaker.enter()
  assert.ok(typeof pass === 'object', `open for ${String(pass)} ms`)
  return pass
}

test('consecutive failures open the breaker, and a success resets the count', () => {
  const { time, now } = clock()
  const breaker = openBreaker({ now, max_in_row: 3, open_ms: 1_000 })

  for (const how of ['failed', 'failed', 'well', 'failed', 'failed'] as const) enter(breaker).done(how)
  assert.equal(breaker.state, 'closed')
  enter(breaker).done('failed')

  assert.equal(breaker.state, 'open')
  assert.equal(breaker.enter(), 1_000)
  time.now_ms = 400
  assert.equal(breaker.enter(), 600)
})

test('a failure rate opens the breaker once there are enough calls', () => {
  const breaker = openBreaker({ now: () => 0, max_in_row: 100, window: 10, max_rate: 0.5 })

  for (let i = 0; i < 9; i++) enter(breaker).done(i % 2 === 0 ? 'failed' : 'well')
  assert.equal(breaker.state, 'closed')
  enter(breaker).done('well')
  assert.equal(breaker.state, 'closed', 'a call that went well never opens it')
  enter(breaker).done('failed')

  assert.equal(breaker.state, 'open')
})

test('after the open interval a single probe call passes; its success closes the breaker', () => {
  const { time, now } = clock()
  const breaker = openBreaker({ now, max_in_row: 1, open_ms: 1_000 })
  enter(breaker).done('failed')
  time.now_ms = 1_000

  const trial = enter(breaker)
  assert.equal(typeof breaker.enter(), 'number')
  assert.equal(breaker.state, 'half_open')
  trial.done('well')

  assert.equal(breaker.state, 'closed')
  enter(breaker)
  enter(breaker)
})

test('a failed probe doubles the wait up to a limit; an aborted probe frees its place', () => {
  const { time, now } = clock()
  const breaker = openBreaker({ now, max_in_row: 1, open_ms: 1_000, max_open_ms: 3_000 })
  enter(breaker).done('failed')
  const waits: unknown[] = []

  for (let i = 0; i < 3; i++) {
    time.now_ms += 10_000
    enter(breaker).done('ended')
    enter(breaker).done('failed')
    waits.push(breaker.enter())
  }

  assert.deepEqual(waits, [2_000, 3_000, 3_000])
})

test('a call that began before the breaker opened does not change its state', () => {
  const { time, now } = clock()
  const breaker = openBreaker({ now, max_in_row: 2, open_ms: 1_000 })
  const [slow, late] = [enter(breaker), enter(breaker)]
  enter(breaker).done('failed')
  enter(breaker).done('failed')
  time.now_ms = 500

  slow.done('well')
  late.done('failed')
  late.done('failed')

  assert.equal(breaker.enter(), 500)
})
