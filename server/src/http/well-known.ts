// RFC 9728: where a client that got a 401 learns how to authenticate. No authorization server is named: there is none.

import { scopeNames } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import { JSON_TYPE } from './errors/answer.ts'

export function serveResourceMetadata(server: FastifyInstance, base_url: string): void {
  const body = JSON.stringify({
    resource: `${base_url}/api`,
    resource_name: 'Octavo',
    bearer_methods_supported: ['header'],
    scopes_supported: scopeNames,
  })
  server.get('/.well-known/oauth-protected-resource/api', (_, reply) =>
    reply.header('content-type', JSON_TYPE).header('cache-control', 'public, max-age=300').send(body),
  )
}
