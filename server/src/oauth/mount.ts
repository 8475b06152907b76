// The endpoints of the authorization server in Fastify: oidc-provider gets the raw request and response.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressBlock } from '../http/preflight/address.ts'
import { serveMetadata } from '../http/well-known.ts'
import { tooMany } from '../lib/failure.ts'
import { authorizationServerMetadata, oauthPaths } from './endpoints.ts'
import { Failures } from './failures.ts'
import { OauthServer } from './oauth-server.ts'
import type { OauthNeeds } from './subjects.ts'

/** Wrong secrets, codes and tokens. */
const GUESS_STATUSES = new Set([400, 401])

export function serveOauth(server: FastifyInstance, app: OauthNeeds): void {
  serveMetadata(server, '/.well-known/oauth-authorization-server', authorizationServerMetadata(app.config.base_url))
  const answer = answerWith(new OauthServer(app), app.config.base_url)
  const failures = new Failures()
  server.register((scope, _options, done) => {
    // oidc-provider reads the body itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    scope.get(oauthPaths.jwks, answer)
    scope.post(oauthPaths.token, async (request, reply) => {
      const address = addressBlock(request.ip)
      const wait_ms = failures.waitMs(address)
      if (wait_ms > 0) throw tooMany('failed_logins', 'Too many failed requests came from your address.', wait_ms)
      await answer(request, reply)
      if (GUESS_STATUSES.has(reply.raw.statusCode)) failures.add(address)
    })
    done()
  })
}

function answerWith(oauth: OauthServer, base_url: string) {
  const { protocol, host } = new URL(base_url)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { answer } = await oauth.open()
    // Every address in an answer is built from BASE_URL, never from what the client sent.
    Object.assign(request.raw.headers, { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host })
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    await answer(request.raw, reply.raw)
  }
}
