// A counting proxy between the server and a real model. One of its two endpoints corrupts the answers.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ChatCall {
  /** From the idempotency key: the job and its step. */
  job_id: string
  step: string
  is_streamed: boolean
  status: number
  /** As reported by the model; null if it does not report usage. */
  input_tokens: number | null
  output_tokens: number | null
}

export interface ChatPassage {
  /** To the model, with `/v1` at its end. */
  url: string
  /** The same, but what it says is JSON of another kind. */
  spoiled_url: string
  calls: ChatCall[]
  close(): Promise<void>
}

const SPOILED = '{"something": "else"}'

export async function openPassage(target: string): Promise<ChatPassage> {
  const calls: ChatCall[] = []
  const server = createServer((request, response) => {
    pass(target, request, response, calls).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${url}/v1`,
    spoiled_url: `${url}/spoiled/v1`,
    calls,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function pass(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  calls: ChatCall[],
): Promise<void> {
  const path = request.url ?? ''
  const is_spoiled = path.startsWith('/spoiled/')
  const body = await text(request)
  const left = new AbortController()
  response.once('close', () => left.abort())
  const headers = { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' }
  const answer = await fetch(target + path.replace(/^(\/spoiled)?\/v1/, ''), {
    method: 'POST',
    headers,
    body,
    signal: left.signal,
  })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
  let said = ''
  for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
    said += piece
    if (!is_spoiled) response.write(piece)
  }
  calls.push({ ...questionOf(request, body), status: answer.status, ...usageOf(said) })
  response.end(is_spoiled ? said.replace(/"content":\s*"(?:[^"\\]|\\.)*"/, `"content":${JSON.stringify(SPOILED)}`) : '')
}

function questionOf({ headers }: IncomingMessage, body: string): Pick<ChatCall, 'job_id' | 'step' | 'is_streamed'> {
  const [job_id = '', step = ''] = String(headers['idempotency-key'] ?? '').split(/:(.*)/)
  return { job_id, step, is_streamed: (JSON.parse(body) as { stream?: boolean }).stream === true }
}

/** Reads the usage from a complete answer or from the last chunk of a stream. */
function usageOf(said: string): Pick<ChatCall, 'input_tokens' | 'output_tokens'> {
  const found = [...said.matchAll(/"usage":\s*(\{[^{}]*\})/g)].at(-1)?.[1]
  const { prompt_tokens = null, completion_tokens = null } = found
    ? (JSON.parse(found) as Record<string, number | null>)
    : {}
  return { input_tokens: prompt_tokens, output_tokens: completion_tokens }
}
