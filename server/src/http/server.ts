// The HTTP server: Fastify carries the bytes, the contract and preflight decide.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { firstOf } from '@octavo/base/required.ts'
import { runInSpan } from '@octavo/base/trace.ts'
import { toError } from '@octavo/base/unknown.ts'
import { MAX_BODY_BYTES } from '@octavo/contract'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Authenticator } from '../auth/authenticator.ts'
import { SIGNED_ROOT } from '../files/signed-links.ts'
import { Failure, noSuchEndpoint } from '../lib/failure.ts'
import { newId, toId } from '../lib/ids.ts'
import { errorFields } from '../telemetry/log.ts'
import { COMMON_HEADERS, commonHeaders, errorBody, errorHeaders, failureFromError } from './errors/answer.ts'
import { serveErrorsPage } from './errors/errors-page.ts'
import { Admission } from './preflight/admission.ts'
import { Context } from './preflight/context.ts'
import { FORM_TYPE, headersTooLarge } from './preflight/headers.ts'
import { Preflight } from './preflight/preflight.ts'
import { logSecurityEvent } from './preflight/security-log.ts'
import { shedEarly, shedReporter } from './preflight/shedding.ts'
import { endRequestSpan, startRequestSpan, traceIdOf } from './request-span.ts'
import { BodyBytes } from './streaming/body-bytes.ts'
import { receiveForm } from './streaming/form.ts'
import { serveResourceMetadata } from './well-known.ts'

/** Above the bound of headers, so that we and not the parser answer 414 and 431 for what is moderately too large. */
const PARSER_HEADER_BYTES = 64 * 1024
const BODY_MS = 60_000

export function buildServer(app: App, authenticator: Authenticator): FastifyInstance {
  const { config } = app
  const prefix = new URL(config.base_url).pathname
  const server = fastify({
    logger: false,
    // Preflight refuses a request without Host: Node would do it without a body.
    http: {
      maxHeaderSize: PARSER_HEADER_BYTES,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    // A file takes as long as it takes: the time of other bodies is watched below.
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.trusted_proxies.length > 0 ? config.trusted_proxies : false,
    // While stopping, requests on open connections are served, not refused.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // No limit of the router's own: its error would come before authentication, with another body. Ids that are too
    // long get the usual 404.
    routerOptions: { maxParamLength: PARSER_HEADER_BYTES },
    rewriteUrl: (request) => rewriteUrl(request.url ?? '/', prefix),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, config.base_url),
  })
  const admission = new Admission({ max: config.max_concurrency, onShed: shedReporter(app) })
  const preflight = new Preflight(app, authenticator, admission)
  const headers = commonHeaders(config.base_url)

  shedEarly(server.server, app, admission)
  // An expectation that we do not know is passed over: Node would answer 417, without a body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.addContentTypeParser(FORM_TYPE, async (request: FastifyRequest, body: Readable) => {
    // A file is stored while it arrives, so only an endpoint that takes one may receive it.
    if (!request.routeOptions.config.endpoint?.form) throw noFormHere()
    const begun = Date.now()
    const form = await receiveForm(app, request, body)
    request.context.extend(Date.now() - begun)
    return form
  })
  server.decorateRequest('context', null as unknown as Context)

  server.addHook('onRequest', (request, reply, done) => {
    const context = new Context(config.request_deadline_ms)
    request.context = context
    context.span = startRequestSpan(app, request)
    reply.headers(headers).header('request-id', context.request_id)
    watchEnd(app, request, reply, admission)
    if (!isStreamed(request)) refuseLateBody(request)
    try {
      const passing = preflight.pass(request, reply, context)
      if (passing instanceof Promise) passing.then(() => reply.sent || done(), done)
      else if (!reply.sent) done()
    } catch (error) {
      done(toError(error))
    }
  })
  const bodies = new BodyBytes()
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const { context } = request
    const { principal } = context
    if (!context.has_large_body || !principal) return done(null, payload)
    done(null, bodies.count(request.raw, principal.tenant, context))
  })
  server.addHook('preHandler', (request, _reply, done) => {
    try {
      const next = (): void => runInSpan(request.context.span, done)
      const entering = preflight.enter(request.context)
      if (entering) entering.then(next, done)
      else next()
    } catch (error) {
      done(toError(error))
    }
  })
  // When the answer is ready: a caller who reads slowly does not hold a place.
  server.addHook('onSend', (request, _reply, payload, done) => {
    request.context.leave?.()
    done(null, payload)
  })
  server.addHook('preClose', (done) => {
    app.changes.release()
    done()
  })
  server.setErrorHandler((error, request, reply) => answerFailure(app, error, request, reply))
  server.setNotFoundHandler((request, reply) => answerFailure(app, noSuchEndpoint(), request, reply))
  serveErrorsPage(server)
  serveResourceMetadata(server, config)
  return server
}

