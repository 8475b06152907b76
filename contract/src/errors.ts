// The closed table of error codes. Codes are contract: they are never renamed and their condition never changes.

import { namesOf } from './names.ts'

interface ErrorKind {
  status: number
  /** When it happens, for the page of error codes. */
  when: string
  /** Advice for the caller, shown on the error code page. */
  remedy: string
}

const kinds = {
  invalid_json: {
    status: 400,
    when: 'The body is not valid JSON, not UTF-8, nested deeper than 32 levels, contains a `__proto__` key, or is empty although a body is required.',
    remedy: 'Send one valid JSON value encoded as UTF-8.',
  },
  invalid_request: {
    status: 400,
    when: 'The body is JSON, but a field is missing, unknown or of the wrong type.',
    remedy: 'Correct every field in `details`.',
  },
  invalid_parameter: {
    status: 400,
    when: 'A query parameter is invalid, unknown, repeated or conflicts with another, or a header is invalid.',
    remedy: 'Correct the parameter or header in `details`.',
  },
  invalid_cursor: {
    status: 400,
    when: 'The cursor was altered, belongs to another list, or was used with other filters, another sort order or other fields.',
    remedy: 'Start the list again without a cursor. Keep filters, sort and fields the same for all pages.',
  },
  unauthenticated: {
    status: 401,
    when: 'The `Authorization` header is missing or does not use the `Bearer` scheme.',
    remedy: 'Send `Authorization: Bearer <key>` with every request.',
  },
  invalid_token: {
    status: 401,
    when: 'The key or token is unknown, malformed, expired or revoked, or its owner is disabled.',
    remedy: 'Check that the key is complete; otherwise create a new one.',
  },
  insufficient_user_authentication: {
    status: 401,
    when: 'The operation gives access to others, and the user signed in more than 15 minutes ago.',
    remedy: 'Sign in again and repeat the request with the new token.',
  },
  insufficient_scope: {
    status: 403,
    when: 'The key does not have the scope that this operation needs.',
    remedy: 'Use a key with the scope in the `WWW-Authenticate` header.',
  },
  permission_denied: {
    status: 403,
    when: 'You can see the resource, but you may not perform this operation.',
    remedy: 'Use a key with more permissions, or ask an administrator.',
  },
  not_found: {
    status: 404,
    when: 'The path, the version or the resource does not exist, or your credentials do not give access to it.',
    remedy: 'Check the path and the id. A resource in another tenant looks the same as one that does not exist.',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path exists, but does not support this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  not_acceptable: {
    status: 406,
    when: 'The `Accept` header excludes the type that this endpoint produces.',
    remedy: 'Send `Accept: application/json`, or omit the header.',
  },
  conflict: {
    status: 409,
    when: 'A value that must be unique is already in use, or the maximum number of resources is reached.',
    remedy: 'Use the existing resource; `details` has its id if you may see it.',
  },
  invalid_state: {
    status: 409,
    when: 'The state of the resource does not allow this change.',
    remedy: 'Get the resource again and act on its current state.',
  },
  resource_in_use: {
    status: 409,
    when: 'Other resources still use this one, such as the documents of a project.',
    remedy: 'Delete these resources first.',
  },
  idempotency_in_progress: {
    status: 409,
    when: 'Another request with the same `Idempotency-Key` is still running.',
    remedy: 'Repeat the request after `Retry-After` seconds to get the stored response.',
  },
  version_retired: {
    status: 410,
    when: 'This version of the API has been retired.',
    remedy: 'Use a current version.',
  },
  precondition_failed: {
    status: 412,
    when: 'The `ETag` of the resource does not satisfy `If-Match` or `If-None-Match`.',
    remedy: 'Get the resource again, apply your change to it and send its new `ETag`.',
  },
  payload_too_large: {
    status: 413,
    when: 'The body is larger than the limit in `message`.',
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
    remedy: 'Use the type in the `Accept` header of the response, without a content encoding.',
  },
  range_not_satisfiable: {
    status: 416,
    when: 'The `Range` is outside the file.',
    remedy: 'Request a range within the size in `Content-Range`.',
  },
  validation_error: {
    status: 422,
    when: 'The body is well-formed, but a value is not allowed.',
    remedy: 'Correct every field in `details`.',
  },
  idempotency_key_reused: {
    status: 422,
    when: 'The `Idempotency-Key` was used before with a different request.',
    remedy: 'Use a new key for a new request; repeat a request unchanged.',
  },
  rate_limit_exceeded: {
    status: 429,
    when: 'You exceeded a limit; `details[].field` names the policy.',
    remedy: 'Wait for `Retry-After` seconds.',
  },
  headers_too_large: {
    status: 431,
    when: 'The headers are larger than 16 KiB in total.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    when: 'The server failed. Its log has the cause, with the same `request_id`.',
    remedy:
      'Retry idempotent requests and requests with an `Idempotency-Key`; if the error persists, report the `request_id`.',
  },
  service_unavailable: {
    status: 503,
    when: 'The server is overloaded or stopping, or a service that it needs is unreachable.',
    remedy: 'Repeat the request after `Retry-After` seconds.',
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof kinds
export const errorCodes: Readonly<Record<ErrorCode, ErrorKind>> = kinds
export const statusOf = (code: ErrorCode): number => kinds[code].status

/** `code` and `error` of the endpoints under /oauth, as the standards name them. */
export const oauthErrorMeanings = {
  invalid_request: 'A parameter is missing, repeated or malformed.',
  invalid_client: 'The client is unknown or its secret is wrong.',
  invalid_grant: 'The code or the refresh token is unknown, expired, revoked, used before or for another client.',
  unauthorized_client: 'The client may not use this grant type.',
  unsupported_grant_type: 'The server does not support this grant type.',
  unsupported_response_type: 'The only response type is `code`.',
  invalid_scope: 'A requested scope is unknown, or the client may not request it.',
  invalid_target: 'The `resource` does not belong to this server.',
  invalid_redirect_uri: 'The redirect URI is not registered for the client.',
  access_denied: 'The user refused, or may not give this access.',
  login_required: 'The user has to sign in, but `prompt=none` does not allow it.',
  consent_required: 'The user has to agree, but `prompt=none` does not allow asking.',
  interaction_required: 'The user has to do something, but `prompt=none` does not allow asking.',
  authorization_pending: 'The user has not decided yet. Try again after the interval.',
  slow_down: 'You poll too often. Wait five seconds longer between requests.',
  expired_token: 'The device code has expired. Start again.',
  unsupported_token_type: 'This endpoint does not accept this kind of token.',
  server_error: 'The server failed; its log has the cause.',
} as const

/** `details[].code`: what is wrong with one field, header, parameter or limit. */
export const detailMeanings = {
  required: 'The field is missing.',
  invalid_type: 'The value has the wrong JSON type.',
  unknown_field: 'No such field or parameter.',
  not_allowed_value: 'The value is not one of the allowed values.',
  too_short: 'The text has too few characters.',
  too_long: 'The text has too many characters.',
  too_few_items: 'The list or map has too few entries.',
  too_many_items: 'The list or map has too many entries.',
  duplicate_items: 'The list has a duplicate entry.',
  too_small: 'The number is below the minimum.',
  too_large: 'The number is above the maximum.',
  not_multiple_of: 'The number is not a multiple of the step.',
  invalid_format: 'The text does not have the required format, such as that of a timestamp.',
  reference_not_found: 'No resource with this id exists, or your credentials do not give access to it.',
  immutable: 'The field can be set only at creation.',
  inconsistent: 'The field conflicts with another one.',
  capability_missing: 'This server does not support this.',
  taken:
    'The value must be unique, but another resource already uses it; `id` identifies that resource if you may see it.',
  quota_exceeded: 'You exceeded the limit with this name.',
  repeated: 'The parameter may occur only once.',
  too_many_errors: 'More errors exist than are listed.',
} as const
export type DetailCode = keyof typeof detailMeanings
export const detailCodes = namesOf(detailMeanings)
