import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerEvent } from './index.ts'
import { ConnectionError, ValidationError } from './index.ts'
import { failure, startServer } from './testing/server.ts'
import { stream } from './testing/stream.ts'

const answer = (status: string) => ({
  id: 'ans_1',
  object: 'answer',
  status,
  is_terminal: status === 'succeeded',
  text: 'May 5.',
})
const sent = (event: string, data: object): string => `event: answer.${event}\ndata: ${JSON.stringify(data)}\n\n`
const created = sent('created', answer('queued'))
const completed = sent('completed', answer('succeeded'))

async function collect(events: AsyncIterable<AnswerEvent>): Promise<string[]> {
  const seen: string[] = []
  for await (const event of events)
    seen.push(event.type === 'delta' ? event.text : `${event.type} ${event.answer.status}`)
  return seen
}

test('an answer arrives in pieces while it is written, then complete', async (t) => {
  const pieces = [created, sent('delta', { text: 'May' }), ': ping\n\n', sent('delta', { text: ' 5.' }), completed]
  const { octavo, received } = await startServer(t, [stream({ pieces })])

  const seen = await collect(octavo.answers.stream({ question: 'When?' }, { idempotency_key: 'once' }))

  assert.deepEqual(seen, ['created queued', 'May', ' 5.', 'completed succeeded'])
  const [request] = received
  assert.deepEqual(
    [request?.method, request?.url, request?.headers.accept, request?.headers['idempotency-key']],
    ['POST', '/api/v1/answers', 'text/event-stream', 'once'],
  )
  assert.equal(request?.body, '{"question":"When?"}')
})

test('after a lost connection the client waits for the answer', async (t) => {
  const { octavo, received } = await startServer(t, [
    stream({ pieces: [created, sent('delta', { text: 'May' })], finish: 'cut' }),
    { status: 200, body: answer('succeeded') },
  ])

  const seen = await collect(octavo.answers.stream({ question: 'When?' }))

  assert.deepEqual(seen, ['created queued', 'May', 'completed succeeded'])
  assert.equal(received[1]?.url, '/api/v1/answers/ans_1')
})

test('a question is sent again with the same key after temporary failures', async (t) => {
  const { octavo, received } = await startServer(t, [
    { status: 429, body: failure('rate_limit_exceeded'), headers: { 'retry-after': '0' } },
    stream({ pieces: [': ping\n\n'], finish: 'cut' }),
    { status: 201, body: answer('queued') },
    { status: 200, body: answer('succeeded') },
  ])

  const seen = await collect(octavo.answers.stream({ question: 'When?' }))

  assert.deepEqual(seen, ['created queued', 'completed succeeded'])
  assert.equal(new Set(received.slice(0, 3).map(({ headers }) => headers['idempotency-key'])).size, 1)
  assert.equal(received[3]?.url, '/api/v1/answers/ans_1')
})

test('a question is sent again at most max_retries times', async (t) => {
  const { octavo, received } = await startServer(t, [stream({ pieces: [] })])

  await assert.rejects(collect(octavo.answers.stream({ question: 'When?' }, { max_retries: 1 })), ConnectionError)
  assert.equal(received.length, 2)
})

test('a refused question rejects', async (t) => {
  const { octavo } = await startServer(t, [{ status: 422, body: failure('validation_error') }])

  await assert.rejects(collect(octavo.answers.stream({ question: ' ' })), ValidationError)
})

test('an abort ends the iteration with the reason of the signal', async (t) => {
  const { octavo } = await startServer(t, [stream({ pieces: [created], finish: 'silence' })])
  const controller = new AbortController()
  const reason = new Error('enough')

  const reading = (async () => {
    for await (const { type } of octavo.answers.stream({ question: 'When?' }, { signal: controller.signal }))
      if (type === 'created') controller.abort(reason)
  })()

  await assert.rejects(reading, reason)
})
