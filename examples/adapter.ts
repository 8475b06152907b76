// A small HTTP server that answers JSON with JSON. Each adapter turns the requests of another API into calls of Octavo.

import { createServer, type IncomingMessage, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { Octavo, OctavoError } from '@octavo/sdk'

const OCTAVO_URL = process.env['OCTAVO_URL'] ?? 'http://127.0.0.1:3000'
const MAX_BODY_BYTES = 16 * 1024 * 1024

/** The request cannot be answered; the message is for its sender. */
export class AdapterError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface AdapterRequest {
  /** Method and path, such as `POST /retrieval`. */
  route: string
  /** Calls Octavo with the API key of the caller. */
  client: Octavo
  body: unknown
}

export interface Adapter {
  handle: (request: AdapterRequest) => Promise<unknown>
  errorBody: (status: number, message: string) => unknown
}

function openClient(request: IncomingMessage): Octavo {
  const [, api_key] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (!api_key) throw new AdapterError(401, 'Send your Octavo API key: Authorization: Bearer oct_key_…')
  return new Octavo({ base_url: OCTAVO_URL, api_key, max_retries: 2 })
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'POST') return undefined
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  if (!(length <= MAX_BODY_BYTES)) throw new AdapterError(413, `Send at most ${MAX_BODY_BYTES} bytes.`)
  return json(request).catch(() => {
    throw new AdapterError(400, 'The body is not JSON.')
  })
}

function failureOf(error: unknown): { status: number; message: string } {
  if (error instanceof AdapterError) return { status: error.status, message: error.message }
  if (!(error instanceof OctavoError)) return { status: 500, message: 'The adapter failed.' }
  const details = error.details.map(({ field, message }) => `${field}: ${message}`)
  return { status: error.status ?? 502, message: [error.message, ...details].join(' ') }
}

export function startAdapter({ handle, errorBody }: Adapter, port: number): Server {
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const route = `${request.method} ${(request.url ?? '').split('?')[0]}`
    Promise.resolve()
      .then(async () => handle({ route, client: openClient(request), body: await readBody(request) }))
      .then((body) => send(200, body))
      .catch((error: unknown) => {
        const { status, message } = failureOf(error)
        send(status, errorBody(status, message))
      })
  })
  return server.listen(port, process.env['HOST'] ?? '127.0.0.1')
}

/** The member of a JSON object, or undefined. */
export function memberOf(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined
}
