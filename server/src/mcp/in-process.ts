// `fetch` for calls of the API that stay in this process: they pass the whole request pipeline without a socket.

import type { FastifyInstance } from 'fastify'
import { toolCallHeaders } from '../http/preflight/tool-calls.ts'

const WITHOUT_BODY = [204, 304]

export function callInProcess(server: FastifyInstance, ip: string): typeof fetch {
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    if (body !== undefined && typeof body !== 'string') throw new TypeError('Tools send JSON only.')
    const {
      statusCode,
      rawPayload,
      headers: answered,
    } = await server.inject({
      method: toMethod(method),
      url: `${pathname}${search}`,
      headers: { ...Object.fromEntries(new Headers(headers)), ...toolCallHeaders },
      remoteAddress: ip,
      ...(body === undefined ? {} : { payload: body }),
      ...(signal ? { signal } : {}),
    })
    const received = new Headers()
    for (const [name, value] of Object.entries(answered)) if (value !== undefined) received.set(name, String(value))
    const content = WITHOUT_BODY.includes(statusCode) ? null : new Uint8Array(rawPayload)
    return new Response(content, { status: statusCode, headers: received })
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function toMethod(method: string): (typeof METHODS)[number] {
  const known = METHODS.find((name) => name === method)
  if (!known) throw new TypeError(`No tool sends ${method}.`)
  return known
}
