// A receiver of OTLP over HTTP for tests. It accepts only the JSON encoding of the standard.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type Row, recordOf } from '@octavo/base/unknown.ts'
import { until } from './jobs.ts'

export interface ReceivedSpan {
  name: string
  kind: number
  trace_id: string
  span_id: string
  parent_id: string | null
  attributes: Record<string, string>
  is_failed: boolean
}

export interface OtlpReceiver {
  url: string
  spans: ReceivedSpan[]
  /** Bodies as they came. */
  bodies: string[]
  headers: Record<string, unknown>[]
  /** Status of the next responses. */
  status: number
  waitFor(name: string): Promise<ReceivedSpan>
  close(): Promise<void>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await json(request)
    const { status } = receiver
    if (request.url === '/v1/traces' && status === 200) {
      receiver.headers.push(request.headers)
      receiver.bodies.push(JSON.stringify(body))
      receiver.spans.push(...readSpans(body))
    }
    response.writeHead(request.url === '/v1/traces' ? status : 404, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => {
    receive(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${port}`,
    spans: [],
    bodies: [],
    headers: [],
    status: 200,
    async waitFor(name) {
      await until(() => receiver.spans.some((span) => span.name === name), `span '${name}'`, 240)
      return receiver.spans.find((span) => span.name === name)!
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? value.map(recordOf) : assert.fail('not a list'))
const textOf = (value: unknown): string => (typeof value === 'string' ? value : assert.fail('not a text'))

function readSpans(body: unknown): ReceivedSpan[] {
  return rowsOf(recordOf(body).resourceSpans).flatMap(({ resource, scopeSpans }) => {
    assert.ok(readAttributes(recordOf(resource).attributes)['service.name'])
    return rowsOf(scopeSpans).flatMap(({ spans }) => rowsOf(spans).map(readSpan))
  })
}

function readSpan(span: Row): ReceivedSpan {
  assert.match(textOf(span.traceId), /^[0-9a-f]{32}$/)
  assert.match(textOf(span.spanId), /^[0-9a-f]{16}$/)
  const [start, end] = [textOf(span.startTimeUnixNano), textOf(span.endTimeUnixNano)].map(BigInt)
  assert.ok(start! <= end! && end! - start! < 600_000_000_000n, 'the times of a span are not in order')
  assert.ok(Math.abs(Number(end! / 1_000_000n) - Date.now()) < 600_000, 'a span ended at another time')
  return {
    name: textOf(span.name),
    kind: Number(span.kind),
    trace_id: textOf(span.traceId),
    span_id: textOf(span.spanId),
    parent_id: span.parentSpanId === undefined ? null : textOf(span.parentSpanId),
    attributes: readAttributes(span.attributes),
    is_failed: recordOf(span.status).code === 2,
  }
}

function readAttributes(list: unknown): Record<string, string> {
  return Object.fromEntries(
    rowsOf(list).map(({ key, value }) => {
      const [[type, content] = ['', '']] = Object.entries(recordOf(value))
      assert.ok(['stringValue', 'intValue', 'doubleValue'].includes(type), type)
      return [textOf(key), String(content)]
    }),
  )
}
