import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { until } from '../testing/jobs.ts'
import { startOtlpReceiver } from '../testing/otlp-receiver.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { Tracer } from './tracing.ts'

/** A tracer with this many waiting spans, with mocked timers. */
function openTracer(t: TestContext, url: string, count: number): Tracer {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const config = { url, headers: {}, service_name: 'octavo', sampled_share: 1, propagates: false }
  const tracer = new Tracer(config, '1.0.0', { log: openLog('silent'), metrics: openMetrics() })
  tracer.start()
  for (let index = 0; index < count; index++) tracer.startRequest(undefined, { name: 'GET' })?.end()
  return tracer
}

test('one export sends all spans that wait, in several requests', async (t) => {
  const receiver = await startOtlpReceiver()
  t.after(() => receiver.close())
  const tracer = openTracer(t, `${receiver.url}/v1/traces`, 2_000)

  t.mock.timers.tick(1_000)
  t.mock.timers.reset()

  await until(() => receiver.spans.length === 2_000, 'all spans', 60)
  assert.ok(receiver.bodies.length > 1)
  await tracer.close()
})

test('the end waits two seconds for a receiver that does not answer, also if an export is under way', async (t) => {
  const silent = createServer()
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const { port } = silent.address() as AddressInfo
  const tracer = openTracer(t, `http://127.0.0.1:${port}/v1/traces`, 2_000)
  t.mock.timers.tick(1_000)
  await once(silent, 'request')

  const begun_ms = performance.now()
  const closed = tracer.close()
  t.mock.timers.tick(2_000)
  await closed

  // An export that nothing ends takes ten seconds.
  assert.ok(performance.now() - begun_ms < 8_000)
})

test('other servers do not get the trace by default', (t) => {
  const tracer = openTracer(t, 'http://127.0.0.1:9', 0)
  const span = tracer.startRequest(undefined, { name: 'GET' })

  assert.deepEqual(span?.child({ name: 'POST', kind: 'client' }).headers, {})
})
