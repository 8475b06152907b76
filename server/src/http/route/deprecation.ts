// An older name of an operation works as the newer one does, and says so (RFC 9745).

import type { FastifyReply } from 'fastify'
import type { ApiRequest, Route } from './route.ts'
import { API_ROOT } from './routing.ts'

/** When version 1.0 was released, in seconds: older names were deprecated from the first day. */
const DEPRECATED_AT = 1_767_225_600

export const fillPath = (path: string, params: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

export function announceSuccessor({ app, endpoint }: Route, request: ApiRequest, reply: FastifyReply): void {
  if (!endpoint.successor) return
  const path = fillPath(endpoint.successor, request.params)
  reply.header('deprecation', `@${DEPRECATED_AT}`)
  reply.header('link', `<${app.config.base_url}${API_ROOT}${path}>; rel="successor-version"`)
  app.metrics.deprecated_requests.inc({ operation: request.context.operation })
}
