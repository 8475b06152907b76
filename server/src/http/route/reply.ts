// Answers of endpoints: headers, tags, 304, lists, replays.

import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../lib/failure.ts'
import { etagOf, matchesTag } from '../../lib/precondition.ts'
import { required } from '../../lib/required.ts'
import { JSON_TYPE, send } from '../errors/answer.ts'
import type { StoredAnswer } from './idempotency.ts'
import { type ListRequest, queryEntries, wrapList } from './lists.ts'
import type { Route } from './route.ts'

const PRIVATE = 'private, no-cache'

export async function replyWithResource(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { row: Record<string, unknown>; fields: ReadonlySet<string> | null },
): Promise<FastifyReply> {
  const { row, fields } = given
  reply.header('cache-control', PRIVATE)
  const body = JSON.stringify(route.present(row, fields))
  if (!fields) {
    const tag =
      typeof row.version === 'number' ? etagOf({ id: String(row.id), version: row.version }) : contentTag(body)
    reply.header('etag', tag)
    if (isUnchanged(request, tag)) return reply.code(304).send()
  }
  reply.header('content-type', JSON_TYPE)
  await send(request, reply, body)
  return reply
}

/** For what is computed and has no stored version. */
const contentTag = (text: string): string => `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`

const isUnchanged = (request: FastifyRequest, tag: string): boolean => {
  const header = request.headers['if-none-match']
  return header !== undefined && matchesTag(header, tag)
}

interface ListGiven {
  rows: Record<string, unknown>[]
  page: ListRequest
  query: Record<string, unknown>
  path: string
  fields: ReadonlySet<string> | null
}

export async function replyWithList(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  given: ListGiven,
): Promise<FastifyReply> {
  const { fields } = given
  const envelope = wrapList(
    given.rows,
    given.page,
    required(route.endpoint.list, 'list rules'),
    route.app.config.keyring,
  )
  const data = JSON.stringify(envelope.data.map((row) => route.present(row, fields)))
  const body = JSON.stringify({ ...envelope, data: null }).replace('"data":null', () => `"data":${data}`)
  reply.header('cache-control', PRIVATE)
  if (envelope.cursor && envelope.has_next_page)
    reply.header('link', `<${nextUrl(route, given, envelope.cursor)}>; rel="next"`)
  // Cursors are encrypted with a new nonce each time, so the ETag covers the page's data instead.
  const tag = contentTag(`${envelope.has_next_page}${data}`)
  if (!fields) {
    reply.header('etag', tag)
    if (isUnchanged(request, tag)) return reply.code(304).send()
  }
  reply.header('content-type', JSON_TYPE)
  await send(request, reply, body)
  return reply
}

function nextUrl(route: Route, given: ListGiven, cursor: string): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given.query))
    for (const entry of queryEntries(name, value)) query.set(...entry)
  query.set('cursor', cursor)
  return `${route.app.config.base_url}${given.path}?${query}`
}

export async function replyWithStored(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StoredAnswer & { is_replayed: boolean },
): Promise<FastifyReply> {
  reply.code(answer.status)
  if (answer.is_replayed) reply.header('idempotent-replayed', 'true')
  if (answer.location !== null) reply.header('location', answer.location)
  if (answer.etag !== null) reply.header('etag', answer.etag)
  if (answer.status === 204) return reply.send()
  reply.header('cache-control', route.endpoint.is_secret ? 'no-store' : PRIVATE)
  reply.header('content-type', JSON_TYPE)
  await send(request, reply, answer.body ?? (await readAgain(route, request, reply, answer)))
  return reply
}

/** A body over the bound of what is kept: the resource is read again, as its caller would. */
async function readAgain(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StoredAnswer,
): Promise<string> {
  const url = (answer.location ?? '').slice(route.app.config.base_url.length)
  const fresh = await request.server.inject({
    method: 'GET',
    url,
    headers: { authorization: request.headers.authorization ?? '' },
  })
  if (fresh.statusCode !== 200) throw notFound()
  reply.header('etag', fresh.headers.etag)
  return fresh.body
}
