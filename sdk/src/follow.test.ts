import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthenticationError, ConnectionError, type Event, NotFoundError, TimeoutError } from './index.ts'
import { failure, startServer } from './testing/server.ts'
import { sse, stream } from './testing/stream.ts'

const job = (is_terminal: boolean) => ({ status: 200, body: { id: 'job_1', object: 'job', is_terminal } })
const bytes = (text: string) => new TextEncoder().encode(text)

async function collect(events: AsyncIterable<Event>): Promise<string[]> {
  const seen: string[] = []
  for await (const { seq, type } of events) seen.push(`${seq} ${type}`)
  return seen
}

test('follows a job to its end', async (t) => {
  const pieces = [': hello\n\n', sse(1, 'job.queued') + sse(2, 'job.running'), sse(3, 'job.succeeded')]
  const { octavo, received } = await startServer(t, [stream({ pieces })])

  const seen = await collect(octavo.jobs.follow('job_1'))

  assert.deepEqual(seen, ['1 job.queued', '2 job.running', '3 job.succeeded'])
  assert.equal(received.length, 1)
  assert.equal(received[0]?.url, '/api/v1/jobs/job_1/events')
  assert.equal(received[0].headers.accept, 'text/event-stream')
  assert.equal(received[0].headers.authorization, 'Bearer secret')
  assert.equal(received[0].headers['last-event-id'], undefined)
})

test('chunks may split a line or a character', async (t) => {
  const whole = bytes(`${sse(1, 'job.updated', { note: 'é😀' })}${sse(2, 'job.failed')}`)
  const middle = whole.indexOf(0xf0) + 2
  const pieces = [whole.slice(0, 9), whole.slice(9, middle), whole.slice(middle, middle + 1), whole.slice(middle + 1)]
  const { octavo } = await startServer(t, [stream({ pieces })])

  const notes: unknown[] = []
  for await (const { data } of octavo.jobs.follow('job_1')) notes.push(data['note'])

  assert.deepEqual(notes, ['é😀', undefined])
})

test('resumes after a disconnect without repeating events', async (t) => {
  const { octavo, received } = await startServer(t, [
    stream({
      pieces: [sse(1, 'job.queued'), sse(2, 'job.running'), sse(3, 'job.updated').slice(0, 20)],
      finish: 'cut',
    }),
    { status: 503, body: failure('service_unavailable'), headers: { 'retry-after': '0' } },
    stream({ pieces: [sse(2, 'job.running') + sse(3, 'job.updated')], finish: 'cut' }),
    stream({ pieces: [sse(4, 'job.succeeded')] }),
  ])

  const seen = await collect(octavo.jobs.follow('job_1'))

  assert.deepEqual(seen, ['1 job.queued', '2 job.running', '3 job.updated', '4 job.succeeded'])
  assert.deepEqual(
    received.map(({ headers }) => headers['last-event-id']),
    [undefined, '2', '2', '3'],
  )
})

test('reconnects if the server closes the stream before the job ends', async (t) => {
  const { octavo, received } = await startServer(t, [
    stream({ pieces: ['retry: 1\n\n', sse(1, 'job.running')] }),
    job(false),
    stream({ pieces: [sse(2, 'job.cancelled')] }),
  ])

  const seen = await collect(octavo.jobs.follow('job_1'))

  assert.deepEqual(seen, ['1 job.running', '2 job.cancelled'])
  assert.deepEqual(
    received.map(({ url }) => url),
    ['/api/v1/jobs/job_1/events', '/api/v1/jobs/job_1', '/api/v1/jobs/job_1/events'],
  )
})

test('does not miss an end that happens between two connections', async (t) => {
  const { octavo } = await startServer(t, [
    stream({ pieces: [sse(1, 'job.running')] }),
    job(true),
    stream({ pieces: [sse(2, 'job.partially_succeeded')] }),
  ])

  assert.deepEqual(await collect(octavo.jobs.follow('job_1')), ['1 job.running', '2 job.partially_succeeded'])
})

test('returns at once for a finished job without new events', async (t) => {
  const { octavo, received } = await startServer(t, [stream({ pieces: [] }), job(true), { status: 204 }])

  assert.deepEqual(await collect(octavo.jobs.follow('job_1', { last_event_id: 9 })), [])
  assert.equal(received.length, 3)
  assert.equal(received[0]?.headers['last-event-id'], '9')
})

test('follows a job that ended and was queued again to its last end', async (t) => {
  const pieces = [sse(1, 'job.failed') + sse(2, 'job.queued'), sse(3, 'job.succeeded')]
  const { octavo } = await startServer(t, [stream({ pieces })])

  assert.deepEqual(await collect(octavo.jobs.follow('job_1')), ['1 job.failed', '2 job.queued', '3 job.succeeded'])
})

