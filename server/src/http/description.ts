// The OpenAPI description at `/openapi.json`, for tools that cannot send a key. It is the same for every installation of
// a version, except for its own address.

import type { FastifyInstance } from 'fastify'
import { shortDigest } from '../lib/digest.ts'
import { JSON_TYPE } from './errors/answer.ts'

export function serveDescription(server: FastifyInstance, description: Record<string, unknown>): void {
  const body = Buffer.from(JSON.stringify(description))
  const etag = `"${shortDigest(body)}"`
  server.get('/openapi.json', (request, reply) => {
    reply.header('etag', etag).header('cache-control', 'public, max-age=300')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.header('content-type', JSON_TYPE).send(body)
  })
}
