// A fake OpenAI-compatible server over real HTTP that misbehaves on request.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Behaviour,
  behaviours,
  embeddingsOf,
  type ProviderRequest,
  promptOf,
  providerText,
  type Request,
  scoresOf,
  usageOf,
} from './provider-answers.ts'

export interface TestProvider {
  /** With `/v1` at its end. */
  url: string
  /** Overrides the behavior that the model's name implies: each call uses the next one, and the last one stays. */
  behave(model: string, ...next: Behaviour[]): void
  /** Sets the model's answer, which is otherwise a quote from the prompt. */
  say(model: string, answer: (asked: ProviderRequest) => string): void
  /** How often it was asked; without a model: by all. */
  calls(model?: string): number
  /** The last questions, oldest first. */
  asked: ProviderRequest[]
  open_connections(): number
  close(): Promise<void>
}

export interface TestProviderOptions {
  port?: number
  dimensions?: number
  retry_after_seconds?: number
  /** Delay of successful answers. */
  delay_ms?: number
}

const MAX_ASKED = 200
const HUGE_BYTES = 400 * 1024 * 1024
interface Stub extends Required<TestProviderOptions> {
  told: Map<string, Behaviour[]>
  says: Map<string, (asked: ProviderRequest) => string>
  counts: Map<string, number>
  asked: ProviderRequest[]
}

export async function startProvider(options: TestProviderOptions = {}): Promise<TestProvider> {
  const defaults = { port: 0, dimensions: 8, retry_after_seconds: 30, delay_ms: 0 }
  const stub: Stub = { ...defaults, ...options, told: new Map(), says: new Map(), counts: new Map(), asked: [] }
  let connections = 0
  const server = createServer((request, response) => {
    answer(stub, request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    connections++
    socket.on('close', () => connections--)
  })
  server.listen(stub.port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: stub.asked,
    behave: (model, ...next) => void stub.told.set(model, next),
    say: (model, say) => void stub.says.set(model, say),
    calls: (model) =>
      model === undefined ? [...stub.counts.values()].reduce((a, b) => a + b, 0) : (stub.counts.get(model) ?? 0),
    open_connections: () => connections,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function behaviourOf({ told }: Stub, model: string): Behaviour {
  const next = told.get(model)
  const one = next && next.length > 1 ? next.shift() : next?.[0]
  return one ?? behaviours.find((behaviour) => behaviour === model) ?? 'well'
}

async function answer(stub: Stub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await json(request)) as Request
  const asked: ProviderRequest = { model: body.model ?? '', path: request.url ?? '', headers: request.headers, body }
  stub.asked.push(asked)
  stub.asked.splice(0, stub.asked.length - MAX_ASKED)
  stub.counts.set(asked.model, (stub.counts.get(asked.model) ?? 0) + 1)
  const behaviour = behaviourOf(stub, asked.model)
  if (await misbehave(behaviour, response, { body, stub })) return
  if (stub.delay_ms > 0) await sleep(stub.delay_ms)
  if (asked.path === '/v1/chat/completions')
    return body.stream ? streamChat(behaviour, stub, asked, response) : chat(behaviour, stub, asked, response)
  if (asked.path === '/v1/embeddings') return send(response, embeddingsOf(behaviour, stub.dimensions, body.input ?? []))
  if (asked.path === '/v1/rerank') return send(response, scoresOf(behaviour, body))
  fail(response, 404, 'no such path')
}

function send(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function fail(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ error: { message } }))
}

