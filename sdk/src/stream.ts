import type { Operation } from './call.ts'
import { errorOf } from './errors.ts'
import { exchange } from './exchange.ts'
import { headersOf, lost, parse, type Settings, urlOf } from './request.ts'

export interface StreamOptions {
  headers: Record<string, string>
  signal: AbortSignal | undefined
  /** How long the server may stay silent; called before every read. */
  silenceMs(): number
  /** Receives the text of a successful response that is JSON; without it, such a response is an error. */
  onJson?: ((text: string) => void) | undefined
}

/** null: the server has nothing to stream. */
async function bodyOf(response: Response, onJson: StreamOptions['onJson']): Promise<ReadableStream<Uint8Array> | null> {
  if (response.status === 204) return null
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && type.startsWith('text/event-stream')) return response.body as ReadableStream<Uint8Array> | null
  const text = await response.text()
  const body = parse(text)
  if (!response.ok || !onJson || body === undefined) throw errorOf(response, body)
  onJson(text)
  return null
}

/** The text of one connection. Ends when the server closes it; fails when it breaks or is silent for too long. */
export async function* readStream(
  settings: Settings,
  operation: Operation,
  options: StreamOptions,
): AsyncGenerator<string, void, undefined> {
  const connection = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, connection.signal]) : connection.signal
  const accepted = { accept: 'text/event-stream', ...options.headers }
  const headers = headersOf(settings, operation, { headers: accepted, wait_seconds: 0 })
  const body = operation.body === undefined ? {} : { body: JSON.stringify(operation.body) }
  const decoder = new TextDecoder()
  let silence_ms = 0
  let alarm: ReturnType<typeof setTimeout> | undefined
  // The alarm runs only while we wait for the server; the reader may take any time.
  const listen = () => {
    silence_ms = options.silenceMs()
    alarm = setTimeout(() => connection.abort(), silence_ms)
  }
  try {
    listen()
    const init = { method: operation.method, headers, cache: 'no-store', signal, ...body } as const
    const response = await exchange(settings, urlOf(settings.base, operation), init)
    const reader = (await bodyOf(response, options.onJson))?.getReader()
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      clearTimeout(alarm)
      yield decoder.decode(piece.value, { stream: true })
      listen()
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    throw lost(error, connection.signal, silence_ms)
  } finally {
    clearTimeout(alarm)
    connection.abort()
  }
}
