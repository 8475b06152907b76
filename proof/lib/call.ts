// Sends one request unchanged, without the SDK: attacks and walks send requests that no client would.

import { setTimeout as sleep } from 'node:timers/promises'
import { FORM_CONTENT_TYPE, formFrom, isFormOnly } from './form-only.ts'

export interface ProofRequest {
  method: string
  /** With its query. */
  path: string
  headers?: Record<string, string>
  body?: string | null
  /** Reading ends after this long, with the bytes that have arrived: a stream may never end by itself. */
  most_ms?: number
}

export interface ProofAnswer {
  status: number
  headers: Headers
  text: string
}

export interface ProofCaller {
  url: string
  /** null: no credential. */
  secret: string | null
  headers?: Record<string, string>
}

export async function call(caller: ProofCaller, request: ProofRequest): Promise<ProofAnswer> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity', ...caller.headers, ...request.headers }
  if (caller.secret !== null) headers.authorization ??= `Bearer ${caller.secret}`
  const isForm = headers['content-type'] === undefined && isFormOnly(request.method, request.path)
  if (isForm) headers['content-type'] = FORM_CONTENT_TYPE
  const body = isForm ? formFrom(JSON.parse(request.body ?? '{}') as object) : (request.body ?? null)
  if (body !== null) headers['content-type'] ??= 'application/json'
  const signal = request.most_ms === undefined ? null : AbortSignal.timeout(request.most_ms)
  const sent = { method: request.method, headers, body, redirect: 'manual', signal } as const
  const answer = await fetch(`${caller.url}${request.path}`, sent)
  return { status: answer.status, headers: answer.headers, text: await readText(answer, signal) }
}

const BUSY_MS = 60_000
const REPEAT_MS = 500

/** Repeats a request that the server refuses with 503, as its message asks: on a busy machine the database is slow. */
export async function callPatiently(caller: ProofCaller, request: ProofRequest): Promise<ProofAnswer> {
  const deadline = Date.now() + BUSY_MS
  for (;;) {
    const answer = await call(caller, request)
    if (answer.status !== 503 || Date.now() > deadline) return answer
    await sleep(REPEAT_MS)
  }
}

async function readText(answer: Response, signal: AbortSignal | null): Promise<string> {
  if (signal === null || answer.body === null) return answer.text()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (const reader: ReadableStreamDefaultReader<Uint8Array> = answer.body.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return text
}

export const parse = <T = Record<string, unknown>>(answer: ProofAnswer): T => JSON.parse(answer.text || 'null') as T

/** Runs over the items with at most `width` at once. */
export async function eachOf<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const lane = async (): Promise<void> => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: width }, lane))
}
