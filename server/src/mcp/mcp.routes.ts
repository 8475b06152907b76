// `/mcp`: the tools of agents over HTTP. A tool calls the API in this process with the agent's own token.

import { Octavo } from '@octavo/sdk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Needs } from '../app.ts'
import { invalidJson, parseJson } from '../http/route/json.ts'
import { Failure } from '../lib/failure.ts'
import { callInProcess } from './in-process.ts'

const MCP_PATH = '/mcp'
const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']
const MAX_RETRIES = 2

export function serveMcp(server: FastifyInstance, app: Needs<'config' | 'log'>): void {
  const config = { is_mcp: true }
  server.post(MCP_PATH, { config }, (request, reply) => answer(server, app, { request, reply }))
  server.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: MCP_PATH,
    config,
    handler: () => {
      throw new Failure('method_not_allowed', 'This endpoint supports POST.', { headers: { allow: 'POST' } })
    },
  })
}

async function answer(
  server: FastifyInstance,
  { config, log }: Needs<'config' | 'log'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const message = readMessage(request)
  const token = (request.headers.authorization ?? '').slice('bearer'.length).trim()
  const client = new Octavo({
    base_url: config.base_url,
    token: () => token,
    max_retries: MAX_RETRIES,
    fetch: callInProcess(server, request.ip),
  })
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const received = new Request(`${config.base_url}${MCP_PATH}`, {
    method: 'POST',
    headers: protocolHeaders(request),
    signal: disconnected.signal,
  })
  // Loaded with the first message, so that the start and installations without agents do not pay for it.
  const { answerAgent } = await import('@octavo/mcp/http')
  const response = await answerAgent(client, received, {
    message,
    onError: (error) =>
      log.info('mcp message refused', { request_id: request.context.request_id, reason: error.message }),
  })
  for (const [name, value] of response.headers) reply.header(name, value)
  // nginx would collect the events of a stream.
  reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  return reply.code(response.status).send(response.body)
}

function readMessage({ body }: FastifyRequest): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) throw invalidJson('A JSON body is required.')
  const message = parseJson(body)
  if (Array.isArray(message))
    throw new Failure('invalid_request', 'Batches are not supported. Send each message in its own request.')
  return message
}

function protocolHeaders({ headers }: FastifyRequest): Headers {
  const protocol = new Headers()
  for (const name of PROTOCOL_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') protocol.set(name, value)
  }
  return protocol
}
