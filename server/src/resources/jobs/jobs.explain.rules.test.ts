import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain, type Facts } from './jobs.explain.rules.ts'

const now = Date.parse('2026-01-02T03:00:00.000Z')
const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString()
const id = 'job_01h455vb4pex5vsknk084sn02q'
const document = 'doc_01h455vb4pex5vsknk084sn02q'
const about = `Job ${id} (ingestion of document ${document})`
const unreadable = { code: 'document_unreadable', message: 'Page 3 cannot be read.', details: [] }

const base: Facts = {
  job: {
    id,
    object: 'job',
    type: 'ingestion',
    status: 'queued',
    is_terminal: false,
    stage: null,
    waiting_reason: null,
    subject: { object: 'document', id: document },
    project_id: null,
    document_id: document,
    parent_job_id: null,
    priority: 'normal',
    progress: null,
    queue: null,
    attempt: 0,
    max_attempts: 3,
    attempts: [],
    timeout_seconds: 615,
    queued_at: ago(40),
    started_at: null,
    finished_at: null,
    cancel_requested_at: null,
    usage: null,
    error: null,
    warnings: [],
    metadata: {},
    created_at: ago(40),
    updated_at: ago(40),
    place: 'line',
    run_after: null,
  },
  tier: 'free',
  slots: { used: 2, most: 2, waiting: 4 },
  steps: 0,
  deliveryState: null,
  now,
}
const told = (job: Partial<Facts['job']>, more: Partial<Facts> = {}): string[] =>
  explain({ ...base, ...more, job: { ...base.job, ...job } })
const attempt = (number: number, outcome: string, error: object | null = null) =>
  ({
    number,
    started_at: ago(30 - number),
    ended_at: ago(28 - number),
    outcome,
    error,
  }) as Facts['job']['attempts'][number]

test('explains a job that waits for a slot of its tenant', () => {
  const overtake = `PATCH /jobs/${id} {"priority":"high"}`

  assert.deepEqual(told({ queue: { ahead: 3, estimated_start_at: ago(-90) } }), [
    `${about} is waiting for a slot: its tenant is using 2 of the 2 slots of its tier (free). 3 jobs of the tenant are ahead of it. It was queued 40 s ago. Based on the tenant's recent jobs, it should start in about 90 s.`,
    `Next step: wait; or raise its priority with ${overtake}; or move the tenant to a higher tier.`,
  ])
  assert.deepEqual(
    told({ queue: { ahead: 1, estimated_start_at: null } }, { slots: { used: 0, most: 1, waiting: 2 } }),
    [
      `${about} is waiting for a slot: its tenant is using 0 of the 1 slot of its tier (free). 1 job of the tenant is ahead of it. It was queued 40 s ago.`,
      'Next step: nothing: a slot is free, and the reconciler fills it within seconds.',
    ],
  )
})

test('explains a job that waits for a worker', () => {
  assert.deepEqual(told({ place: 'admitted' }, { deliveryState: 'waiting' }), [
    `${about} has a slot of its tenant and is waiting for a free worker. It was queued 40 s ago.`,
    'Next step: nothing; if it keeps waiting, check that a worker is running and that WORKER_SLOTS is high enough.',
  ])
})

test('explains a job that backs off', () => {
  assert.deepEqual(
    told({ place: 'backoff', run_after: ago(-4), attempt: 1, attempts: [attempt(1, 'failed', unreadable)] }),
    [
      `${about} is waiting for a retry because its last attempt failed. The next attempt starts in 4 s.`,
      "Attempt 1 failed after 2 s with 'document_unreadable': Page 3 cannot be read.",
      'Next step: nothing, or find out why it failed: it fails permanently after 2 more failures.',
    ],
  )
})

test('failures before a rerun do not count', () => {
  const attempts = [1, 2, 3].map((number) => attempt(number, 'failed', unreadable))
  const old = attempts.map((one) => ({ ...one, started_at: ago(500), ended_at: ago(490) }))

  assert.match(
    told({ place: 'backoff', run_after: ago(-4), attempts: [...old, attempt(4, 'failed', unreadable)] }).at(-1)!,
    /2 more failures\.$/,
  )
})