test('returns after the last event even if the connection stays open', async (t) => {
  const { octavo, received } = await startServer(t, [stream({ pieces: [sse(1, 'job.succeeded')], finish: 'silence' })])

  assert.deepEqual(await collect(octavo.jobs.follow('job_1')), ['1 job.succeeded'])
  assert.equal(received.length, 1)
})

test('gives up a silent connection and reconnects', async (t) => {
  const { octavo, received } = await startServer(t, [
    stream({ pieces: [sse(1, 'job.running')], finish: 'silence' }),
    stream({ pieces: [sse(2, 'job.succeeded')] }),
  ])

  assert.deepEqual(await collect(octavo.jobs.follow('job_1', { timeout_ms: 1_000 })), [
    '1 job.running',
    '2 job.succeeded',
  ])
  assert.equal(received[1]?.headers['last-event-id'], '1')
})

test('a consumer may be slower than the silence limit', async (t) => {
  const { octavo, received } = await startServer(t, [
    stream({ pieces: [sse(1, 'job.running'), sse(2, 'job.succeeded')] }),
  ])

  const seen: (number | null)[] = []
  for await (const { seq } of octavo.jobs.follow('job_1', { timeout_ms: 500 })) {
    seen.push(seq)
    await new Promise((resolve) => {
      setTimeout(resolve, 700)
    })
  }

  assert.deepEqual(seen, [1, 2])
  assert.equal(received.length, 1)
})

test('gives up after max_retries failed connections in a row', async (t) => {
  const cut = stream({ pieces: [], finish: 'cut' })
  const { octavo, received } = await startServer(t, [
    cut,
    stream({ pieces: [sse(1, 'job.running')], finish: 'cut' }),
    cut,
  ])

  await assert.rejects(collect(octavo.jobs.follow('job_1', { max_retries: 1 })), ConnectionError)

  assert.equal(received.length, 3)
})

test('throws a TimeoutError if the server sends nothing', async (t) => {
  const { octavo } = await startServer(t, [() => undefined])

  await assert.rejects(collect(octavo.jobs.follow('job_1', { max_retries: 0, timeout_ms: 50 })), TimeoutError)
})

test('throws the usual errors for a missing job or an invalid key', async (t) => {
  const { octavo, received } = await startServer(t, [
    { status: 404, body: failure('not_found') },
    { status: 401, body: failure('invalid_token') },
  ])

  await assert.rejects(collect(octavo.jobs.follow('job_1')), (error) => {
    assert.ok(error instanceof NotFoundError)
    assert.equal(error.code, 'not_found')
    assert.equal(error.request_id, 'req_1')
    return true
  })
  await assert.rejects(collect(octavo.jobs.follow('job_1')), AuthenticationError)
  assert.equal(received.length, 2)
})

test('throws if the response is not a stream or its data is not JSON', async (t) => {
  const { octavo } = await startServer(t, [
    { status: 200, body: { data: [] } },
    stream({ pieces: ['id: 1\ndata: {\n\n'] }),
  ])

  await assert.rejects(collect(octavo.jobs.follow('job_1')), { code: 'unexpected_answer', status: 200 })
  await assert.rejects(collect(octavo.jobs.follow('job_1')), { code: 'unexpected_answer', status: null })
})

test('ignores messages of an unknown type', async (t) => {
  const { octavo } = await startServer(t, [
    stream({ pieces: ['event: news\ndata: fine weather\n\n', sse(1, 'job.succeeded')] }),
  ])

  assert.deepEqual(await collect(octavo.jobs.follow('job_1')), ['1 job.succeeded'])
})

test('the caller can abort in mid-stream and before a reconnect', async (t) => {
  const { octavo } = await startServer(t, [
    stream({ pieces: [sse(1, 'job.running')], finish: 'silence' }),
    { status: 503, body: failure('service_unavailable'), headers: { 'retry-after': '30' } },
  ])

  for (let round = 0; round < 2; round += 1) {
    const reason = new Error('The user went away.')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 100)
    await assert.rejects(collect(octavo.jobs.follow('job_1', { signal: controller.signal })), reason)
  }
})

test('leaving the loop closes the connection', async (t) => {
  const { promise: closed, resolve } = Promise.withResolvers<boolean>()
  const { octavo } = await startServer(t, [
    (answer) => {
      answer.on('close', () => resolve(true))
      stream({ pieces: [sse(1, 'job.running')], finish: 'silence' })(answer)
    },
  ])

  for await (const _ of octavo.jobs.follow('job_1')) break

  assert.equal(await closed, true)
})

test('refuses a malformed id before sending a request', async (t) => {
  const { octavo, received } = await startServer(t, [{ status: 204 }])

  assert.throws(() => octavo.jobs.follow(''), TypeError)
  assert.throws(() => octavo.jobs.follow('job_1', { last_event_id: 'evt_1' }), TypeError)
  assert.equal(received.length, 0)
})
