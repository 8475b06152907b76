import { AuthenticationError } from './errors.ts'

/** Returns an access token. Called before every request, so it should cache; the token in `refused` got a 401. */
export type TokenProvider = (request: { refused: string | null }) => string | Promise<string>

/** `console` is one. The client never logs credentials, bodies or signed links. */
export interface Logger {
  debug(message: string, fields: Record<string, unknown>): void
  warn(message: string, fields: Record<string, unknown>): void
}

export interface ExchangeSettings {
  api_key: string | null
  token: TokenProvider | null
  fetch: typeof fetch
  logger: Logger | null
}

/** A header can hold only these characters; `fetch` would report others as a lost connection. */
const SENDABLE = /^[\x21-\x7e]+$/

async function bearerOf(settings: ExchangeSettings, refused: string | null): Promise<string> {
  const { api_key, token } = settings
  if (!token) {
    // A key that was read from a file often ends with a line break.
    const key = api_key?.trim() ?? ''
    if (SENDABLE.test(key)) return key
    const message = 'The API key has characters that a key cannot have. Check that it is complete.'
    throw new AuthenticationError({ code: 'invalid_token', message })
  }
  const found = await provide(token, refused)
  if (typeof found === 'string' && SENDABLE.test(found)) return found
  const message = 'The token provider returned no text, or characters that a token cannot have.'
  throw new AuthenticationError({ code: 'token_failed', message })
}

async function provide(token: TokenProvider, refused: string | null): Promise<unknown> {
  try {
    return await token({ refused })
  } catch (cause) {
    throw new AuthenticationError({ code: 'token_failed', message: 'The token provider failed.', cause })
  }
}

/** Sends one request with the credential. If the server refuses a token, the provider can return another one. */
export async function exchange(
  settings: ExchangeSettings,
  url: string,
  init: RequestInit & { headers: Headers },
): Promise<Response> {
  // Browsers refuse a fetch that is called as a method of another object.
  const { fetch, token, logger } = settings
  const isOwnCredential = init.headers.has('authorization')
  const begun = Date.now()

  async function sendWith(bearer: string): Promise<Response> {
    const headers = new Headers(init.headers)
    if (!isOwnCredential) headers.set('authorization', `Bearer ${bearer}`)
    // The API never redirects, and a redirected POST would arrive as a GET.
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    logger?.debug('octavo: response', {
      method: init.method ?? 'GET',
      path: new URL(url).pathname,
      status: response.status,
      duration_ms: Date.now() - begun,
      request_id: response.headers.get('request-id'),
    })
    return response
  }

  const bearer = isOwnCredential ? '' : await bearerOf(settings, null)
  const response = await sendWith(bearer)
  if (response.status !== 401 || !token || isOwnCredential) return response
  const next = await bearerOf(settings, bearer)
  if (next === bearer) return response
  await response.body?.cancel()
  return sendWith(next)
}
