import { OctavoError } from './errors.ts'
import type { Event } from './generated/types.ts'
import { retryWaitMs, sleep } from './retry.ts'
import { type Message, MessageParser } from './sse.ts'

export interface FollowOptions {
  /** Aborts the iteration, which then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** The `seq` of the last event that you have; only later events follow. */
  last_event_id?: string | number | undefined
  /** How many connections in a row may fail. */
  max_retries?: number | undefined
  /** How long the server may stay silent; it sends at least a ping every 15 seconds. 60 seconds by default. */
  timeout_ms?: number | undefined
}

/** The followed job, independent of the transport. */
export interface Source {
  /** The text of one connection, which starts after the event with this number. */
  connect(seq: number, silenceMs: () => number): AsyncIterable<string>
  isOver(): Promise<boolean>
}

interface Limits {
  signal: AbortSignal | undefined
  max_retries: number
  silence_ms: number
}

const RECONNECT_MS = 500
const LONGEST_RECONNECT_MS = 30_000
/** The event that ends a job is the last one, unless the job has been queued again. */
const LAST_WORDS_MS = 1_000
/** A connection that lasted this long counts as successful, even without events. */
const GOOD_CONNECTION_MS = 10_000

const endings = new Set<string>(['job.succeeded', 'job.partially_succeeded', 'job.failed', 'job.cancelled'])

export function seqOf(id: string | number): number {
  const seq = Number(id)
  if (id === '' || !Number.isSafeInteger(seq) || seq < 0) throw new TypeError(`'${id}' is not the number of an event.`)
  return seq
}

/** null for messages that this client does not know. */
function eventOf(message: Message): { seq: number; event: Event } | null {
  const seq = Number(message.id)
  if (message.id === '' || !Number.isSafeInteger(seq)) return null
  try {
    return { seq, event: JSON.parse(message.data) as Event }
  } catch (cause) {
    throw new OctavoError({ code: 'unexpected_answer', message: `Event ${seq} of the stream is not JSON.`, cause })
  }
}

/**
 * Yields events in order, each once, over as many connections as needed. A stream ends without a final event after its limit
 * of ten minutes, or if the job had ended before.
 */
export async function* followEvents(
  source: Source,
  from: number,
  limits: Limits,
): AsyncGenerator<Event, void, undefined> {
  let last = from
  let hasEnded = false
  let isOver = false
  let reconnectMs = RECONNECT_MS
  for (let failures = 0; ; ) {
    const parser = new MessageParser()
    const begun = { last, at: Date.now() }
    let failure: OctavoError | null = null
    try {
      for await (const text of source.connect(last, () => (hasEnded ? LAST_WORDS_MS : limits.silence_ms))) {
        for (const message of parser.push(text)) {
          const found = eventOf(message)
          if (!found || found.seq <= last) continue
          last = found.seq
          hasEnded = endings.has(found.event.type)
          yield found.event
        }
      }
    } catch (error) {
      if (!(error instanceof OctavoError)) throw error
      failure = error
    }
    if (hasEnded) return
    reconnectMs = Math.min(parser.retry_ms ?? reconnectMs, LONGEST_RECONNECT_MS)
    if (!failure) {
      if (isOver) return
      failures = 0
      isOver = await source.isOver()
      if (!isOver) await sleep(reconnectMs * (1 + Math.random() / 4), limits.signal)
      continue
    }
    failures = last > begun.last || Date.now() - begun.at >= GOOD_CONNECTION_MS ? 1 : failures + 1
    const wait = retryWaitMs(failure, failures, limits.max_retries)
    if (wait === null) throw failure
    await sleep(Math.max(wait, parser.retry_ms === null ? 0 : reconnectMs), limits.signal)
  }
}
