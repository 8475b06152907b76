import type { ErrorCode, ErrorDetail, ErrorResponse } from './generated/types.ts'

interface ErrorFacts extends Partial<ErrorResponse> {
  code: ErrorCode
  message: string
  status?: number
  headers?: Headers
  cause?: unknown
}

/** Any failure of a call, except an abort by the caller. */
export class OctavoError extends Error {
  override readonly name: string = 'OctavoError'
  /** Branch on this. `connection_failed`, `timed_out` and `unexpected_answer` come from the client, all others from the server. */
  readonly code: ErrorCode
  readonly details: ErrorDetail[]
  /** null when there was no answer, as in all of the following. */
  readonly status: number | null
  readonly request_id: string | null
  readonly doc_url: string | null
  readonly headers: Headers | null

  constructor(facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause })
    this.code = facts.code
    this.details = facts.details ?? []
    this.status = facts.status ?? null
    this.request_id = facts.request_id ?? facts.headers?.get('request-id') ?? null
    this.doc_url = facts.doc_url ?? null
    this.headers = facts.headers ?? null
  }
}

/** 401 */
export class AuthenticationError extends OctavoError {
  override readonly name = 'AuthenticationError'
}
/** 403 */
export class PermissionError extends OctavoError {
  override readonly name = 'PermissionError'
}
/** 404 and 410 */
export class NotFoundError extends OctavoError {
  override readonly name = 'NotFoundError'
}
/** 409 and 412 */
export class ConflictError extends OctavoError {
  override readonly name = 'ConflictError'
}
/** 400 and 422: `details` names every field. */
export class ValidationError extends OctavoError {
  override readonly name = 'ValidationError'
}
/** 429 */
export class RateLimitError extends OctavoError {
  override readonly name = 'RateLimitError'
}
/** 500 and more */
export class ServerError extends OctavoError {
  override readonly name = 'ServerError'
}
/** No answer came. */
export class ConnectionError extends OctavoError {
  override readonly name: string = 'ConnectionError'
}
/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

const classes: Record<number, typeof OctavoError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  412: ConflictError,
  422: ValidationError,
  429: RateLimitError,
}

const isErrorResponse = (body: unknown): body is ErrorResponse =>
  body !== null && typeof body === 'object' && 'code' in body && typeof body.code === 'string' && 'message' in body

/** Proxies send other bodies, so the body may be anything. */
export function errorOf(response: Response, body: unknown): OctavoError {
  const { status, headers } = response
  const ErrorClass = classes[status] ?? (status >= 500 ? ServerError : OctavoError)
  if (isErrorResponse(body)) return new ErrorClass({ ...body, status, headers })
  return new ErrorClass({
    code: 'unexpected_answer',
    message: `The server answered ${status} with a body that is not its own.`,
    status,
    headers,
  })
}
