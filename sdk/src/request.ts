import { type Answered, Call, type CallOptions, type Operation, type Send } from './call.ts'
import { explainUnknownFields } from './compatibility.ts'
import { ConnectionError, errorOf, NotFoundError, OctavoError, TimeoutError } from './errors.ts'
import { type ExchangeSettings, exchange, type Logger, type TokenProvider } from './exchange.ts'
import type { Capabilities } from './generated/types.ts'
import { DEFAULT_MAX_RETRIES, mayHaveRun, retryWaitMs, sleep } from './retry.ts'

export interface ClientOptions {
  /** The root of the server, such as `https://octavo.example.com`. `/api/v1` at its end is ignored. */
  base_url: string
  /** An API key. Either this or `token` is required. */
  api_key?: string | undefined
  /** Returns an access token, for OAuth 2.0 or a gateway. */
  token?: TokenProvider | undefined
  /** Time limit of one attempt; 60 seconds by default. */
  timeout_ms?: number | undefined
  /** How often a call is repeated after a temporary failure; 5 by default. */
  max_retries?: number | undefined
  /** The default for POST: how long the server may delay its response until the work has ended. */
  wait_seconds?: number | undefined
  fetch?: typeof fetch | undefined
  /** Receives one entry for each response and each retry. */
  logger?: Logger | undefined
}

const DEFAULT_TIMEOUT_MS = 60_000
/** The server delays no response for longer. */
export const LONGEST_WAIT_SECONDS = 50

/** The client's settings, with defaults filled in. */
export interface Settings extends ExchangeSettings {
  base: string
  timeout_ms: number
  max_retries: number
  wait_seconds: number
}

function baseOf(base_url: string): string {
  // `localhost:3000` is a valid URL with the protocol `localhost:`.
  if (!/^https?:\/\//i.test(base_url) || !URL.canParse(base_url))
    throw new TypeError(`base_url must be a URL such as https://octavo.example.com, not '${base_url}'.`)
  return new URL(base_url).href.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}

export function settingsOf(client: ClientOptions): Settings {
  if (client.api_key === '') throw new TypeError('api_key is empty.')
  if ((client.api_key === undefined) === (client.token === undefined))
    throw new TypeError('Pass either api_key or token.')
  return {
    base: baseOf(client.base_url),
    api_key: client.api_key ?? null,
    token: client.token ?? null,
    timeout_ms: client.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    max_retries: client.max_retries ?? DEFAULT_MAX_RETRIES,
    wait_seconds: client.wait_seconds ?? 0,
    fetch: client.fetch ?? globalThis.fetch,
    logger: client.logger ?? null,
  }
}

/** Not `crypto.randomUUID`: browsers have it only on https pages, and many servers run on internal networks without TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The client's default applies only to POST; a GET waits only if the call says so. */
function waitSecondsOf(settings: Settings, { method }: Operation, options: CallOptions): number {
  if (method !== 'POST' && method !== 'GET') return 0
  const seconds = options.wait_seconds ?? (method === 'POST' ? settings.wait_seconds : 0)
  return seconds > 0 ? Math.min(Math.ceil(seconds), LONGEST_WAIT_SECONDS) : 0
}

export function urlOf(base: string, operation: Operation): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries<unknown>({ ...operation.query })) {
    if (Array.isArray(value)) query.set(name, value.join(','))
    else if (value !== null && typeof value === 'object')
      for (const [key, entry] of Object.entries(value)) query.set(`${name}[${key}]`, String(entry))
    else if (value !== undefined) query.set(name, String(value))
  }
  return `${base}/api/v1${operation.path}${query.size > 0 ? `?${query.toString()}` : ''}`
}

