// Where a client learns how to authenticate: RFC 9728 describes the API, RFC 8414 the authorization server.

import { scopeNames } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import { JSON_TYPE } from './errors/answer.ts'

export function serveResourceMetadata(server: FastifyInstance, base_url: string): void {
  serveMetadata(server, '/.well-known/oauth-protected-resource/api', {
    resource: `${base_url}/api`,
    resource_name: 'Octavo',
    authorization_servers: [base_url],
    bearer_methods_supported: ['header'],
    scopes_supported: scopeNames,
  })
}

export function serveMetadata(server: FastifyInstance, path: string, metadata: object): void {
  const body = JSON.stringify(metadata)
  server.get(path, (_, reply) =>
    reply.header('content-type', JSON_TYPE).header('cache-control', 'public, max-age=300').send(body),
  )
}
