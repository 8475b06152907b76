// Where a client learns how to authenticate: RFC 9728 describes the API, RFC 8414 the authorization server.

import { scopeNames } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { resourceNames, resourceUrl } from '../auth/access-token.ts'
import { JSON_TYPE } from './errors/answer.ts'

export function serveResourceMetadata(
  server: FastifyInstance,
  { base_url, oauth_issuer }: Pick<App['config'], 'base_url' | 'oauth_issuer'>,
): void {
  for (const resource of resourceNames)
    serveMetadata(server, base_url, ['/.well-known/oauth-protected-resource', `/${resource}`], {
      resource: resourceUrl(base_url, resource),
      resource_name: 'Octavo',
      authorization_servers: [...(oauth_issuer === null ? [] : [oauth_issuer]), base_url],
      bearer_methods_supported: ['header'],
      // Agents request all scopes that they find here, and would be refused if one is not registered. Without the list they
      // name none and get the registered ones.
      ...(resource === 'api' && { scopes_supported: scopeNames }),
    })
}

/** Below a path, clients insert the path of BASE_URL after the well-known name (RFC 8414, section 3.1). */
export function serveMetadata(
  server: FastifyInstance,
  base_url: string,
  [name, resource]: readonly [name: string, resource: string],
  metadata: object,
): void {
  const body = JSON.stringify(metadata)
  const prefix = new URL(base_url).pathname.replace(/\/$/, '')
  for (const path of new Set([`${name}${resource}`, `${name}${prefix}${resource}`]))
    server.get(path, (_, reply) =>
      reply.header('content-type', JSON_TYPE).header('cache-control', 'public, max-age=300').send(body),
    )
}
