// A document's text as the response: Markdown or plain text, streamed page by page.

import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesTag } from '../../lib/precondition.ts'
import type { StreamedText, TextFormat } from '../../lib/streamed-text.ts'
import { checkTags } from '../route/conditional.ts'
import type { QueryReader } from '../route/query.ts'
import { TEXT_TYPES } from './text-format.ts'

/** The requested format, after the checks of the query and of `If-None-Match`. */
export function readTextFormat(request: FastifyRequest, readQuery: QueryReader): unknown {
  const { format } = readQuery(request.url.split('?')[1] ?? '')
  checkTags(request, ['if-none-match'])
  return format
}

export async function replyWithText(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, format }: { text: StreamedText; format: TextFormat },
): Promise<FastifyReply> {
  const tag = `"${hash('sha256', `${text.revision}\0${format}`, 'base64url').slice(0, 22)}"`
  reply.headers({
    'cache-control': 'private, no-cache',
    'content-security-policy': "sandbox; default-src 'none'",
    etag: tag,
  })
  const known = request.headers['if-none-match']
  if (known !== undefined && matchesTag(known, tag)) return reply.code(304).send()
  reply.header('content-type', `${TEXT_TYPES[format]}; charset=utf-8`)
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  const parts = text.parts(format)
  // The first part is read before the headers are sent, so that a failure still gets its status.
  const first = await parts.next()
  return reply.send(Readable.from(first.done ? [] : prepend(first.value, parts), { objectMode: false }))
}

async function* prepend(first: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  yield first
  yield* rest
}
