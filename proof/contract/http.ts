// One request and all of its answer. Not fetch, which refuses some methods and hides some headers.

import { Agent, request } from 'node:http'

export type ContractJson = Record<string, unknown>

export interface ContractAnswer {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  text: string
  bytes: Buffer
  /** {} where the answer has no JSON object. */
  body: ContractJson
}

export interface ContractRequest {
  method: string
  headers: Record<string, string>
  body?: string | Buffer
}

/** Longer than the server waits for a document: on a busy machine that takes its time. */
const TIMEOUT_MS = 60_000
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

function parse(text: string): ContractJson {
  try {
    const value = JSON.parse(text) as unknown
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as ContractJson) : {}
  } catch {
    return {}
  }
}

/** Sends the path unchanged: a URL object would normalize it. */
export function ask(base_url: string, path: string, asked: ContractRequest): Promise<ContractAnswer> {
  const { hostname, port } = new URL(base_url)
  const { promise, resolve, reject } = Promise.withResolvers<ContractAnswer>()
  const headers = {
    ...asked.headers,
    ...(asked.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(asked.body)) }),
  }
  const sent = request(
    { hostname, port, path, method: asked.method, headers, agent, timeout: TIMEOUT_MS },
    (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as ContractAnswer['headers'],
          text,
          bytes,
          body: parse(text),
        })
      })
    },
  )
  sent.on('timeout', () => sent.destroy(new Error(`no answer to ${asked.method} ${path} within ${TIMEOUT_MS} ms`)))
  sent.on('error', reject)
  sent.end(asked.body)
  return promise
}
