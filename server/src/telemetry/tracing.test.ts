import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { recordOf } from '@octavo/base/unknown.ts'
import { startApi } from '../testing/api.ts'
import { ask } from '../testing/ask.ts'
import { until } from '../testing/jobs.ts'
import { writeModelsFile } from '../testing/models-file.ts'
import { type ReceivedSpan, startOtlpReceiver } from '../testing/otlp-receiver.ts'
import { startProvider } from '../testing/provider.ts'

const receiver = await startOtlpReceiver()
const provider = await startProvider()
const lines: string[] = []
const api = await startApi(
  { after },
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token',
    TRACE_PROPAGATE_UPSTREAM: 'true',
    MODELS_FILE: writeModelsFile(provider.url, [{ id: 'writer' }], 'local'),
    LOG_LEVEL: 'info',
  },
  (line) => lines.push(line),
)
after(() => Promise.all([receiver.close(), provider.close()]))

const SECRET_WORD = 'heliotrope'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparentOf = (trace: string, flags = '01'): Record<string, string> => ({
  traceparent: `00-${trace}-00f067aa0ba902b7-${flags}`,
})

/** The status of a document that has been read. On a busy machine its parser takes long to start. */
async function readEnd(id: string): Promise<string> {
  let status = 'processing'
  await until(async () => (status = (await api.owner.documents.get(id)).status) !== 'processing', 'document', 240)
  return status
}

/** The names from the span up to the root of its trace. */
function pathOf(span: ReceivedSpan): string[] {
  const parent = receiver.spans.find(({ span_id }) => span_id === span.parent_id)
  return parent ? [span.name, ...pathOf(parent)] : [span.name]
}

test('a trace goes from the request through its job and steps to the parser and the model server', async () => {
  const data = Buffer.from(`The color of the house is ${SECRET_WORD}.`).toString('base64')
  const document = await ask(api, '/api/v1/documents', {
    method: 'POST',
    headers: traceparentOf(TRACE),
    body: JSON.stringify({ title: SECRET_WORD, source: { type: 'base64', media_type: 'text/plain', data } }),
  })
  const document_id = String(recordOf(JSON.parse(document.text)).id)
  assert.equal(await readEnd(document_id), 'ready')
  const summary = await api.owner.summaries.create({ document_ids: [document_id], model: 'writer' })
  assert.equal(summary.status, 'succeeded')

  const opened = await receiver.waitFor('parser open')
  const called = await receiver.waitFor('POST')
  await receiver.waitFor('job summaries')
  await receiver.waitFor('POST /api/v1/summaries')
  const requested = receiver.spans.find(({ trace_id, name }) => trace_id === TRACE && name === 'POST /api/v1/documents')

  assert.deepEqual(pathOf(opened), ['parser open', 'job ingestion', 'POST /api/v1/documents'])
  assert.deepEqual([opened.trace_id, requested?.parent_id], [TRACE, '00f067aa0ba902b7'])
  assert.equal(requested?.attributes['octavo.operation'], 'documents.create')
  assert.equal(requested?.attributes['http.response.status_code'], '201')
  const [, model, step, job, request] = pathOf(called)
  assert.deepEqual([model, job, request], ['model writer', 'job summaries', 'POST /api/v1/summaries'])
  assert.match(step ?? '', /^step /)
  assert.equal(called.attributes['server.address'], '127.0.0.1')
  assert.ok(receiver.headers.every(({ authorization }) => authorization === 'Bearer token'))
  assert.ok(!receiver.bodies.join().toLowerCase().includes(SECRET_WORD))
})

test('the model server gets the traceparent of its call, and the log line has the trace', async () => {
  const traceparent = provider.asked.at(-1)?.headers['traceparent']

  const called = receiver.spans.find(({ name }) => name === 'POST')!
  assert.equal(traceparent, `00-${called.trace_id}-${called.span_id}-01`)
  assert.ok(lines.some((line) => line.includes(`"trace_id":"${called.trace_id}"`)))
})

test('does not trace a request whose caller does not sample it, or one outside the API', async () => {
  const unsampled = '1'.repeat(32)
  await ask(api, '/api/v1/documents', { headers: traceparentOf(unsampled, '00') })
  await ask(api, '/errors', { key: null, headers: traceparentOf('2'.repeat(32)) })
  await ask(api, '/api/v1/projects', { headers: traceparentOf('3'.repeat(32)) })

  await receiver.waitFor('GET /api/v1/projects')
  assert.deepEqual(
    receiver.spans.filter(({ trace_id }) => trace_id === unsampled || trace_id === '2'.repeat(32)),
    [],
  )
})

test('a failed job names the error code, and no message', async () => {
  const broken = Buffer.from(`%PDF-1.7 ${SECRET_WORD}`).toString('base64')
  const { id } = await api.owner.documents.create({
    title: 'Broken',
    source: { type: 'base64', media_type: 'application/pdf', data: broken },
  })
  assert.equal(await readEnd(id), 'failed')

  await until(() => receiver.spans.some(({ name, is_failed }) => name === 'job ingestion' && is_failed), 'span', 240)
  const failed = receiver.spans.find(({ name, is_failed }) => name === 'job ingestion' && is_failed)
  assert.match(failed?.attributes['error.type'] ?? '', /^[a-z_]+$/)
  assert.ok(!receiver.bodies.join().includes(SECRET_WORD))
})

test('a receiver that is down fails nothing; it gets the spans when it is back', async () => {
  receiver.status = 503
  const trace = '5'.repeat(32)

  const { status } = await ask(api, '/api/v1/documents', { headers: traceparentOf(trace) })
  await until(() => lines.some((line) => line.includes('exporting traces failed')), 'log line', 60)
  receiver.status = 200

  assert.equal(status, 200)
  await until(() => receiver.spans.some(({ trace_id }) => trace_id === trace), 'span', 240)
})

test('spans that the receiver rejects are dropped and counted', async () => {
  receiver.status = 400
  const trace = '6'.repeat(32)

  await ask(api, '/api/v1/documents', { headers: traceparentOf(trace) })

  const dropped = async (): Promise<number> => (await api.app.metrics.spans_dropped.get()).values[0]?.value ?? 0
  await until(async () => (await dropped()) > 0, 'dropped spans', 60)
  receiver.status = 200
  assert.ok(!receiver.spans.some(({ trace_id }) => trace_id === trace))
})
