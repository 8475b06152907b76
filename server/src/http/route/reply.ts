// Answers of endpoints: headers, tags, 304, lists, replays.

import { hash } from 'node:crypto'
import { required } from '@octavo/base/required.ts'
import type { Row } from '@octavo/base/unknown.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matchesTag } from '../../lib/precondition.ts'
import { JSON_TYPE, send } from '../errors/answer.ts'
import type { StoredAnswer } from './idempotency.ts'
import { type ListRequest, queryEntries, wrapList } from './lists.ts'
import type { ApiRequest, Route } from './route.ts'

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
  request: ApiRequest,
  reply: FastifyReply,
  answer: StoredAnswer & { is_replayed: boolean },
): Promise<FastifyReply> {
  const { status, location } = answer
  const { body, etag } = status === 204 || answer.body !== null ? answer : await readAgain(route, request, answer)
  reply.code(status)
  if (answer.is_replayed) reply.header('idempotent-replayed', 'true')
  if (location !== null) reply.header('location', location)
  if (etag !== null) reply.header('etag', etag)
  if (status === 204) return reply.send()
  reply.header('cache-control', route.endpoint.is_secret ? 'no-store' : PRIVATE)
  reply.header('content-type', JSON_TYPE)
  await send(request, reply, body ?? '')
  return reply
}

/** Reads the current state of a created resource. */
export async function readMade(route: Route, request: ApiRequest, id: string): Promise<Row> {
  const item = route.findItemLoader()
  if (!item) throw new Error(`No GET endpoint reads the resources that POST ${route.endpoint.path} creates.`)
  const params = { ...request.params, [item.param]: id }
  return item.load(route.app.db.for(request.context.caller), params, request.context)
}

/** No copy of the body was kept, because it is large or equal to the resource. */
export async function readAgain(
  route: Route,
  request: ApiRequest,
  { location, etag }: StoredAnswer,
): Promise<{ body: string; etag: string | null }> {
  const row = await readMade(route, request, location?.split('/').at(-1) ?? '')
  return {
    body: JSON.stringify(route.present(row, null)),
    etag: typeof row.version === 'number' ? etagOf({ id: String(row.id), version: row.version }) : etag,
  }
}
