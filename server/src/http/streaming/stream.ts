// The events of a job as they happen (text/event-stream). The stream is a list that is read on: each time an event has
// its place, what comes after the last one sent is read.

import { once } from 'node:events'
import { type Row, toError } from '@octavo/base/unknown.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooMany } from '../../lib/failure.ts'
import { uuid } from '../../lib/ids.ts'
import { Counts } from '../preflight/counts.ts'
import { EVENT_STREAM } from '../preflight/headers.ts'
import type { ListRequest } from '../route/lists.ts'
import { invalidParameter } from '../route/query.ts'
import type { ApiRequest, Loader, Route } from '../route/route.ts'

export const PING_MS = 15_000
const MOST_MS = 10 * 60_000
const BATCH = 100

type StreamRead = (page: ListRequest) => Promise<Row[]>

export function wantsStream(request: FastifyRequest): boolean {
  if (request.method === 'HEAD') return false
  return (request.headers.accept ?? '')
    .split(',')
    .some((range) => /^\s*text\/event-stream\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(range))
}

const open = new Counts()

function lastSeen(header: string | string[] | undefined): number {
  if (header === undefined || header === '') return 0
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header)
  throw invalidParameter([
    {
      field: 'Last-Event-ID',
      location: 'header',
      code: 'invalid_format',
      message: 'Must be the id of an event of this stream.',
    },
  ])
}

export async function stream(
  route: Route,
  request: ApiRequest,
  reply: FastifyReply,
  given: { load: Loader; read: StreamRead },
): Promise<FastifyReply> {
  const { app } = route
  const { context, params } = request
  const job = uuid(Object.values(params)[0] ?? '')
  let last = lastSeen(request.headers['last-event-id'])
  countStream(route, request)
  context.extend(MOST_MS + PING_MS)
  const watch = app.changes.watch(job)
  context.atEnd(() => watch.close())
  const db = app.db.for(context.caller)
  let row = await given.load(db, params, context)
  const isOver = (): boolean => row.is_terminal === true && Number(row.last_seq) <= last
  if (isOver()) return reply.code(204).send()

  beginStream(request, reply, 200)
  reply.raw.write('retry: 1000\n\n')
  const until = Date.now() + MOST_MS
  try {
    // A process that stops sends its readers to another one.
    while (!context.is_gone && !app.changes.isReleased) {
      await context.verify()
      const events = await given.read({
        after: last,
        limit: BATCH - 1,
        offset: 0,
        is_descending: false,
        page: null,
        shape: '',
        tenant: context.caller.tenant,
      })
      for (const event of events) {
        last = Number(event.seq)
        await write(
          reply,
          `id: ${last}\nevent: ${String(event.type)}\ndata: ${JSON.stringify(route.present(event, null))}\n\n`,
        )
      }
      if (isOver() || Date.now() > until) break
      if (events.length < BATCH) {
        const before = Date.now()
        await watch.next(PING_MS)
        if (Date.now() - before >= PING_MS - 50) await write(reply, ': ping\n\n')
      }
      row = await given.load(db, params, context)
    }
  } catch (error) {
    // The headers are already sent: the client reconnects with Last-Event-ID and gets the error then.
    if (!context.is_gone)
      app.log.warn('stream failed', { request_id: context.request_id, error_name: toError(error).name })
  }
  reply.raw.end()
  return reply
}

/** From here on the answer is ours to write. */
export function beginStream(request: FastifyRequest, reply: FastifyReply, status: number): void {
  reply.hijack()
  request.context.leave?.()
  const headers = {
    ...reply.getHeaders(),
    'content-type': EVENT_STREAM,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  }
  reply.raw.writeHead(status, headers as never)
}

export async function write(reply: FastifyReply, text: string): Promise<void> {
  if (reply.raw.writableEnded || reply.raw.destroyed) return
  if (reply.raw.write(text)) return
  const isOver = new AbortController()
  const { signal } = isOver
  await Promise.race([once(reply.raw, 'drain', { signal }), once(reply.raw, 'close', { signal })])
  isOver.abort()
}

export function countStream({ app }: Route, request: FastifyRequest): void {
  const { context } = request
  const { tenant, tier } = context.authenticated
  const most = app.config.tiers[tier].streams
  if (app.config.has_rate_limits && open.of(tenant) >= most)
    throw tooMany('streams', `At most ${most} streams of your tenant at once.`, 1000)
  open.add(tenant, 1)
  context.atEnd(() => open.add(tenant, -1))
}
