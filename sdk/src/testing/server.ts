import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type ClientOptions, Octavo } from '../index.ts'

export interface SdkTestReceivedRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}
/** How to handle one request: a response, or a function that controls the connection. */
export type SdkTestStep =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | ((answer: ServerResponse) => void)

async function read(request: IncomingMessage): Promise<SdkTestReceivedRequest> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
}

function play(step: SdkTestStep, answer: ServerResponse): void {
  if (typeof step === 'function') return step(answer)
  answer.writeHead(step.status, { 'content-type': 'application/json', 'request-id': 'req_1', ...step.headers })
  answer.end(typeof step.body === 'string' || step.body === undefined ? step.body : JSON.stringify(step.body))
}

/** A server that plays the steps one after the other; the last one is repeated. */
export async function startServer(t: TestContext, steps: readonly SdkTestStep[], options: Partial<ClientOptions> = {}) {
  const received: SdkTestReceivedRequest[] = []
  async function handle(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    received.push(await read(request))
    const step = steps[Math.min(received.length, steps.length) - 1]
    if (step) play(step, answer)
  }
  const server = createServer((request, answer) => void handle(request, answer))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { received, base_url, octavo: new Octavo({ base_url, api_key: 'secret', ...options }) }
}

export const failure = (code: string, details: unknown[] = []) => ({
  code,
  message: 'It went wrong.',
  details,
  request_id: 'req_1',
  doc_url: `http://127.0.0.1/errors#${code}`,
})