export function headersOf(settings: Settings, operation: Operation, options: CallOptions): Headers {
  const headers = new Headers({ accept: 'application/json' })
  if (operation.body !== undefined) {
    headers.set('content-type', operation.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json')
  }
  if (operation.method === 'POST') headers.set('idempotency-key', options.idempotency_key ?? newKey())
  const waitSeconds = waitSecondsOf(settings, operation, options)
  if (waitSeconds > 0) headers.set('prefer', `wait=${waitSeconds}`)
  if (options.if_match !== undefined) headers.set('if-match', options.if_match)
  if (options.if_none_match !== undefined) headers.set('if-none-match', options.if_none_match)
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value)
  return headers
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function read<T>(response: Response, text: string): Answered<T> {
  const { status, headers } = response
  const info = { status, headers, request_id: headers.get('request-id') }
  if (status === 304) return { data: null as T, response: info }
  const data = text === '' ? undefined : parse(text)
  if (!response.ok || (text !== '' && data === undefined)) throw errorOf(response, data)
  return { data: data as T, response: info }
}

export function lost(error: unknown, timeout: AbortSignal, timeoutMs: number): OctavoError {
  if (error instanceof OctavoError) return error
  if (timeout.aborted)
    return new TimeoutError({ code: 'timed_out', message: `No response within ${timeoutMs} ms.`, cause: error })
  return new ConnectionError({
    code: 'connection_failed',
    message: 'The connection to the server failed. Check the base URL and that the server is running.',
    cause: error,
  })
}

/** Extra time for a file, at 1 MiB/s. */
function sendingMs(form: FormData | undefined): number {
  const file = form?.get('file')
  return file instanceof Blob ? Math.ceil(file.size / 1024) : 0
}

export function createSend(settings: Settings): Send {
  let capabilities: Promise<Capabilities> | undefined

  async function attemptOnce<T>(
    url: string,
    init: RequestInit & { headers: Headers },
    limit: { signal: AbortSignal | undefined; timeout_ms: number },
  ): Promise<Answered<T> | OctavoError> {
    const timeout = AbortSignal.timeout(limit.timeout_ms)
    const signal = limit.signal ? AbortSignal.any([limit.signal, timeout]) : timeout
    try {
      const response = await exchange(settings, url, { ...init, signal })
      return read<T>(response, await response.text())
    } catch (error) {
      limit.signal?.throwIfAborted()
      return lost(error, timeout, limit.timeout_ms)
    }
  }

  async function run<T>(operation: Operation, options: CallOptions): Promise<Answered<T>> {
    options.signal?.throwIfAborted()
    const url = urlOf(settings.base, operation)
    // Built once, so that all attempts have the same Idempotency-Key.
    const init: RequestInit & { headers: Headers } = {
      method: operation.method,
      headers: headersOf(settings, operation, options),
    }
    if (operation.body !== undefined) init.body = JSON.stringify(operation.body)
    if (operation.form) init.body = operation.form
    const timeout_ms =
      (options.timeout_ms ?? settings.timeout_ms) +
      waitSecondsOf(settings, operation, options) * 1000 +
      sendingMs(operation.form)
    let hasMaybeRun = false
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOnce<T>(url, init, { signal: options.signal, timeout_ms })
      if (!(outcome instanceof OctavoError)) return outcome
      // If the response to the first DELETE was lost, a 404 for the second one means that the first one worked.
      const isAlreadyGone = operation.method === 'DELETE' && hasMaybeRun && outcome instanceof NotFoundError
      if (isAlreadyGone && outcome.status !== null && outcome.headers !== null) {
        const { status, headers, request_id } = outcome
        return { data: undefined as T, response: { status, headers, request_id } }
      }
      const wait = retryWaitMs(outcome, attempt, options.max_retries ?? settings.max_retries)
      if (wait === null) throw (await explainUnknownFields(outcome, readCapabilities)) ?? outcome
      hasMaybeRun ||= mayHaveRun(outcome)
      const { code, request_id } = outcome
      settings.logger?.warn('octavo: retry', {
        method: operation.method,
        path: operation.path,
        attempt,
        code,
        request_id,
        wait_ms: Math.round(wait),
      })
      await sleep(wait, options.signal)
    }
  }

  /** Read at most once for each client. */
  function readCapabilities(): Promise<Capabilities> {
    capabilities ??= run<Capabilities>({ method: 'GET', path: '/capabilities' }, { max_retries: 0 }).then(
      ({ data }) => data,
    )
    return capabilities
  }

  return <T>(operation: Operation, options: CallOptions = {}) => new Call<T>(run<T>(operation, options))
}