const noFormHere = (): Failure =>
  new Failure('unsupported_media_type', 'This endpoint accepts no form. Send the body as JSON, or no body.', {
    headers: { connection: 'close' },
  })

const isStreamed = ({ url, headers }: FastifyRequest): boolean =>
  url.startsWith(`${SIGNED_ROOT}/`) || (headers['content-type'] ?? '').trim().toLowerCase().startsWith(FORM_TYPE)

/** A body that is held in memory must not be held for long. */
function refuseLateBody({ raw }: FastifyRequest): void {
  const { 'content-length': length = '0', 'transfer-encoding': transfer } = raw.headers
  if (transfer === undefined && length === '0') return
  const timer = setTimeout(() => raw.destroy(), BODY_MS)
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

/** One listener for all that ends with a request: places, log line, metric. */
function watchEnd(app: App, request: FastifyRequest, reply: FastifyReply, admission: Admission): void {
  const { context } = request
  app.metrics.levels.in_flight++
  reply.raw.once('close', () => {
    context.is_gone = !reply.raw.writableFinished
    context.end()
    app.metrics.levels.in_flight--
    app.metrics.levels.concurrency_limit = admission.limit
    const duration_ms = performance.now() - context.started_ms
    const status = reply.raw.statusCode
    app.metrics.observeRequest(context.operation, status, duration_ms / 1000)
    if (context.principal) app.metrics.observeTier(context.principal.tier, duration_ms / 1000)
    endRequestSpan(context, status)
    logEnd(app, request, status, duration_ms)
  })
}

function logEnd(app: App, request: FastifyRequest, status: number, duration_ms: number): void {
  const { context } = request
  const trace_id = traceIdOf(request)
  app.log.info(context.is_gone ? 'request abandoned' : 'request', {
    request_id: context.request_id,
    method: request.method,
    operation: context.operation,
    status,
    duration_ms: Math.round(duration_ms * 10) / 10,
    ...(context.principal ? { tenant_id: toId('ten', context.principal.tenant) } : {}),
    ...(trace_id ? { trace_id } : {}),
  })
}

function answerFailure(app: App, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { context } = request
  const max_bytes = context.endpoint?.is_large ? app.config.max_json_bytes : MAX_BODY_BYTES
  const failure = failureFromError(error, { max_bytes, is_cut_off: request.raw.readableAborted })
  logSecurityEvent(app, failure.code, request.ip, context)
  if (failure.status >= 500 && failure.cause !== undefined) {
    app.log.error('request failed', {
      request_id: context.request_id,
      code: failure.code,
      ...errorFields(failure.cause),
    })
  }
  for (const name of [
    'etag',
    'location',
    'link',
    'content-encoding',
    'content-disposition',
    'content-length',
    'accept-ranges',
  ])
    reply.removeHeader(name)
  return reply
    .code(failure.status)
    .headers({ ...errorHeaders, ...failure.headers })
    .send(errorBody(failure, context.request_id, app.config.base_url))
}

/** A path that cannot be decoded cannot name anything; a path prefix and the host of an absolute address are cut off here. */
function rewriteUrl(given: string, prefix: string): string {
  const url = given.startsWith('/') ? given : given.replace(/^https?:\/\/[^/?#]+(?=\/)/i, '')
  const own = prefix !== '/' && (url === prefix || url.startsWith(`${prefix}/`)) ? url.slice(prefix.length) || '/' : url
  if (!own.includes('%')) return own
  try {
    decodeURIComponent(firstOf(own.split('?', 1)))
    return own
  } catch {
    return own.startsWith('/api/') ? '/api/v1/-' : '/-'
  }
}

/** Requests that the parser rejects never reach a handler, but get the same error body. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, base_url: string): void {
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  if (isLate || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const failure =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? headersTooLarge()
      : new Failure('invalid_parameter', 'The request is not valid HTTP.')
  const request_id = newId('req')
  const body = errorBody(failure, request_id, base_url)
  const headers = {
    ...COMMON_HEADERS,
    ...errorHeaders,
    'request-id': request_id,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join('')}\r\n${body}`)
}
