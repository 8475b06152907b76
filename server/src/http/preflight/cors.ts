// CORS for the origins that the operator lists. Credentials are never allowed, because the API accepts only bearer tokens.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../lib/failure.ts'

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, Last-Event-ID, traceparent, tracestate, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id'
const EXPOSED_HEADERS =
  'Location, ETag, Link, Retry-After, Request-Id, RateLimit, RateLimit-Policy, Deprecation, Sunset, Preference-Applied, Idempotent-Replayed, Content-Range, Content-Disposition, WWW-Authenticate'

export function applyCors(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): void {
  const { origin } = request.headers
  if (!origin || !origins.includes(origin)) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', EXPOSED_HEADERS)
}

/** Browsers send the origin of the page. A page of another site must not use an agent's endpoint (DNS rebinding). */
export function checkOrigin(
  { headers: { origin } }: FastifyRequest,
  base_url: string,
  origins: readonly string[],
): void {
  if (origin === undefined || origin === new URL(base_url).origin || origins.includes(origin)) return
  throw new Failure(
    'permission_denied',
    'Pages from this origin may not use this endpoint. To allow it, add the origin to CORS_ALLOWED_ORIGINS.',
  )
}

export const isCorsPreflight = (request: FastifyRequest): boolean =>
  request.method === 'OPTIONS' &&
  request.headers.origin !== undefined &&
  request.headers['access-control-request-method'] !== undefined

export function answerCorsPreflight(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): void {
  if (origins.includes(request.headers.origin ?? '')) {
    reply.header('access-control-allow-origin', request.headers.origin)
    reply.header('access-control-allow-methods', 'GET,HEAD,POST,PUT,PATCH,DELETE')
    reply.header('access-control-allow-headers', ALLOWED_HEADERS)
    reply.header('access-control-max-age', '7200')
  }
  reply.code(204).send()
}
