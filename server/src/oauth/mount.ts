// The endpoints of the authorization server in Fastify: oidc-provider gets the raw request and response.

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { addressBlock } from '../http/preflight/address.ts'
import { serveMetadata } from '../http/well-known.ts'
import { currentSession } from '../sign-in/sessions.ts'
import { authorizationServerMetadata, oauthPaths } from './endpoints.ts'
import { serveInteractions } from './interactions.ts'
import { OauthServer } from './oauth-server.ts'
import { accountId } from './subjects.ts'

/** The request of Fastify behind a raw one. */
const requests = new WeakMap<IncomingMessage, FastifyRequest>()

export function serveOauth(server: FastifyInstance, app: App): void {
  const { base_url } = app.config
  const metadata = authorizationServerMetadata(app.config)
  serveMetadata(server, base_url, ['/.well-known/oauth-authorization-server', ''], metadata)
  const oauth = new OauthServer(app, {
    isSignedIn: async (ctx, account) => {
      const request = requests.get(ctx.req)
      const session = request ? await currentSession(app, request) : null
      return session !== null && accountId(session.user.tenant, session.user.user) === account
    },
    addressOf: (raw) => addressBlock(requests.get(raw)?.ip ?? ''),
  })
  serveInteractions(server, app, oauth)
  const answer = answerWith(oauth, base_url)
  server.register((scope, _options, done) => {
    // oidc-provider reads the body itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    scope.get(oauthPaths.jwks, answer)
    scope.route({ method: ['GET', 'POST'], url: oauthPaths.authorization, handler: answer })
    scope.get(`${oauthPaths.authorization}/:uid`, answer)
    scope.post(oauthPaths.token, answer)
    scope.post(oauthPaths.revocation, answer)
    scope.post(oauthPaths.introspection, answer)
    scope.post(oauthPaths.device_authorization, answer)
    scope.route({ method: ['GET', 'POST'], url: oauthPaths.code_verification, handler: answer })
    scope.get(`${oauthPaths.code_verification}/:uid`, answer)
    done()
  })
}

function answerWith(oauth: OauthServer, base_url: string) {
  const { protocol, host, pathname } = new URL(base_url)
  const prefix = pathname.replace(/\/$/, '')
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { answer } = await oauth.open()
    requests.set(request.raw, request)
    // Every address in an answer is built from BASE_URL, never from what the client sent.
    Object.assign(request.raw.headers, { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host })
    // oidc-provider finds the path of BASE_URL in front of the address here.
    Object.assign(request.raw, { originalUrl: prefix + request.url })
    reply.hijack()
    const isPage = request.url.startsWith(oauthPaths.authorization)
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      // RFC 9700: scripts of other sites must not read the authorization endpoint.
      if (value !== undefined && !(isPage && name.startsWith('access-control-'))) reply.raw.setHeader(name, value)
    }
    await answer(request.raw, reply.raw)
  }
}
