// Requests to a model server with limits: bytes, silence, no redirects. Every failure is a `Trouble`.

import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type EgressAnswer, operatorFetch } from '../../egress/egress.ts'
import { EgressFailed, EgressRefused } from '../../egress/errors.ts'
import type { Provider } from '../catalogue.ts'
import { findTrouble, Trouble } from './trouble.ts'

export interface Wire {
  provider: Provider
  max_bytes: number
  /** Between two pieces of an answer. How long the first takes is a matter of the deadline: a model thinks before it speaks. */
  silence_ms: number
}

export interface SendOptions {
  signal: AbortSignal
  headers?: Record<string, string>
}

const MAX_ERROR_BYTES = 64 * 1024
const MAX_RETRY_AFTER_MS = 3_600_000
/** The call's own deadline comes first; this one is for a caller that has none. */
const TOTAL_MS = 2 * 3_600_000
/** Not what was asked, but who asks and where. */
const OPERATORS = new Set([401, 402, 403, 404, 405])
const REFUSALS = /"(?:code|type)"\s*:\s*"[^"]*(?:content_filter|content_policy|moderation)/i

/** The answer to a request that was accepted. Its body breaks with `Trouble`, or with the reason of the signal. */
export async function send(
  wire: Wire,
  path: string,
  body: string,
  { signal, headers }: SendOptions,
): Promise<EgressAnswer> {
  const { provider, max_bytes } = wire
  const ending = openEnding(signal)
  try {
    const answer = await operatorFetch(provider.base_url + path, {
      method: 'POST',
      headers: {
        ...provider.headers,
        ...authorizationHeader(provider),
        'content-type': 'application/json',
        ...headers,
      },
      body,
      max_bytes,
      total_ms: TOTAL_MS,
      signal: ending.signal,
    })
    const watched = watch(answer.body, wire, ending)
    if (answer.status < 300) return { ...answer, body: watched }
    throw statusTrouble(answer.status, await beginningOf(watched))
  } catch (error) {
    ending.end(new Trouble('down', 'the connection failed'))
    throw typed(error, signal)
  }
}

interface RequestEnd {
  signal: AbortSignal
  /** Ends the request, wherever it is: a body that someone waits for cannot be destroyed before its next byte. */
  end(reason: unknown): void
}

function openEnding(outer: AbortSignal): RequestEnd {
  const controller = new AbortController()
  const abort = (): void => end(outer.reason)
  function end(reason: unknown): void {
    outer.removeEventListener('abort', abort)
    controller.abort(reason)
  }
  outer.addEventListener('abort', abort, { once: true })
  if (outer.aborted) abort()
  return { signal: controller.signal, end }
}

/** Sends a value, and reads one. */
export async function exchange(wire: Wire, path: string, value: unknown, sending: SendOptions): Promise<unknown> {
  const { body } = await send(wire, path, JSON.stringify(value), sending)
  const answer = await text(body)
  try {
    return JSON.parse(answer)
  } catch {
    throw new Trouble('unusable', 'it is not JSON')
  }
}

const authorizationHeader = ({ api_key }: Provider): Record<string, string> =>
  api_key === null ? {} : { authorization: `Bearer ${api_key}` }

function watch(body: Readable, { silence_ms }: Wire, ending: RequestEnd): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    let timer: NodeJS.Timeout | undefined
    const wait = (): void => {
      timer = setTimeout(() => ending.end(new Trouble('timeout', 'it stopped sending')), silence_ms)
    }
    try {
      wait()
      for await (const chunk of body as AsyncIterable<Buffer>) {
        clearTimeout(timer)
        yield chunk
        wait()
      }
    } catch (error) {
      throw typed(error, ending.signal)
    } finally {
      clearTimeout(timer)
    }
  }
  const watched = Readable.from(pieces(), { objectMode: false })
  watched.once('close', () => ending.end(new Trouble('down', 'the client disconnected')))
  return watched.on('error', () => {})
}

async function beginningOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_ERROR_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The server's message is not passed on, because it may quote the prompt. */
function statusTrouble(status: number, body: string): Trouble {
  if (OPERATORS.has(status)) return new Trouble('closed', `it returned ${status}`, { status })
  if (REFUSALS.test(body)) return new Trouble('refused', 'it refused', { status })
  return new RejectedRequest(status, body)
}

/** `names(word)`: whether it complains of this member of the request. */
export class RejectedRequest extends Trouble {
  #body: string
  constructor(status: number, body: string) {
    super('rejected', `it rejected the request (${status})`, { status })
    this.#body = body
  }

  names(word: string): boolean {
    return this.#body.includes(word)
  }
}

function typed(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  const trouble = findTrouble(error)
  if (trouble) return trouble
  if (error instanceof EgressFailed) return failedTrouble(error)
  if (!(error instanceof EgressRefused)) return error
  const { status } = error
  if (status !== null && status >= 300 && status < 400)
    return new Trouble('closed', `it returned a redirect (${status})`, { status })
  return new Trouble('unusable', 'it is too large or compressed')
}

function failedTrouble({ status, retry_after }: EgressFailed): Trouble {
  if (status === null) return new Trouble('down', 'the connection failed')
  const retry_after_ms = retry_after === null ? null : retryAfterOf(retry_after, Date.now())
  return new Trouble(status === 429 ? 'throttled' : 'down', `it returned ${status}`, { status, retry_after_ms })
}

/** Seconds or a date, as in RFC 9110; null: neither. */
export function retryAfterOf(value: string, now_ms: number): number | null {
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now_ms
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS)
}
