// The closed table of error codes. Codes are contract: they are never renamed and their condition never changes.

interface ErrorKind {
  status: number
  /** When it happens, for the page of error codes. */
  when: string
  /** What the receiver should do next, for the page of error codes. */
  remedy: string
}

const kinds = {
  invalid_json: {
    status: 400,
    when: 'The body is not parseable JSON, not UTF-8, nested deeper than 32 levels, contains a `__proto__` key, or is empty where one is required.',
    remedy: 'Send one valid JSON value encoded as UTF-8.',
  },
  invalid_request: {
    status: 400,
    when: 'The body is JSON, but its shape is wrong: a missing, unknown or wrongly typed field.',
    remedy: 'Correct every field that `details` names.',
  },
  invalid_parameter: {
    status: 400,
    when: 'A query parameter is bad, unknown, repeated or in conflict with another, or a header has a bad value.',
    remedy: 'Correct the parameter or header that `details` names.',
  },
  invalid_cursor: {
    status: 400,
    when: 'The cursor was altered, is of another list, or was used with other filters, another sort order or other fields.',
    remedy: 'Begin the list again without a cursor; keep filters, sort and fields unchanged between pages.',
  },
  unauthenticated: {
    status: 401,
    when: 'There is no `Authorization` header, or it does not use the `Bearer` scheme.',
    remedy: 'Send `Authorization: Bearer <key>` with every request.',
  },
  invalid_token: {
    status: 401,
    when: 'The key or token is unknown, malformed, expired or revoked, or its owner is disabled.',
    remedy: 'Check for a truncated key; otherwise create a new one.',
  },
  insufficient_scope: {
    status: 403,
    when: 'The credential lacks the scope that this operation needs.',
    remedy: 'Use a key with the scope that the `WWW-Authenticate` header names.',
  },
  permission_denied: {
    status: 403,
    when: 'The object is visible to the caller, but the caller may not do this with it.',
    remedy: 'Ask someone with wider rights, or use a key that has them.',
  },
  not_found: {
    status: 404,
    when: 'The path, the version or the resource does not exist, or is not visible to this caller.',
    remedy: 'Check the path and the id; ids of another tenant look exactly like absent ones.',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path exists, but does not offer this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  not_acceptable: {
    status: 406,
    when: 'The `Accept` header excludes the type that this endpoint produces.',
    remedy: 'Accept `application/json`, or leave the header out.',
  },
  conflict: {
    status: 409,
    when: 'A value that must be unique is taken, or a bound on the number of things is reached.',
    remedy: 'Look at the existing resource, whose id is in `details` where you may see it.',
  },
  invalid_state: {
    status: 409,
    when: 'The state of the resource forbids this change.',
    remedy: 'Read the resource again and act on its present state.',
  },
  resource_in_use: {
    status: 409,
    when: 'The deletion is blocked by something that still uses the resource, such as the documents of a project.',
    remedy: 'Remove what uses it first.',
  },
  idempotency_in_progress: {
    status: 409,
    when: 'Another request with the same `Idempotency-Key` is still being executed.',
    remedy: 'Repeat the request after `Retry-After` seconds; it then gets the stored answer.',
  },
  version_retired: {
    status: 410,
    when: 'This version of the API is past its end.',
    remedy: 'Move to a current version.',
  },
  precondition_failed: {
    status: 412,
    when: '`If-Match` or `If-None-Match` does not hold for the stored resource.',
    remedy: 'Read the resource again, apply your change to it, and send its new `ETag`.',
  },
  payload_too_large: {
    status: 413,
    when: 'The body is larger than the bound that `message` names.',
    remedy: 'Send less, or send it in parts.',
  },
  uri_too_long: {
    status: 414,
    when: 'The request line is longer than 8,192 bytes.',
    remedy: 'Shorten the query.',
  },
  unsupported_media_type: {
    status: 415,
    when: 'The `Content-Type` or `Content-Encoding` of the request is not accepted.',
    remedy: 'Use the type that the `Accept` header of the answer names, without a content encoding.',
  },
  range_not_satisfiable: {
    status: 416,
    when: 'The `Range` lies outside the bytes of the file.',
    remedy: 'Ask for a range within the size that `Content-Range` names.',
  },
  validation_error: {
    status: 422,
    when: 'The shape of the body is right, but a value is not allowed.',
    remedy: 'Correct every field that `details` names.',
  },
  idempotency_key_reused: {
    status: 422,
    when: 'The `Idempotency-Key` was used before with a different request.',
    remedy: 'Use a new key for a new request; repeat a request unchanged.',
  },
  rate_limit_exceeded: {
    status: 429,
    when: 'A limit is exceeded; `details[].field` names the policy.',
    remedy: 'Wait for `Retry-After` seconds.',
  },
  headers_too_large: {
    status: 431,
    when: 'The headers are larger than 16 KiB in all.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    when: 'The server failed; the cause is in its log under `request_id`.',
    remedy: 'Retry idempotent requests and requests with an `Idempotency-Key`; report the `request_id` if it stays.',
  },
  service_unavailable: {
    status: 503,
    when: 'The server is overloaded or stopping, or cannot reach a part that it needs.',
    remedy: 'Repeat the request after `Retry-After` seconds.',
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof kinds
export const errorCodes: Readonly<Record<ErrorCode, ErrorKind>> = kinds
export const statusOf = (code: ErrorCode): number => kinds[code].status

/** `details[].code`: what is wrong with one field, header, parameter or limit. */
export const detailMeanings = {
  required: 'The field is missing.',
  invalid_type: 'The value has another JSON type than the field.',
  unknown_field: 'There is no such field or parameter.',
  not_allowed_value: 'The value is not one of those that are allowed.',
  too_short: 'The text has too few characters.',
  too_long: 'The text has too many characters.',
  too_few_items: 'The list or map has too few entries.',
  too_many_items: 'The list or map has too many entries.',
  duplicate_items: 'An entry of the list occurs twice.',
  too_small: 'The number is below the minimum.',
  too_large: 'The number is above the maximum.',
  not_multiple_of: 'The number is not a multiple of the step.',
  invalid_format: 'The text does not have the form that is needed, such as that of a time.',
  reference_not_found: 'The id names nothing that you can see.',
  immutable: 'The field can only be set at creation.',
  inconsistent: 'The field contradicts another one.',
  capability_missing: 'This server has no part that can do this.',
  taken: 'The value must be unique and belongs to another resource; its `id` is given where you may see it.',
  quota_exceeded: 'The limit with this name is exceeded.',
  repeated: 'The parameter may be given once only.',
  too_many_errors: 'There are more errors than are listed.',
} as const
export type DetailCode = keyof typeof detailMeanings
export const detailCodes = Object.keys(detailMeanings) as DetailCode[]