/** Sends the faulty answers that do not need a generated text. Returns whether it has answered. */
async function misbehave(
  behaviour: Behaviour,
  response: ServerResponse,
  { body, stub }: { body: Request; stub: Stub },
): Promise<boolean> {
  if (behaviour === 'throttles') fail(response, 429, 'slow down')
  else if (behaviour === 'throttles_until')
    fail(response, 429, 'slow down', { 'retry-after': String(stub.retry_after_seconds) })
  else if (behaviour === 'fails') fail(response, 500, 'secret trouble')
  else if (behaviour === 'redirects') fail(response, 302, 'elsewhere', { location: 'http://127.0.0.1:1/' })
  else if (behaviour === 'rejects') fail(response, 400, 'this is too long')
  else if (behaviour === 'rejects_schema' && body.response_format?.json_schema)
    fail(response, 400, 'response_format is not supported')
  else if (behaviour === 'is_particular' && complaintOf(body)) fail(response, 400, complaintOf(body))
  else if (behaviour === 'rejects_as_unsafe')
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end('{"error":{"message":"no","code":"content_filter"}}')
  else if (behaviour === 'is_locked') fail(response, 401, 'wrong key')
  else if (behaviour === 'is_garbled') response.end('<html>busy</html>')
  else if (behaviour === 'drips') await drip(response)
  else if (behaviour === 'is_huge') await flood(response, body.stream === true)
  else return behaviour === 'hangs'
  return true
}

function complaintOf({ temperature, max_tokens, stream_options }: Request): string {
  if (temperature !== undefined) return "Unsupported value: 'temperature' does not support 0 with this model."
  if (max_tokens !== undefined) return "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
  return stream_options === undefined ? '' : 'stream_options is not permitted'
}

async function drip(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  while (!response.closed) {
    response.write(' ')
    await sleep(1_000)
  }
}

async function flood(response: ServerResponse, is_stream: boolean): Promise<void> {
  response.writeHead(200, { 'content-type': is_stream ? 'text/event-stream' : 'application/json' })
  response.write(is_stream ? 'data: {"choices":[{"delta":{"content":"' : '{"choices":[{"message":{"content":"')
  const piece = 'x'.repeat(1024 * 1024)
  for (let sent = 0; sent < HUGE_BYTES && !response.closed; sent += piece.length) {
    if (!response.write(piece)) await drained(response)
  }
  response.end('"}}]}')
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}

function chat(behaviour: Behaviour, stub: Stub, asked: ProviderRequest, response: ServerResponse): void {
  const content = providerText(behaviour, asked, stub.says.get(asked.model))
  if (behaviour === 'closes' || behaviour === 'falls_silent') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"choices"')
    if (behaviour === 'closes') setTimeout(() => response.destroy(), 50)
    return
  }
  const message = behaviour === 'refuses' ? { content: null, refusal: 'I cannot help with that.' } : { content }
  const choice = {
    index: 0,
    message: { role: 'assistant', ...message },
    finish_reason: behaviour === 'filters' ? 'content_filter' : 'stop',
  }
  send(response, {
    id: 'chat',
    object: 'chat.completion',
    choices: [choice],
    ...usageOf(behaviour, promptOf(asked.body), content),
  })
}

async function streamChat(
  behaviour: Behaviour,
  stub: Stub,
  asked: ProviderRequest,
  response: ServerResponse,
): Promise<void> {
  const content = providerText(behaviour, asked, stub.says.get(asked.model))
  const event = (value: object): boolean =>
    response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', ...value })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const pieces = content.match(/[^]{1,12}/g) ?? []
  const is_broken = behaviour === 'closes' || behaviour === 'falls_silent'
  const told = behaviour === 'refuses' ? [] : is_broken ? pieces.slice(0, 3) : pieces
  for (const piece of told) {
    event({ choices: [{ index: 0, delta: { role: 'assistant', content: piece } }] })
    await sleep(1)
  }
  if (behaviour === 'closes') return void setTimeout(() => response.destroy(), 50)
  if (behaviour === 'falls_silent') return
  if (behaviour === 'refuses') event({ choices: [{ index: 0, delta: { refusal: 'I cannot help with that.' } }] })
  event({ choices: [{ index: 0, delta: {}, finish_reason: behaviour === 'filters' ? 'content_filter' : 'stop' }] })
  event({ choices: [], ...usageOf(behaviour, promptOf(asked.body), content) })
  response.end('data: [DONE]\n\n')
}
