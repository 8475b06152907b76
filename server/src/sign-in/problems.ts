// Errors of a page for people, as a page.

import { codeOf } from '@octavo/base/unknown.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Needs } from '../app.ts'
import { isPassing } from '../db/errors.ts'
import { Failure } from '../lib/failure.ts'
import { errorFields } from '../telemetry/log.ts'
import { sendPage } from './page.ts'
import { problemPage } from './sign-in.pages.ts'
import { PageProblem } from './visit.ts'

export function sendProblem(
  app: Needs<'config' | 'log'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, message, headers } = problemOf(error)
  // A full queue is expected under a flood of sign-ins; its log line must not cost more than the refusal.
  if (status >= 500 && !(error instanceof PageProblem))
    app.log.error('page failed', { request_id: request.context.request_id, ...errorFields(error) })
  return sendPage(reply.headers(headers), app.config.base_url, problemPage({ app }, status, message))
}

function problemOf(error: unknown): PageProblem {
  if (error instanceof PageProblem) return error
  if (error instanceof Failure && error.status < 500) return new PageProblem(error.status, error.message, error.headers)
  if (codeOf(error) === 'FST_ERR_CTP_BODY_TOO_LARGE') return new PageProblem(413, 'The form is too large.')
  if (isPassing(error))
    return new PageProblem(503, 'The server cannot reach its database. Try again in a moment.', { 'retry-after': '5' })
  return new PageProblem(
    500,
    'Something went wrong on the server. Try again; if it happens again, ask your administrator.',
  )
}
