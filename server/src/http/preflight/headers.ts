// Checks of request size and headers: 413, 414, 415, 431, 406.

import { type Endpoint, MAX_BODY_BYTES } from '@octavo/contract'
import type { FastifyRequest } from 'fastify'
import { Failure } from '../../lib/failure.ts'
import { selectTextFormat } from '../streaming/text-format.ts'

const MAX_URL_BYTES = 8_192
const MAX_HEADER_BYTES = 16 * 1024

export function checkSizes(request: FastifyRequest): void {
  if (request.originalUrl.length > MAX_URL_BYTES) {
    throw new Failure('uri_too_long', `The request line may have at most ${MAX_URL_BYTES} bytes. Shorten the query.`, {
      headers: { connection: 'close' },
    })
  }
  let bytes = 0
  for (const text of request.raw.rawHeaders) bytes += text.length + 2
  if (bytes > MAX_HEADER_BYTES) throw headersTooLarge()
}

export function checkHost(request: FastifyRequest): void {
  if (request.headers.host !== undefined || request.raw.httpVersion === '1.0') return
  const detail = { field: 'Host', location: 'header', code: 'required', message: 'Is required.' } as const
  throw new Failure('invalid_parameter', 'The request has no Host header. Send one.', { details: [detail] })
}

export const headersTooLarge = (): Failure =>
  new Failure(
    'headers_too_large',
    `The headers may have at most ${MAX_HEADER_BYTES} bytes in total. Send fewer or shorter headers.`,
    {
      headers: { connection: 'close' },
    },
  )

export const EVENT_STREAM = 'text/event-stream'
const ACCEPTED = new Set(['application/json', 'application/*', '*/*'])

export function checkAccept(
  accept: string | undefined,
  { is_stream = false, is_bytes = false, is_text = false } = {},
): void {
  // The type of stored bytes is whatever it is.
  if (is_bytes) return
  if (is_text) {
    selectTextFormat(accept, undefined)
    return
  }
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return
  const isAccepted = accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return (
      (ACCEPTED.has(type) || (is_stream && type === EVENT_STREAM)) &&
      !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    )
  })
  if (!isAccepted && accept.trim() !== '')
    throw new Failure(
      'not_acceptable',
      `This endpoint returns only 'application/json'${is_stream ? ` or '${EVENT_STREAM}'` : ''}. Change the Accept header or omit it.`,
    )
}

const TYPES: Record<string, string[]> = { PATCH: ['application/merge-patch+json', 'application/json'] }

/** The bytes that the body will take in memory, at most; 0: none is coming. */
export function checkBodyHeaders(request: FastifyRequest, endpoint: Endpoint, large_bytes: number | undefined): number {
  const {
    'content-length': length,
    'transfer-encoding': transfer,
    'content-encoding': encoding,
    'content-type': type,
  } = request.headers
  if (transfer === undefined && (length === undefined || length === '0')) return 0
  const max = large_bytes ?? MAX_BODY_BYTES
  if (!isForm(endpoint, type) && Number(length ?? 0) > max) {
    throw new Failure('payload_too_large', `The body may have at most ${max} bytes.`, {
      headers: { connection: 'close' },
    })
  }
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Failure('unsupported_media_type', 'Send the body without a content encoding.', {
      headers: { 'accept-encoding': 'identity' },
    })
  }
  if (endpoint.body) checkType(type, typesOf(endpoint), endpoint.method)
  // A file goes to storage as it comes.
  if (isForm(endpoint, type)) return 0
  return length === undefined ? max : Number(length)
}

export const FORM_TYPE = 'multipart/form-data'
const isForm = (endpoint: Endpoint, type: string | undefined): boolean =>
  endpoint.form !== null && (type ?? '').trim().toLowerCase().startsWith(FORM_TYPE)
const typesOf = (endpoint: Endpoint): string[] => [
  ...(endpoint.is_form_only ? [] : (TYPES[endpoint.method] ?? ['application/json'])),
  ...(endpoint.form ? [FORM_TYPE] : []),
]

function checkType(header: string | undefined, allowed: string[], method: string): void {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  if (allowed.includes(type) && (charset === undefined || /^charset="?utf-?8"?$/.test(charset))) return
  const names = allowed.join(', ')
  throw new Failure('unsupported_media_type', `Send the body as ${names}, encoded as UTF-8.`, {
    headers: { accept: names, ...(method === 'PATCH' ? { 'accept-patch': names } : {}) },
  })
}
