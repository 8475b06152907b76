// Sends one request unchanged, without the SDK: attacks and walks send requests that no client would.

import { FORM_CONTENT_TYPE, formFrom, isFormOnly } from './form-only.ts'

export interface ProofRequest {
  method: string
  /** With its query. */
  path: string
  headers?: Record<string, string>
  body?: string | null
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
  const answer = await fetch(`${caller.url}${request.path}`, {
    method: request.method,
    headers,
    body,
    redirect: 'manual',
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
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
