// The only way out to addresses that someone else names: imports, webhooks, keys of clients.

import { Readable } from 'node:stream'
import { traced } from '@octavo/base/trace.ts'
import { toError } from '@octavo/base/unknown.ts'
import { rangesOf } from './addresses.ts'
import { type ConnectOptions, type Lookup, openSocket, type Target } from './connector.ts'
import { EgressFailed, EgressRefused } from './errors.ts'

export interface OperatorOptions {
  /** Limit of the response body. */
  max_bytes: number
  /** For the lookup, the connection and the handshake. */
  connect_ms?: number
  /** For everything, up to the last byte of the body. */
  total_ms: number
  signal?: AbortSignal
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT'
  headers?: Record<string, string>
  body?: string | Uint8Array | Readable
  /** How names are resolved, unless by this machine. */
  lookup?: Lookup
}

export interface EgressOptions extends OperatorOptions {
  /**
   * Ranges that the operator opens although they are closed by default. `64:ff9b::/96` opens every IPv4 address behind
   * the gateway.
   */
  allow_cidrs: readonly string[]
  allows_http: boolean
}

/** Answers below 300 and from 400 to 499 that do not say to come back: what they mean is the caller's business. */
export interface EgressAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** To be read or destroyed; breaks with `EgressRefused` past `max_bytes`, with `EgressFailed` past `total_ms`. */
  body: Readable
}

const CONNECT_MS = 3_000
const MAX_HEADER_BYTES = 16_384
const COME_BACK = new Set([408, 425, 429])

/** For a caller-supplied URL. Throws `EgressRefused`, `EgressFailed`, or the reason of the signal. */
export async function egressFetch(url: string, options: EgressOptions): Promise<EgressAnswer> {
  const { allow_cidrs, allows_http, ...rest } = options
  const address = parseAddress(url)
  if (address.protocol !== 'https:' && !allows_http) throw new EgressRefused('The URL must start with https://.')
  return send(address, rest, rangesOf(allow_cidrs))
}

/** For an address that the operator configures: it may be inside, and without TLS. Bytes and time are bounded all the same. */
export async function operatorFetch(url: string, options: OperatorOptions): Promise<EgressAnswer> {
  const address = parseAddress(url)
  const { method = 'GET', headers } = options
  const attributes = { 'http.request.method': method, 'server.address': address.hostname, 'url.path': address.pathname }
  return traced({ name: method, kind: 'client', attributes }, async (span) => {
    if (!span) return send(address, options, null)
    const answer = await send(address, { ...options, headers: { ...headers, ...span.headers } }, null)
    span.attributes['http.response.status_code'] = answer.status
    return answer
  })
}

function parseAddress(url: string): URL {
  const address = URL.parse(url)
  if (!address || !/^https?:$/.test(address.protocol)) throw new EgressRefused('Not a URL that starts with https://.')
  if (address.username || address.password)
    throw new EgressRefused('The URL must not contain a user name or a password.')
  return address
}

function targetOf({ protocol, hostname, port }: URL): Target {
  const is_tls = protocol === 'https:'
  return { is_tls, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (is_tls ? 443 : 80) }
}

async function send(address: URL, options: OperatorOptions, allowed: ConnectOptions['allowed']): Promise<EgressAnswer> {
  const { total_ms, connect_ms = CONNECT_MS, lookup } = options
  const target = targetOf(address)
  const deadline = openDeadline(target.host, total_ms, options.signal)
  const connecting: ConnectOptions = { allowed, connect_ms, signal: deadline.signal, lookup }
  // Loaded lazily: it is slow to load and most processes never make an outgoing request.
  const { Client } = await import('undici')
  // One client per request: a kept-alive connection would skip the address check.
  const client = new Client(address.origin, {
    connect: (_options, callback) => {
      openSocket(target, connecting).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(toError(error), null),
      )
    },
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: total_ms,
    bodyTimeout: total_ms,
  })
  const end = (): void => {
    deadline.close()
    client.destroy().catch(() => {})
  }
  try {
    const answer = await client.request({
      path: address.pathname + address.search,
      method: options.method ?? 'GET',
      // A body without compression cannot be a decompression bomb.
      headers: { 'user-agent': 'octavo', ...options.headers, 'accept-encoding': 'identity' },
      body: options.body ?? null,
      signal: deadline.signal,
    })
    answer.body.on('error', () => {})
    checkAnswer(target.host, answer.statusCode, answer.headers, options)
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: boundedBody(answer.body, { ...options, target, deadline, end }),
    }
  } catch (error) {
    end()
    throw typed(error, target.host, deadline.signal)
  }
}

function checkAnswer(
  host: string,
  status: number,
  headers: EgressAnswer['headers'],
  { max_bytes, method }: OperatorOptions,
): void {
  if (status >= 300 && status < 400)
    throw new EgressRefused(
      `'${host}' returned a redirect (${status}), which Octavo does not follow. Use the target URL.`,
      {
        status,
      },
    )
  const retry_after = headers['retry-after']?.toString()
  if (status >= 500 || COME_BACK.has(status))
    throw new EgressFailed(`'${host}' returned ${status}.`, { status, retry_after })
  const encoding = String(headers['content-encoding'] ?? 'identity')
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new EgressRefused(`'${host}' returned a compressed response, which was not requested.`, { status })
  if (method !== 'HEAD' && Number(headers['content-length'] ?? 0) > max_bytes) throw tooLarge(host, max_bytes)
}

const tooLarge = (host: string, max_bytes: number): EgressRefused =>
  new EgressRefused(`'${host}' returned more than ${max_bytes} bytes.`)

interface EgressBounds {
  max_bytes: number
  target: Target
  deadline: EgressDeadline
  end: () => void
}

function boundedBody(source: Readable, { max_bytes, target, deadline, end }: EgressBounds): Readable {
  async function* count(): AsyncGenerator<Buffer> {
    let seen = 0
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        seen += chunk.length
        if (seen > max_bytes) throw tooLarge(target.host, max_bytes)
        yield chunk
      }
    } catch (error) {
      throw typed(error, target.host, deadline.signal)
    }
  }
  const body = Readable.from(count(), { objectMode: false })
  const abort = (): void => void body.destroy(toError(deadline.signal.reason))
  deadline.signal.addEventListener('abort', abort, { once: true })
  body.once('close', () => {
    deadline.signal.removeEventListener('abort', abort)
    end()
  })
  // Late readers still get the error; the no-op listener prevents an uncaught exception.
  return body.on('error', () => {})
}

interface EgressDeadline {
  signal: AbortSignal
  close(): void
}

function openDeadline(host: string, total_ms: number, outer: AbortSignal | undefined): EgressDeadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new EgressFailed(`'${host}' did not respond in time.`)), total_ms)
  const abort = (): void => controller.abort(outer?.reason)
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    close() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', abort)
    },
  }
}

function typed(error: unknown, host: string, signal: AbortSignal): unknown {
  if (error instanceof EgressRefused || error instanceof EgressFailed) return error
  if (signal.aborted) return signal.reason
  return new EgressFailed(`'${host}' closed the connection before the response was complete.`, { cause: error })
}
