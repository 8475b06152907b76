import { type Answered, Call, type CallOptions, type Operation, type Send } from './call.ts'
import { ConnectionError, errorOf, NotFoundError, OctavoError, TimeoutError } from './errors.ts'
import { DEFAULT_MAX_RETRIES, mayHaveRun, retryWaitMs, sleep } from './retry.ts'

export interface ClientOptions {
  /** The root of the server, such as `https://octavo.example.com`. */
  base_url: string
  /** An API key or an access token. */
  api_key: string
  /** How long one attempt may take; 60 seconds if absent. */
  timeout_ms?: number | undefined
  /** How often a call is repeated after a failure that may pass; 5 if absent. */
  max_retries?: number | undefined
  /** For POST, where a call says nothing else: how long the server may hold its answer back until the work has ended. */
  wait_seconds?: number | undefined
  fetch?: typeof fetch | undefined
}

const DEFAULT_TIMEOUT_MS = 60_000
/** The server holds no answer back for longer, and a dead one must not be waited for. */
export const LONGEST_WAIT_SECONDS = 50

/** The client's settings, with defaults filled in. */
export interface Settings {
  base: string
  api_key: string
  timeout_ms: number
  max_retries: number
  wait_seconds: number
  fetch: typeof fetch
}

export function settingsOf(client: ClientOptions): Settings {
  if (client.api_key === '') throw new TypeError('api_key is empty.')
  return {
    base: new URL(client.base_url).href.replace(/\/+$/, ''),
    api_key: client.api_key,
    timeout_ms: client.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    max_retries: client.max_retries ?? DEFAULT_MAX_RETRIES,
    wait_seconds: client.wait_seconds ?? 0,
    fetch: client.fetch ?? globalThis.fetch,
  }
}

/** Not `crypto.randomUUID`: browsers offer it on https pages only, and many servers run on internal networks. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A GET waits only if the call asks for it: who reads what is there now must not be held up by a default. */
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
  const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${settings.api_key}` })
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
    return new TimeoutError({ code: 'timed_out', message: `No answer within ${timeoutMs} ms.`, cause: error })
  return new ConnectionError({
    code: 'connection_failed',
    message: 'The server could not be reached, or broke off its answer.',
    cause: error,
  })
}

/** A file takes as long as a slow line needs: 1 MiB/s. */
function sendingMs(form: FormData | undefined): number {
  const file = form?.get('file')
  return file instanceof Blob ? Math.ceil(file.size / 1024) : 0
}

export function createSend(settings: Settings): Send {
  // Browsers refuse a fetch that is called as a method of another object.
  const { fetch } = settings

  async function attemptOnce<T>(
    url: string,
    init: RequestInit,
    limit: { signal: AbortSignal | undefined; timeout_ms: number },
  ): Promise<Answered<T> | OctavoError> {
    const timeout = AbortSignal.timeout(limit.timeout_ms)
    const signal = limit.signal ? AbortSignal.any([limit.signal, timeout]) : timeout
    try {
      // The API never redirects, and a redirected POST would arrive as a GET.
      const response = await fetch(url, { ...init, redirect: 'manual', signal })
      return read<T>(response, await response.text())
    } catch (error) {
      limit.signal?.throwIfAborted()
      return lost(error, timeout, limit.timeout_ms)
    }
  }

  async function run<T>(operation: Operation, options: CallOptions): Promise<Answered<T>> {
    options.signal?.throwIfAborted()
    const url = urlOf(settings.base, operation)
    // Made once, so that all attempts carry the same Idempotency-Key.
    const init: RequestInit = { method: operation.method, headers: headersOf(settings, operation, options) }
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
      // A DELETE whose first answer was lost finds nothing the second time: that is what was wanted.
      const isAlreadyGone = operation.method === 'DELETE' && hasMaybeRun && outcome instanceof NotFoundError
      if (isAlreadyGone && outcome.status !== null && outcome.headers !== null) {
        const { status, headers, request_id } = outcome
        return { data: undefined as T, response: { status, headers, request_id } }
      }
      const wait = retryWaitMs(outcome, attempt, options.max_retries ?? settings.max_retries)
      if (wait === null) throw outcome
      hasMaybeRun ||= mayHaveRun(outcome)
      await sleep(wait, options.signal)
    }
  }

  return <T>(operation: Operation, options: CallOptions = {}) => new Call<T>(run<T>(operation, options))
}
