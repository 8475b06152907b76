// The parts of the description that no endpoint changes: headers, the credential, the words at the top.

import { scopes } from './scopes.ts'

export const headers = {
  'Request-Id': {
    description: 'Names this request in the logs of the server.',
    required: true,
    schema: { type: 'string', maxLength: 64, examples: ['req_01h455vb4pex5vsknk084sn02q'] },
  },
  Location: { description: 'The address of the resource.', schema: { type: 'string', format: 'uri', maxLength: 2000 } },
  ETag: {
    description: 'The version of the representation, for conditional requests.',
    schema: { type: 'string', maxLength: 128 },
  },
  Link: {
    description:
      'The next page of a list as `rel="next"`, if there is one; of an older name, the newer one as `rel="successor-version"`.',
    schema: { type: 'string', maxLength: 8192 },
  },
  Deprecation: {
    description: 'Since when this name is an older one: `@1767225600` (RFC 9745).',
    schema: { type: 'string', maxLength: 64 },
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored answer of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', maxLength: 5 },
  },
  RateLimit: { description: 'What is left: `"requests";r=2995;t=1`.', schema: { type: 'string', maxLength: 1000 } },
  'RateLimit-Policy': {
    description: 'The limits that hold: `"requests";q=3000;w=60`.',
    schema: { type: 'string', maxLength: 1000 },
  },
  'Retry-After': {
    description:
      'Seconds until it pays to ask again. On a conflict only when it is still being executed, on a success only while it is unfinished.',
    schema: { type: 'integer', minimum: 1, maximum: 86_400 },
  },
  'Content-Range': {
    description: 'Which bytes these are: `bytes 0-99/48213`.',
    schema: { type: 'string', maxLength: 64 },
  },
  'Preference-Applied': {
    description: 'The wait that was granted: `wait=10`. Absent when none was asked for.',
    schema: { type: 'string', maxLength: 64 },
  },
  'WWW-Authenticate': {
    description: 'The credential or the scope that is needed.',
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

export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Repeats of a request with the same key within 24 hours have one effect and get the same answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the resource that is changed, or of the parent of what is created. 412 if it has changed since.',
    schema: Tags,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of what you have. 304 without a body if it is still the same.',
    schema: Tags,
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`wait=10` holds the answer back until the work has ended, for 10 seconds at most; the status is the same either way. 1 to 50; more is taken as 50, and what cannot be read is ignored.',
    schema: { type: 'string', maxLength: 1000, examples: ['wait=10'] },
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'One range of bytes, such as `bytes=0-99`. Anything else is answered with all bytes.',
    // As long as headers may be: no range is refused for what it says.
    schema: { type: 'string', maxLength: 16_384, examples: ['bytes=0-99'] },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The `id` of the last event that you have: the stream goes on after it. Only with `Accept: text/event-stream`.',
    schema: { type: 'string', maxLength: 64, examples: ['12'] },
  },
}

const scopeLines = Object.entries(scopes).map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: [
      'An API key or an access token. Each operation names the scope that it needs:',
      '',
      ...scopeLines,
    ].join('\n'),
  },
}

export const about = [
  'Documents, their pages, and what can be learnt from them.',
  'Every request carries `Authorization: Bearer <key>`. Every path that offers GET also answers HEAD and OPTIONS.',
  'Every answer with a status of 400 or more has the same body, `ErrorResponse`: branch on its `code`, never on its `message`.',
  'New members, new error codes and new values of open enums can appear at any time within a version: ignore what you do not know.',
  'Members that only the server sets may be sent back in a request; they are ignored. Unknown members are refused.',
].join('\n\n')
