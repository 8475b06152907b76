import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from './index.ts'
import { failure, type SdkTestReceivedRequest, startServer } from './testing/server.ts'

const summary = (status: string) => ({
  status: 200,
  body: { id: 'sum_1', object: 'summary', job_id: 'job_1', status, is_terminal: status !== 'running' },
  headers: { 'retry-after': '0' },
})
const job = { status: 200, body: { id: 'job_1', object: 'job', status: 'running', is_terminal: false } }
const callsOf = (received: SdkTestReceivedRequest[]): string[] =>
  received.map(({ method, url, headers }) => `${method} ${url.slice('/api/v1'.length)} ${String(headers.prefer)}`)

test('createAndWait returns a result that is ready at once, and otherwise waits until it has ended', async (t) => {
  const ready = await startServer(t, [summary('succeeded')])
  const slow = await startServer(t, [summary('running'), summary('running'), summary('failed')])

  await ready.octavo.summaries.createAndWait({ document_ids: ['doc_1'] })
  const { status } = await slow.octavo.summaries.createAndWait({ document_ids: ['doc_1'] })

  assert.deepEqual(callsOf(ready.received), ['POST /summaries wait=1'])
  assert.deepEqual(callsOf(slow.received), [
    'POST /summaries wait=1',
    'GET /summaries/sum_1 wait=50',
    'GET /summaries/sum_1 wait=50',
  ])
  assert.equal(status, 'failed')
})

test('createAndWait reports the job, and goes on if the key must not see it', async (t) => {
  const refused = { status: 403, body: failure('insufficient_scope') }
  const { octavo, received } = await startServer(t, [
    summary('running'),
    job,
    summary('running'),
    refused,
    summary('succeeded'),
  ])
  const reported: Job['status'][] = []

  await octavo.summaries.createAndWait({ document_ids: ['doc_1'] }, { onJob: (one) => void reported.push(one.status) })

  assert.deepEqual(reported, ['running'])
  assert.deepEqual(callsOf(received), [
    'POST /summaries wait=1',
    'GET /jobs/job_1 undefined',
    'GET /summaries/sum_1 wait=5',
    'GET /jobs/job_1 undefined',
    'GET /summaries/sum_1 wait=5',
  ])
})

for (const cancel_on_abort of [true, false])
  test(`an aborted wait ${cancel_on_abort ? 'cancels the job' : 'leaves the job alone'}`, async (t) => {
    const reason = new Error('stop')
    const controller = new AbortController()
    const { octavo, received } = await startServer(t, [summary('running'), job, summary('cancelled')])

    const wait = octavo.analysis.createAndWait(
      'doc_1',
      {},
      { signal: controller.signal, cancel_on_abort, onJob: () => controller.abort(reason) },
    )

    await assert.rejects(wait, reason)
    assert.deepEqual(
      received.slice(2).map(({ method, url, body }) => [method, url, body]),
      cancel_on_abort ? [['PATCH', '/api/v1/jobs/job_1', '{"status":"cancelled"}']] : [],
    )
  })
