// The parts of the description that do not depend on endpoints: headers, credentials and the introduction.

import { scopes } from './generated/tables.ts'

export const headers = {
  'Request-Id': {
    description: "Identifies this request in the server's logs.",
    required: true,
    schema: { type: 'string', maxLength: 64, examples: ['req_01h455vb4pex5vsknk084sn02q'] },
  },
  Location: { description: 'The URL of the resource.', schema: { type: 'string', format: 'uri', maxLength: 2000 } },
  ETag: {
    description: 'The version of the representation, for conditional requests.',
    schema: { type: 'string', maxLength: 128 },
  },
  Link: {
    description:
      'The next page of a list as `rel="next"`, if there is one; for a deprecated name, the new one as `rel="successor-version"`.',
    schema: { type: 'string', maxLength: 8192 },
  },
  Deprecation: {
    description: 'When this name was deprecated: `@1767225600` (RFC 9745).',
    schema: { type: 'string', maxLength: 64 },
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', maxLength: 5 },
  },
  RateLimit: {
    description: 'The remaining quota: `"requests";r=2995;t=1`.',
    schema: { type: 'string', maxLength: 1000 },
  },
  'RateLimit-Policy': {
    description: 'The limits that apply: `"requests";q=3000;w=60`.',
    schema: { type: 'string', maxLength: 1000 },
  },
  'Retry-After': {
    description:
      'Seconds to wait before you repeat the request. Present on a conflict only if the first request is still running, and on success only while the work is unfinished.',
    schema: { type: 'integer', minimum: 1, maximum: 86_400 },
  },
  'Content-Range': {
    description: 'The returned range: `bytes 0-99/48213`.',
    schema: { type: 'string', maxLength: 64 },
  },
  'Preference-Applied': {
    description: 'The wait that was applied: `wait=10`. Absent if you did not ask for one.',
    schema: { type: 'string', maxLength: 64 },
  },
  'WWW-Authenticate': {
    description: 'The required credential or scope.',
    schema: { type: 'string', maxLength: 2000 },
  },
}

/** `*`, or a list of tags as RFC 9110 writes them. */
const Tags = {
  type: 'string',
  maxLength: 1000,
  pattern: '^(\\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$',
  examples: ['*', '"5vFhVwXUqPXpgmLmNfRXEA"'],
}

/** As long as headers can be: the server ignores a value that it does not understand, and rejects none for its text. */
const MAX_LENIENT_HEADER = 16_384

export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Requests repeated with the same key within 24 hours take effect once and get the same response.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the resource that you change, or of the parent of the resource that you create. 412 if it has changed since.',
    schema: Tags,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of your copy. 304 without a body if it is still current.',
    schema: Tags,
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`wait=10` delays the response until the work has ended, for at most 10 seconds; the status code does not depend on it. 1 to 50; larger values count as 50, invalid values are ignored.',
    schema: { type: 'string', maxLength: MAX_LENIENT_HEADER, examples: ['wait=10'] },
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'One range of bytes, such as `bytes=0-99`. Any other value returns all bytes.',
    schema: { type: 'string', maxLength: MAX_LENIENT_HEADER, examples: ['bytes=0-99'] },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The `id` of the last event that you received; the stream continues after it. Only with `Accept: text/event-stream`.',
    schema: { type: 'string', maxLength: 64, examples: ['12'] },
  },
}

const scopeLines = Object.entries(scopes).map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: ['An API key or an access token. Each operation lists its required scope:', '', ...scopeLines].join(
      '\n',
    ),
  },
}

export const about = [
  'The API of Octavo, a document-AI service: documents, their pages, and the results that are produced from them.',
  'Send `Authorization: Bearer <key>` with every request. Every path with GET also supports HEAD and OPTIONS.',
  'Every response with a status of 400 or higher has the same body, `ErrorResponse`: branch on its `code`, never on its `message`.',
  'New fields, error codes and values of open enums may appear at any time within a version: ignore those that you do not know.',
  'You may send back fields that only the server sets; they are ignored. Unknown fields are rejected.',
].join('\n\n')