test('explains an interrupted job', () => {
  const attempts = [attempt(1, 'interrupted')]

  assert.deepEqual(told({ place: 'admitted', attempt: 1, attempts }, { deliveryState: 'waiting', steps: 12 }), [
    `${about} has a slot of its tenant and is waiting for a free worker. It was queued 40 s ago.`,
    'Attempt 1 was interrupted after 2 s: its worker died or was stopped. This does not count as a failure.',
    '12 finished steps are kept and will not run again.',
    'Next step: nothing; if it keeps waiting, check that a worker is running and that WORKER_SLOTS is high enough.',
  ])
})

test('explains a running job after an interruption or a cancel request', () => {
  const running = { status: 'running', place: 'admitted', attempt: 2, started_at: ago(200), stage: 'chunking' } as const
  const progress = { unit: 'pages', completed: 50, failed: 0, total: 120 } as const

  assert.deepEqual(
    told({ ...running, progress, attempts: [attempt(1, 'interrupted')] }, { deliveryState: 'active', steps: 1 }),
    [
      `${about} is running: attempt 2, first started 3 min ago, now chunking, 50 of 120 pages done.`,
      'Attempt 1 was interrupted after 2 s: its worker died or was stopped. This does not count as a failure.',
      '1 finished step is kept and will not run again.',
    ],
  )
  assert.deepEqual(told({ ...running, stage: null, cancel_requested_at: ago(2) }, { deliveryState: 'active' }), [
    `${about} is running: attempt 2, first started 3 min ago. Its cancellation was requested 2 s ago; it stops at its next safe point.`,
  ])
  assert.deepEqual(told({ ...running, stage: null }, { deliveryState: 'silent' }).slice(1), [
    'Its worker has sent no heartbeat for over 30 seconds. The reconciler gives the job to another worker within seconds.',
  ])
  assert.deepEqual(told({ ...running, stage: null }, { deliveryState: 'unknown' }).slice(1), [
    'The queue has no delivery for it. The reconciler queues it again within seconds.',
  ])
})

test('explains a failed job', () => {
  const job = { status: 'failed', place: null, finished_at: ago(7200), error: unreadable, attempt: 1 } as const

  assert.deepEqual(told({ ...job, attempts: [attempt(1, 'failed', unreadable)] }, { steps: 2 }), [
    `${about} failed 2 h ago with 'document_unreadable': Page 3 cannot be read.`,
    "Attempt 1 failed after 2 s with 'document_unreadable': Page 3 cannot be read.",
    '2 finished steps are kept and will not run again.',
    `Next step: fix the cause, then run it again with PATCH /jobs/${id} {"status":"queued"}. Finished steps are not repeated.`,
  ])
})

test('explains a succeeded job', () => {
  const job = {
    status: 'succeeded',
    place: null,
    finished_at: ago(259_200),
    attempt: 1,
    usage: { pages: 3, compute_ms: 412 },
  } as const

  assert.deepEqual(told({ ...job, attempts: [attempt(1, 'succeeded')] }, { steps: 2 }), [
    `${about} succeeded. It ended 3 days ago, after 412 ms of work in 1 attempt.`,
    'Attempt 1 succeeded after 2 s.',
  ])
})

test('explains a cancelled job', () => {
  assert.deepEqual(told({ status: 'cancelled', place: null, finished_at: ago(5) }), [
    `${about} was canceled; it ended 5 s ago. Finished work is kept.`,
    `Next step: nothing, or run it again with PATCH /jobs/${id} {"status":"queued"}. Finished steps are not repeated.`,
  ])
})

test('explains a batch that waits for its items and a partially succeeded one', () => {
  const batch = { type: 'documents', subject: { object: 'job', id }, attempt: 1 } as const
  const progress = { unit: 'items', completed: 7, failed: 2, total: 10 } as const
  const error = { code: 'conflict', message: '2 of 10 inputs were refused: see details.', details: [] }

  assert.deepEqual(told({ ...batch, progress, status: 'running', place: 'items', started_at: ago(9) }), [
    `Job ${id} (a batch) is waiting for its items: 7 of 10 items done, 2 failed.`,
    `Next step: list its items with GET /jobs?parent_job_id=${id}.`,
  ])
  assert.deepEqual(told({ ...batch, error, status: 'partially_succeeded', place: null, finished_at: ago(3) }), [
    `Job ${id} (a batch) succeeded partially. It ended 3 s ago: 2 of 10 inputs were refused: see details.`,
    `Next step: list its items with GET /jobs?parent_job_id=${id}.`,
  ])
})
