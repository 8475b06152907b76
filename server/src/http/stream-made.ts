// What a POST makes, as it comes (text/event-stream): pieces of its text while a job writes it, then all of it. The pieces
// are a draft: what counts is what was checked, at the end.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { uuid } from '../lib/ids.ts'
import type { Plan } from './plan.ts'
import { API_ROOT } from './routing.ts'
import { beginStream, countStream, PING_MS, write } from './stream.ts'

const LOOK_MS = 250
const MOST_MS = 10 * 60_000

type Row = Record<string, unknown>

export async function streamMade(
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { row: Row; readAgain: () => Promise<Row> },
): Promise<FastifyReply> {
  const { app, endpoint } = plan
  const { context } = request
  countStream(plan, request)
  context.extend(MOST_MS + PING_MS)
  const object = String(given.row.object)
  const tell = (event: string, data: unknown): Promise<void> =>
    write(reply, `event: ${object}.${event}\ndata: ${JSON.stringify(data)}\n\n`)
  reply.header('location', `${app.config.base_url}${API_ROOT}${endpoint.path}/${String(given.row.id)}`)
  beginStream(request, reply, 201)
  await tell('created', plan.present(given.row, null))
  try {
    const row = await follow(plan, request, reply, { ...given, tell })
    if (row) await tell('completed', plan.present(row, null))
  } catch (error) {
    // The headers are out: who was cut off reads the answer at its address.
    if (!context.is_gone)
      app.log.warn('stream broken off', { request_id: context.request_id, error_name: (error as Error).name })
  }
  reply.raw.end()
  return reply
}

/** null: the reader has gone, or it takes too long. */
async function follow(
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    row,
    readAgain,
    tell,
  }: { row: Row; readAgain: () => Promise<Row>; tell: (event: string, data: unknown) => Promise<void> },
): Promise<Row | null> {
  const { app } = plan
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
      const draft = now.is_terminal === true ? null : await plan.readDraft?.(db, String(row.id))
      // A second try of a model begins anew: only what goes on from what was told is told.
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
