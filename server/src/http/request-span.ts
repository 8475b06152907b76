// The span of a request, if tracing is on.

import { parseTraceparent, type Span } from '@octavo/base/trace.ts'
import type { FastifyRequest } from 'fastify'
import type { Needs } from '../app.ts'
import { toId } from '../lib/ids.ts'
import type { Context } from './preflight/context.ts'

const traceparentOf = ({ headers }: FastifyRequest): string | undefined => headers.traceparent?.toString()

/** Only of the API and of `/mcp`: probes, pages and unknown addresses are not traced. */
export function startRequestSpan({ tracer }: Needs<'tracer'>, request: FastifyRequest): Span | null {
  const { config, url = '' } = request.routeOptions
  if (!tracer || !(config.endpoint || config.is_mcp)) return null
  const { method, context } = request
  return tracer.startRequest(traceparentOf(request), {
    name: `${method} ${url}`,
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': url, 'octavo.request_id': context.request_id },
  })
}

export function endRequestSpan({ span, operation, principal }: Context, status: number): void {
  if (!span) return
  span.attributes['octavo.operation'] = operation
  span.attributes['http.response.status_code'] = status
  if (principal) span.attributes['octavo.tenant_id'] = toId('ten', principal.tenant)
  if (status >= 500) span.fail({ code: String(status) })
  span.end()
}

/** Also of a request that is not traced here, so that its log line can be found. */
export const traceIdOf = (request: FastifyRequest): string | undefined =>
  (request.context.span ?? parseTraceparent(traceparentOf(request)))?.trace_id
