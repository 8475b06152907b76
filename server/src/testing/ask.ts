// One HTTP request as it is, where the SDK would set headers, follow encodings or hide the status.

import { type IncomingHttpHeaders, request } from 'node:http'
import type { ErrorResponse } from '@octavo/contract'
import { OctavoError } from '@octavo/sdk'
import type { TestApi } from './api.ts'

export interface TestRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** null: without a credential. */
  key?: string | null
}

export interface TestAnswer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/** Uses the owner's key and a JSON body by default. */
export function ask(
  api: Pick<TestApi, 'url' | 'owner_key'>,
  path: string,
  asking: TestRequest = {},
): Promise<TestAnswer> {
  const key = asking.key === undefined ? api.owner_key : asking.key
  const headers = {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(asking.body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(asking.body)) }),
    ...asking.headers,
  }
  const { hostname, port } = new URL(api.url)
  return new Promise((resolve, reject) => {
    // The path as it is: a URL would straighten it.
    const sent = request(
      { hostname, port, path, method: asking.method ?? 'GET', headers, agent: false },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(parts)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() })
        })
      },
    )
    sent.on('error', reject)
    sent.end(asking.body)
  })
}

export const errorOf = (answer: TestAnswer): ErrorResponse => JSON.parse(answer.text) as ErrorResponse

/** The error of a call that must fail. */
export async function failed(call: Promise<unknown>): Promise<OctavoError> {
  try {
    await call
  } catch (error) {
    if (error instanceof OctavoError) return error
    throw error
  }
  throw new Error('The call succeeded, although it should have failed.')
}

/** The essentials of an error: the status, and each detail's field and code. */
export const summaryOf = ({ status, details }: OctavoError): (string | number | null)[] => [
  status,
  ...details.map(({ field, code }) => `${field} ${code}`),
]
