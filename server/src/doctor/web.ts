// Makes one request and returns the result. Never throws: no response is a finding too.

import { toError } from '@octavo/base/unknown.ts'

const TIMEOUT_MS = 5_000
const MAX_TEXT = 1_000_000

export interface WebAnswer {
  status: number
  headers: Headers
  text: string
}

export interface WebRequest {
  headers?: Record<string, string>
  /** Sent as JSON, by POST. */
  body?: unknown
  timeout_ms?: number
}

export async function ask(
  url: string,
  { headers = {}, body, timeout_ms = TIMEOUT_MS }: WebRequest = {},
): Promise<WebAnswer | { error: unknown }> {
  try {
    const answer = await fetch(url, {
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout_ms),
    })
    return { status: answer.status, headers: answer.headers, text: await beginningOf(answer) }
  } catch (error) {
    return { error }
  }
}

async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.length > MAX_TEXT) break
  }
  return text
}

/** null where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const isSlow = (error: unknown): boolean => toError(error).name === 'TimeoutError'
