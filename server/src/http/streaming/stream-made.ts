// Streams what a POST creates (text/event-stream): text deltas while a job generates it, then the complete resource.
// Deltas are a draft; only the final, verified resource counts.

import { toError } from '@octavo/base/unknown.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { uuid } from '../../lib/ids.ts'
import type { Route } from '../route/route.ts'
import { API_ROOT } from '../route/routing.ts'
import { beginStream, PING_MS, write } from './stream.ts'

const LOOK_MS = 250
const MOST_MS = 10 * 60_000

type MadeRow = Record<string, unknown>

export async function streamMade(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { row: MadeRow; readAgain: () => Promise<MadeRow> },
): Promise<FastifyReply> {
  const { app, endpoint } = route
  const { context } = request
  context.extend(MOST_MS + PING_MS)
  const object = String(given.row.object)
  const tell = (event: string, data: unknown): Promise<void> =>
    write(reply, `event: ${object}.${event}\ndata: ${JSON.stringify(data)}\n\n`)
  reply.header('location', `${app.config.base_url}${API_ROOT}${endpoint.path}/${String(given.row.id)}`)
  beginStream(request, reply, 201)
  await tell('created', route.present(given.row, null))
  try {
    const row = await follow(route, request, reply, { ...given, tell })
    if (row) await tell('completed', route.present(row, null))
  } catch (error) {
    // The headers are out: who was cut off reads the answer at its address.
    if (!context.is_gone)
      app.log.warn('stream failed', { request_id: context.request_id, error_name: toError(error).name })
  }
  reply.raw.end()
  return reply
}

/** null: the reader has gone, or it takes too long. */
async function follow(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    row,
    readAgain,
    tell,
  }: { row: MadeRow; readAgain: () => Promise<MadeRow>; tell: (event: string, data: unknown) => Promise<void> },
): Promise<MadeRow | null> {
  const { app } = route
  const { context } = request
  if (row.is_terminal === true || typeof row.job_id !== 'string') return row
  const watch = app.changes.watch(uuid(row.job_id))
  const db = app.db.for(context.caller)
  const until = Date.now() + MOST_MS
  let sent = ''
  let told = Date.now()
  try {
    while (!context.is_gone && !app.changes.isReleased && Date.now() < until) {
      const now = await readAgain()
      const draft = now.is_terminal === true ? null : await route.readDraft?.(db, String(row.id))
      // A retry by the model starts over: send only text that continues what was already sent.
      if (draft?.startsWith(sent) && draft.length > sent.length) {
        await tell('delta', { text: draft.slice(sent.length) })
        sent = draft
        told = Date.now()
      }
      if (now.is_terminal === true) return now
      await watch.next(LOOK_MS)
      await context.verify()
      if (Date.now() - told < PING_MS) continue
      await write(reply, ': ping\n\n')
      told = Date.now()
    }
    return null
  } finally {
    watch.close()
  }
}
