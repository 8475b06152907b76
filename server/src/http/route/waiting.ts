// `Prefer: wait=N`: an answer about something unfinished is held back until it has settled. Its events wake us; the table
// is read only then, and once more at the end.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { uuid } from '../../lib/ids.ts'
import type { Route } from './route.ts'

const MAX_WAIT_SECONDS = 50
type AwaitedRow = Record<string, unknown>

/** null: no wish, or one that cannot be understood, which is ignored (RFC 7240). */
export function preferredWait(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|,|$)/i.exec(text) ?? []
  return seconds === undefined || Number(seconds) === 0 ? null : Math.min(Number(seconds), MAX_WAIT_SECONDS)
}

const isPending = ({ endpoint }: Route, row: AwaitedRow): boolean =>
  endpoint.waits?.while.includes(row[endpoint.waits.member]) ?? false

/** The row once it has settled, or as it is when the time is over. */
export async function waitForRow(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { row: AwaitedRow; readAgain: () => Promise<AwaitedRow> },
): Promise<AwaitedRow> {
  const { waits, waits_by_default } = route.endpoint
  const wished = waits ? preferredWait(request.headers.prefer) : null
  const seconds = wished ?? (waits_by_default ? MAX_WAIT_SECONDS : null)
  let { row } = given
  if (!waits || seconds === null) return row
  if (wished !== null) reply.header('preference-applied', `wait=${seconds}`)
  const job = row[waits.job]
  if (!isPending(route, row) || typeof job !== 'string') return row
  const { context } = request
  context.extend(seconds * 1000)
  // A waiting request does not occupy a place among running requests.
  context.leave?.()
  const until = Date.now() + seconds * 1000
  const watch = route.app.changes.watch(uuid(job))
  try {
    for (;;) {
      row = await given.readAgain()
      const left = until - Date.now()
      if (!isPending(route, row) || left <= 0 || context.is_gone || route.app.changes.isReleased) return row
      await watch.next(left)
      await context.verify()
    }
  } finally {
    watch.close()
  }
}

/** When it pays to ask again: the longer it takes, the less often. */
export function suggestPoll(route: Route, reply: FastifyReply, row: AwaitedRow): void {
  if (!isPending(route, row)) return
  const age_ms = Date.now() - Date.parse(String(row.created_at))
  const patient = age_ms < 60_000 ? '2' : '5'
  reply.header('retry-after', age_ms < 10_000 ? '1' : patient)
}
