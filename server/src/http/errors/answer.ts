// How every answer leaves: one error body, one set of headers, compression.

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { codeOf } from '@octavo/base/unknown.ts'
import type { ErrorResponse } from '@octavo/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isPassing, unavailable } from '../../db/errors.ts'
import { StorageFull, StorageUnavailable, UploadGone, WrongSize } from '../../files/store.ts'
import { Failure } from '../../lib/failure.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
const MIN_COMPRESSED_BYTES = 1024
const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

export const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  vary: 'Authorization, Accept, Accept-Encoding, Origin',
}

/** Headers of every response, including HSTS when the base URL is https. */
export function commonHeaders(base_url: string): Record<string, string> {
  const isSecure = base_url.startsWith('https:')
  return { ...COMMON_HEADERS, ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}) }
}

export function errorBody(failure: Failure, request_id: string, base_url: string): string {
  const body: ErrorResponse = {
    code: failure.code,
    message: failure.message,
    details: failure.details,
    request_id,
    doc_url: `${base_url}/errors#${failure.code}`,
  }
  return JSON.stringify(body)
}

export const errorHeaders = { 'content-type': JSON_TYPE, 'content-language': 'en', 'cache-control': 'no-store' }

/** Maps any thrown error to a Failure. Messages of other errors are not shown to the caller. */
export function failureFromError(error: unknown, request: { max_bytes: number; is_cut_off: boolean }): Failure {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Failure('payload_too_large', `The body may have at most ${request.max_bytes} bytes.`, {
      headers: { connection: 'close' },
    })
  }
  if (request.is_cut_off || code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || code === 'FST_ERR_CTP_EMPTY_JSON_BODY') {
    return new Failure('invalid_json', 'The length of the body does not match Content-Length. Send the request again.')
  }
  if (isPassing(error)) return unavailable(error)
  const ofStorage = findStorageFailure(error)
  if (ofStorage) return ofStorage
  return new Failure('internal_error', 'Internal error. If it happens again, report the request_id.', {
    cause: error,
  })
}

function findStorageFailure(error: unknown): Failure | null {
  if (error instanceof UploadGone)
    return new Failure('invalid_state', 'This upload is no longer in storage. Create a new one.', {
      cause: error,
    })
  if (error instanceof WrongSize)
    return new Failure(
      'invalid_request',
      'The number of bytes does not match the announced size. Send the file again, or announce its real size.',
      {
        headers: { connection: 'close' },
      },
    )
  if (!(error instanceof StorageUnavailable || error instanceof StorageFull)) return null
  const isFull = error instanceof StorageFull
  const message = isFull ? 'The storage is full.' : 'The server cannot reach its storage.'
  return new Failure('service_unavailable', `${message} Repeat the request later.`, {
    headers: { 'retry-after': isFull ? '60' : '5' },
    cause: error,
  })
}

function weightOf(offer: string): [name: string, weight: number] {
  const [name = '', weight = '1'] = offer.trim().split(/\s*;\s*q=/)
  return [name, Number(weight) || 0]
}

/** The encoding that the caller prefers of the two that we speak, or null. */
export function encodingFor(accepted: string | undefined): 'br' | 'gzip' | null {
  if (!accepted) return null
  const weights = new Map(accepted.split(',').map((offer) => weightOf(offer)))
  const [br, gzip] = [weights.get('br') ?? 0, weights.get('gzip') ?? 0]
  if (br > 0 && br >= gzip) return 'br'
  return gzip > 0 ? 'gzip' : null
}

const weaken = (tag: string): string => (tag.startsWith('W/') ? tag : `W/${tag}`)

async function compress(body: string, encoding: 'br' | 'gzip'): Promise<Buffer> {
  if (encoding === 'gzip') return toGzip(body, { level: 5 })
  return toBrotli(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  })
}

/** Sends a JSON text, compressed where the caller allows it and it pays. */
export async function send(request: FastifyRequest, reply: FastifyReply, body: string): Promise<void> {
  const encoding =
    body.length < MIN_COMPRESSED_BYTES || reply.getHeader('cache-control') === 'no-store'
      ? null
      : encodingFor(request.headers['accept-encoding'])
  if (!encoding) return void reply.send(body)
  const tag = reply.getHeader('etag')
  if (typeof tag === 'string') reply.header('etag', weaken(tag))
  reply.header('content-encoding', encoding)
  reply.send(await compress(body, encoding))
}
