import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeInQueue } from './jobs.rules.ts'

const now = Date.parse('2026-01-02T03:04:05.000Z')
const waiting = { status: 'queued', place: 'line', run_after: null }

test('a job that has started or ended has no queue position', () => {
  for (const status of ['running', 'succeeded', 'partially_succeeded', 'failed', 'cancelled'])
    assert.equal(placeInQueue({ ...waiting, status }, { ahead: 1, mean_ms: 1 }, 1, now), null)
})

test('a job that backs off starts at its retry time', () => {
  const run_after = '2026-01-02T03:04:20.000Z'

  assert.deepEqual(placeInQueue({ status: 'queued', place: 'backoff', run_after }, null, 2, now), {
    ahead: 0,
    estimated_start_at: run_after,
  })
})

test('a job with a slot has no estimated start', () => {
  assert.deepEqual(placeInQueue({ ...waiting, place: 'admitted' }, null, 2, now), {
    ahead: 0,
    estimated_start_at: null,
  })
})

test('estimates the start of a queued job from the jobs ahead and the mean duration', () => {
  assert.deepEqual(placeInQueue(waiting, { ahead: 3, mean_ms: 10_000 }, 2, now), {
    ahead: 3,
    estimated_start_at: '2026-01-02T03:04:25.000Z',
  })
  assert.deepEqual(placeInQueue(waiting, { ahead: 0, mean_ms: 10_000 }, 1, now), {
    ahead: 0,
    estimated_start_at: '2026-01-02T03:04:15.000Z',
  })
})

test('estimates nothing before any job has ended', () => {
  assert.deepEqual(placeInQueue(waiting, { ahead: 3, mean_ms: null }, 2, now), { ahead: 3, estimated_start_at: null })
})
