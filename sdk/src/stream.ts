import type { Operation } from './call.ts'
import { errorOf } from './errors.ts'
import { headersOf, lost, parse, type Settings, urlOf } from './request.ts'

export interface StreamOptions {
  headers: Record<string, string>
  signal: AbortSignal | undefined
  /** How long the server may say nothing; asked again before every wait. */
  silenceMs(): number
}

/** null: the server has nothing to stream. */
async function bodyOf(response: Response): Promise<ReadableStream<Uint8Array> | null> {
  if (response.status === 204) return null
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (response.status !== 200 || !isStream) throw errorOf(response, parse(await response.text()))
  return response.body as ReadableStream<Uint8Array> | null
}

/** The text of one connection. It ends when the server ends it, and fails when it is cut off or silent. */
export async function* readStream(
  settings: Settings,
  operation: Operation,
  options: StreamOptions,
): AsyncGenerator<string, void, undefined> {
  const { fetch } = settings
  const connection = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, connection.signal]) : connection.signal
  const headers = headersOf(settings, operation, { headers: { accept: 'text/event-stream', ...options.headers } })
  const decoder = new TextDecoder()
  let silence_ms = 0
  let alarm: ReturnType<typeof setTimeout> | undefined
  // Only while the server is waited for: the one who reads may take as long as it likes.
  const listen = () => {
    silence_ms = options.silenceMs()
    alarm = setTimeout(() => connection.abort(), silence_ms)
  }
  try {
    listen()
    const response = await fetch(urlOf(settings.base, operation), {
      headers,
      redirect: 'manual',
      cache: 'no-store',
      signal,
    })
    const reader = (await bodyOf(response))?.getReader()
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
