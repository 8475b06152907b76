import type { ErrorCode, ErrorDetail, ErrorResponse } from './generated/types.ts'

interface ErrorFacts {
  code: ErrorCode
  message: string
  details?: ErrorDetail[]
  status?: number | null
  request_id?: string | null
  doc_url?: string | null
  headers?: Headers | null
  cause?: unknown
}

/** Any failure of a call, except an abort by the caller. */
export class OctavoError extends Error {
  override readonly name: string = 'OctavoError'
  /**
   * Branch on this. `connection_failed`, `timed_out`, `token_failed` and `unexpected_answer` come from the client, all others
   * from the server.
   */
  readonly code: ErrorCode
  readonly details: ErrorDetail[]
  /** null if there was no response; so are the fields below. */
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

  /** The same error with another message. */
  withMessage(message: string): ValidationError {
    const { code, details, status, request_id, doc_url, headers } = this
    return new ValidationError({ code, details, status, request_id, doc_url, headers, message, cause: this })
  }
}
/** 429 */
export class RateLimitError extends OctavoError {
  override readonly name = 'RateLimitError'
}
/** 500 and above */
export class ServerError extends OctavoError {
  override readonly name = 'ServerError'
}
/** No response arrived. */
export class ConnectionError extends OctavoError {
  override readonly name: string = 'ConnectionError'
}
/** No response arrived in time. */
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

/** The body can be anything, because proxies also send errors. */
export function errorOf(response: Response, body: unknown): OctavoError {
  const { status, headers } = response
  const ErrorClass = classes[status] ?? (status >= 500 ? ServerError : OctavoError)
  if (isErrorResponse(body)) return new ErrorClass({ ...body, status, headers })
  return new ErrorClass({
    code: 'unexpected_answer',
    message: `The response has status ${status}, but its body is not from Octavo. Check the base URL and any proxy in between.`,
    status,
    headers,
  })
}
