// The error responses of an endpoint, computed from its declaration.

import type { Endpoint } from './endpoint.ts'
import { type ErrorCode, errorCodes, statusOf } from './errors.ts'
import { namesOf } from './names.ts'
import type { Json } from './openapi-schemas.ts'

const always: ErrorCode[] = [
  'invalid_parameter',
  'unauthenticated',
  'invalid_token',
  'not_acceptable',
  'uri_too_long',
  'rate_limit_exceeded',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
]
const ofBodies: ErrorCode[] = ['invalid_json', 'invalid_request', 'validation_error']
/** Also for endpoints without a body: a client may send one that is too large or encoded. */
const ofWrites: ErrorCode[] = ['payload_too_large', 'unsupported_media_type']
const ofPosts: ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused']
const waits: ErrorCode[] = ['rate_limit_exceeded', 'idempotency_in_progress', 'service_unavailable']
const challenges: ErrorCode[] = [
  'unauthenticated',
  'invalid_token',
  'insufficient_user_authentication',
  'insufficient_scope',
]

const hasPathParams = (endpoint: Endpoint): boolean => endpoint.path.includes('{')

/** A change of something that exists: of the resource itself, or of the parent of what is created. */
export const takesIfMatch = (endpoint: Endpoint): boolean => endpoint.method !== 'GET' && hasPathParams(endpoint)

function codesOf(endpoint: Endpoint): Set<ErrorCode> {
  return new Set([
    ...always,
    ...endpoint.fails,
    ...(endpoint.list ? (['invalid_cursor'] as const) : []),
    ...(endpoint.scope ? (['insufficient_scope'] as const) : []),
    ...(hasPathParams(endpoint) ? (['not_found'] as const) : []),
    ...(endpoint.body ? ofBodies : []),
    ...(endpoint.method === 'GET' ? [] : ofWrites),
    ...(endpoint.method === 'POST' ? ofPosts : []),
    ...(takesIfMatch(endpoint) ? (['precondition_failed'] as const) : []),
  ])
}

/** The codes by status, in the order of the table of errors. */
export function failuresOf(endpoint: Endpoint): Map<number, ErrorCode[]> {
  const codes = codesOf(endpoint)
  const ordered = namesOf(errorCodes).filter((code) => codes.has(code))
  return Map.groupBy(ordered, statusOf)
}

const pascal = (code: string): string => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
export const failureName = (codes: readonly ErrorCode[]): string => codes.map(pascal).join('Or')

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` })

export function printFailure(codes: readonly ErrorCode[], schema: Json): Json {
  const lines = codes.map((code) => `\`${code}\`: ${errorCodes[code].when}`)
  return {
    description: lines.length === 1 ? lines[0] : lines.map((line) => `- ${line}`).join('\n'),
    headers: {
      'Request-Id': header('Request-Id'),
      ...(codes.some((code) => waits.includes(code)) ? { 'Retry-After': header('Retry-After') } : {}),
      ...(codes.some((code) => challenges.includes(code)) ? { 'WWW-Authenticate': header('WWW-Authenticate') } : {}),
    },
    content: { 'application/json': { schema } },
  }
}
