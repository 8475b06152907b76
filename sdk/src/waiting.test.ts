import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JobProgress, NotFoundError, TimeoutError } from './index.ts'
import { failure, startServer } from './testing/server.ts'
import { sse, stream } from './testing/stream.ts'

const running = {
  status: 200,
  body: { id: 'job_1', object: 'job', is_terminal: false },
  headers: { 'retry-after': '0' },
}
const done = { status: 200, body: { id: 'job_1', object: 'job', is_terminal: true } }
const document = (status: string) => ({ id: 'doc_1', object: 'document', status, latest_job_id: 'job_1' })

test('wait_seconds applies to POST and GET and extends the timeout of the attempt', async (t) => {
  const { octavo, received } = await startServer(t, [
    (answer) => {
      setTimeout(() => answer.writeHead(201).end('{}'), 200)
    },
    { status: 200, body: {} },
  ])

  await octavo.documents.create({ title: 'Lease' }, { wait_seconds: 10, timeout_ms: 50 })
  await octavo.documents.get('doc_1', {}, { wait_seconds: 1.5 })
  await octavo.documents.get('doc_1', {}, { wait_seconds: 3600 })
  await octavo.documents.update('doc_1', {}, { wait_seconds: 10 })

  assert.deepEqual(
    received.map(({ headers }) => headers.prefer),
    ['wait=10', 'wait=2', 'wait=50', undefined],
  )
})

test("the client's wait_seconds applies to POST only, and a call can turn it off", async (t) => {
  const { octavo, received } = await startServer(t, [{ status: 200, body: {} }], { wait_seconds: 5 })

  await octavo.documents.create({ title: 'Lease' })
  await octavo.documents.create({ title: 'Lease' }, { wait_seconds: 0 })
  await octavo.documents.get('doc_1')
  await octavo.documents.list()

  assert.deepEqual(
    received.map(({ headers }) => headers.prefer),
    ['wait=5', undefined, undefined, undefined],
  )
})

test('jobs.wait polls until the job has ended', async (t) => {
  const { octavo, received } = await startServer(t, [running, running, done])

  const { is_terminal } = await octavo.jobs.wait('job_1')

  assert.equal(is_terminal, true)
  assert.deepEqual(
    received.map(({ url, headers }) => `${url} ${String(headers.prefer)}`),
    Array.from({ length: 3 }, () => '/api/v1/jobs/job_1 wait=50'),
  )
})

test('jobs.wait polls again after Retry-After if the server did not hold the response', async (t) => {
  const { octavo } = await startServer(t, [{ ...running, headers: { 'retry-after': '1' } }, done])
  const start = performance.now()

  await octavo.jobs.wait('job_1')

  const took = performance.now() - start
  assert.ok(took >= 990 && took < 1_900, `took ${took} ms`)
})

test('a wait can be limited and aborted', async (t) => {
  const { octavo } = await startServer(t, [() => undefined])
  const reason = new Error('The user went away.')
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), 50)

  await assert.rejects(octavo.jobs.wait('job_1', { timeout_ms: 50 }), (error) => {
    assert.ok(error instanceof TimeoutError)
    assert.equal(error.code, 'timed_out')
    return true
  })
  await assert.rejects(octavo.jobs.wait('job_1', { signal: controller.signal, timeout_ms: 5_000 }), reason)
})

test('waiting for a missing job fails', async (t) => {
  const { octavo } = await startServer(t, [{ status: 404, body: failure('not_found') }])

  await assert.rejects(octavo.jobs.wait('job_1'), NotFoundError)
})

test('creates a document and waits for it', async (t) => {
  const { octavo, received } = await startServer(t, [
    { status: 201, body: document('processing') },
    { status: 200, body: document('processing'), headers: { 'retry-after': '0' } },
    { status: 200, body: document('ready') },
  ])

  const { status } = await octavo.documents.createAndWait({ title: 'Lease' }, { idempotency_key: 'import-7' })

  assert.equal(status, 'ready')
  assert.deepEqual(
    received.map(({ method, url, headers }) => [method, url, headers['idempotency-key'], headers.prefer]),
    [
      ['POST', '/api/v1/documents', 'import-7', undefined],
      ['GET', '/api/v1/documents/doc_1', undefined, 'wait=50'],
      ['GET', '/api/v1/documents/doc_1', undefined, 'wait=50'],
    ],
  )
})

test('reports the progress of a document while waiting', async (t) => {
  const progress = { unit: 'pages', completed: 3, failed: 0, total: 7 }
  const pieces = [
    sse(1, 'job.queued'),
    sse(2, 'job.updated', { progress }),
    sse(3, 'job.updated', { progress: null }),
    sse(4, 'job.failed'),
  ]
  const { octavo, received } = await startServer(t, [
    { status: 201, body: document('processing') },
    stream({ pieces }),
    { status: 200, body: document('failed') },
  ])

  const told: JobProgress[] = []
  const { status } = await octavo.documents.createAndWait(
    { title: 'Lease' },
    { onProgress: (found) => told.push(found) },
  )

  assert.equal(status, 'failed')
  assert.deepEqual(told, [progress])
  assert.equal(received[1]?.url, '/api/v1/jobs/job_1/events')
})

test('createAndWait returns at once if the document has no job', async (t) => {
  const { octavo, received } = await startServer(t, [
    { status: 201, body: { ...document('ready'), latest_job_id: null } },
  ])

  await octavo.documents.createAndWait({ title: 'Lease' }, { onProgress: () => assert.fail('There is no job.') })

  assert.equal(received.length, 1)
})
