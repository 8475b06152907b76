// The addresses behind signed links: no credential is asked for, since the link is one.

import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import type { Db } from '../../db/database.ts'
import { findSignedLink, SIGNED_ROOT, type SignedLink } from '../../files/signed-links.ts'
import { operator } from '../../lib/caller.ts'
import { Failure, notFound } from '../../lib/failure.ts'
import { replyWithBytes, type StoredBytes } from './bytes.ts'
import { letGo, patient } from './streamed.ts'

interface SignedHandlers {
  readFile(db: Db, link: SignedLink): Promise<StoredBytes>
  putUpload(db: Db, link: SignedLink, body: { bytes: Readable; length: number | null }): Promise<void>
}

export function serveSigned(server: FastifyInstance, app: App, handlers: SignedHandlers): void {
  server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, bytes, parsed) => parsed(null, bytes))
    scope.get(`${SIGNED_ROOT}/:token`, async (request, reply) => {
      const link = readLink(app, request, 'read_file')
      return replyWithBytes(request, reply, await handlers.readFile(dbOf(app, request, link), link))
    })
    scope.put(`${SIGNED_ROOT}/:token`, async (request, reply) => {
      const link = readLink(app, request, 'put_upload')
      await receive(app, request, link, handlers)
      return answerReceived(reply)
    })
    done()
  })
}

function readLink(app: App, request: FastifyRequest, may: SignedLink['may']): SignedLink {
  const link = findSignedLink(app.config.keyring, (request.params as { token: string }).token)
  if (!link || link.may !== may) throw notFound()
  if (link.expires_at < Date.now())
    throw new Failure('permission_denied', 'This link has expired. Request a new one from the API.')
  return link
}

const dbOf = (app: App, request: FastifyRequest, link: SignedLink): Db =>
  app.db.for({ ...operator(link.tenant, []), request: request.context.request, deadline: request.context })

async function receive(app: App, request: FastifyRequest, link: SignedLink, handlers: SignedHandlers): Promise<void> {
  const raw = request.body as Readable | undefined
  if (!raw) throw new Failure('invalid_request', 'The request has no body. Send the bytes of the file.')
  const { 'content-length': length } = request.headers
  const bytes = patient(raw)
  try {
    await handlers.putUpload(dbOf(app, request, link), link, {
      bytes,
      length: length === undefined ? null : Number(length),
    })
  } catch (error) {
    letGo(bytes, raw)
    throw error
  }
}

const answerReceived = (reply: FastifyReply): FastifyReply =>
  reply.code(200).header('cache-control', 'no-store').send('')
