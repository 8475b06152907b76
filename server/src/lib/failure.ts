// The one error that reaches a client: a code of the closed table, a sentence, and what is wrong where.

import { type ErrorCode, type ErrorDetail, statusOf } from '@octavo/contract'

export class Failure extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[]
  readonly headers: Record<string, string>

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: ErrorDetail[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
    this.code = code
    this.details = more.details ?? []
    this.headers = more.headers ?? {}
  }

  get status(): number {
    return statusOf(this.code)
  }
}

type BodyDetailCode = ErrorDetail['code']

/** A detail about one member of the body, named by its path: `title`, `source.pages[0].text`. */
export function bodyDetail(field: string, code: BodyDetailCode, message: string, id?: string): ErrorDetail {
  const pointer = `/${field.replace(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`
  return { field, location: 'body', code, message, pointer, ...(id === undefined ? {} : { id }) }
}

/** 422: the shape is right, a value is not. */
export function invalidValue(field: string, code: BodyDetailCode, message: string): Failure {
  return new Failure('validation_error', 'The request body contains values that are not allowed.', {
    details: [bodyDetail(field, code, message)],
  })
}

/** 413 of a file, wherever it comes from. */
export const fileTooLarge = (max: number, more: Pick<Partial<Failure>, 'details' | 'headers'> = {}): Failure =>
  new Failure('payload_too_large', `A file may have at most ${max} bytes.`, more)

/** 429: which limit, and when the request would pass. */
export function tooMany(policy: string, message: string, wait_ms: number): Failure {
  const seconds = Math.max(1, Math.ceil(wait_ms / 1000))
  return new Failure('rate_limit_exceeded', `You exceeded a limit. Repeat the request in ${seconds} s.`, {
    details: [{ field: policy, location: 'limit', code: 'quota_exceeded', message }],
    headers: { 'retry-after': String(seconds) },
  })
}

/** 404 with the same message for "absent", "not yours" and "not possible", so that callers cannot distinguish them. */
export const notFound = (): Failure => new Failure('not_found', 'Not found, or your credentials do not give access.')

/** 404 of a path that the API does not have. */
export const noSuchEndpoint = (): Failure => new Failure('not_found', 'No such endpoint.')
