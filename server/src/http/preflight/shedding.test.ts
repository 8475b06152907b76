import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorResponse, type LoadClass, operations } from '@octavo/contract'
import type { Config } from '../../config/config.ts'
import type { Log, LogFields } from '../../telemetry/log.ts'
import { openMetrics } from '../../telemetry/metrics.ts'
import { findLoadClass, shedEarly, shedReporter } from './shedding.ts'

test('derives the load class of a request from its method and path, as in the contract', () => {
  for (const { name, endpoint } of operations) {
    const path = endpoint.path.replace(/\{\w+\}/g, 'doc_01h455vb4pex5vsknk084sn02q')
    assert.equal(findLoadClass(endpoint.method, `/api/v1${path}`, '/api/v1'), endpoint.load_class, name)
    assert.equal(findLoadClass(endpoint.method, `/x/api/v1${path}?a=/b/c`, '/x/api/v1'), endpoint.load_class, name)
  }
})

test('never sheds preflights and requests outside the API', () => {
  for (const url of ['/errors', '/api/v1', '/api/v10/documents', '/api/v2/documents', '*', '']) {
    assert.equal(findLoadClass('GET', url, '/api/v1'), null, url)
  }
  assert.equal(findLoadClass('OPTIONS', '/api/v1/documents', '/api/v1'), null)
})

/** A server that has room for nothing but reads. */
async function startFull(t: TestContext): Promise<string> {
  const server = createServer((request, response) => void request.resume().once('end', () => response.end('served')))
  const config = { base_url: 'https://octavo.example', cors_origins: ['https://app.example'] } as Config
  shedEarly(server, { config }, { refuses: (load_class: LoadClass) => load_class !== 'read' })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
}

test('a shed request gets the body and headers of every other failure', async (t) => {
  const url = await startFull(t)

  const answer = await fetch(`${url}/documents`, { headers: { origin: 'https://app.example' } })

  const body = (await answer.json()) as ErrorResponse
  assert.deepEqual([answer.status, body.code, body.details], [503, 'service_unavailable', []])
  assert.equal(answer.headers.get('request-id'), body.request_id)
  assert.match(body.request_id, /^req_[0-9a-z]{26}$/)
  assert.equal(body.doc_url, 'https://octavo.example/errors#service_unavailable')
  const names = [
    'retry-after',
    'content-type',
    'cache-control',
    'access-control-allow-origin',
    'x-content-type-options',
  ]
  assert.deepEqual(
    names.map((name) => answer.headers.get(name)),
    ['5', 'application/json; charset=utf-8', 'no-store', 'https://app.example', 'nosniff'],
  )
})

test('a shed request keeps its connection open for further requests', async (t) => {
  const url = await startFull(t)

  const refused = await fetch(`${url}/documents`, { method: 'POST', body: 'x'.repeat(1_000_000) })
  const head = await fetch(`${url}/documents`, { method: 'HEAD' })
  const served = await fetch(`${url}/documents/doc_1`)

  assert.deepEqual([refused.status, head.status, await head.text(), await served.text()], [503, 503, '', 'served'])
})

test('logs an overload once per second and counts it by class', async () => {
  const lines: [string, LogFields | undefined][] = []
  const metrics = openMetrics()
  const log = { warn: (event: string, fields?: LogFields) => void lines.push([event, fields]) } as Log
  const report = shedReporter({ log, metrics })

  for (let i = 0; i < 100; i++) report(i % 2 === 0 ? 'list' : 'write')
  await sleep(1_050)
  report('list')

  assert.deepEqual(lines, [['overloaded', { count: 100 }]])
  const { values } = await metrics.shed.get()
  assert.deepEqual(
    values.map(({ labels, value }) => [labels.class, value]),
    [
      ['list', 51],
      ['write', 50],
    ],
  )
})
