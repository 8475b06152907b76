// The few schema shapes that every resource is built from. They print what client generators understand: no boolean
// schemas, no type lists except with "null", `type` beside every `const` and `enum`.

import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { detailCodes, errorCodes } from './errors.ts'
import type { Id, Prefix } from './ids.ts'

export const MAX_INTEGER = Number.MAX_SAFE_INTEGER

/** A closed set of words, for requests. */
export function OneOf<const T extends string>(values: readonly T[], options: object = {}) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options })
}

/** An open set of words, for answers: clients must expect new ones. */
export function OpenEnum<const T extends string>(values: readonly T[], options: object = {}) {
  return Type.Unsafe<T>({ type: 'string', maxLength: 64, 'x-extensible-enum': [...values], ...options })
}

/**
 * An optional member of a request, and the value that the server uses without it. Not for PATCH, where an absent member
 * keeps its value: clients that are generated from the description send defaults.
 */
export const WithDefault = <T extends TSchema>(schema: T, value: Static<T>) =>
  Type.Optional(Type.Unsafe<Static<T>>({ ...schema, default: value }))

/** `type: [T, "null"]`, for members that may have no value. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, ...rest } = schema as unknown as { type: string }
  return Type.Unsafe<Static<T> | null>({ type: [type, 'null'], ...rest })
}

/** A named schema or null, in answers only. */
export function NullableRef<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })
}

/** A list's filter by id: one id, or several in a comma list of which any matches. */
export const FilterId = (prefix: Prefix) =>
  Type.Optional(AnyOf(IdOf(prefix, { pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` })))

/** A query parameter that takes several values, separated by commas. */
export const AnyOf = (item: object) => Type.Unsafe<string>({ ...item, 'x-comma-list': true })

export function IdOf<const P extends Prefix>(prefix: P, options: object = {}) {
  return Type.Unsafe<Id<P>>({
    type: 'string',
    maxLength: 64,
    examples: [`${prefix}_01h455vb4pex5vsknk084sn02q`],
    ...options,
  })
}

export const Text = (minLength: number, maxLength: number, options: object = {}) =>
  Type.String({ minLength, maxLength, ...options })
export const Count = (options: object = {}) => Type.Integer({ minimum: 0, maximum: MAX_INTEGER, ...options })
/** The part of a form that holds a file. Generators of clients know `format: binary`. */
export const FormFile = Type.Unsafe<string>({
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
})
export const Timestamp = (options: object = {}) =>
  Type.String({ format: 'date-time', maxLength: 40, examples: ['2026-01-02T03:04:05.678Z'], ...options })

/** A map of the caller's own keys and values, never interpreted. */
export const Metadata = Type.Unsafe<Record<string, string>>({
  title: 'Metadata',
  type: 'object',
  description: 'Your own keys and values; Octavo never interprets them.',
  maxProperties: 50,
  propertyNames: {
    type: 'string',
    pattern: '^[^\\u0000]{1,40}$',
    description: 'A key has 1 to 40 characters, none of them NUL.',
  },
  additionalProperties: { type: 'string', maxLength: 500 },
})
/** The same map in a merge patch: null removes a key. */
export const MetadataPatch = Type.Unsafe<Record<string, string | null>>({
  ...Metadata,
  title: 'MetadataPatch',
  description: 'Merged into the stored map; null removes a key.',
  additionalProperties: { type: ['string', 'null'], maxLength: 500 },
})

/** A list's filters by metadata, as `metadata[key]=value`, and by the time of the last change. */
export const changeFilters = {
  metadata: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      description: 'Resources whose metadata contains all these values: `metadata[kind]=lease`.',
      maxProperties: 10,
      additionalProperties: { type: 'string', maxLength: 500 },
    }),
  ),
  updated_after: Type.Optional(Timestamp({ description: 'Changed at or after this time.' })),
}

/** The members that every stored resource has, around its own. */
export function Resource<const O extends string, const P extends Prefix, T extends TProperties>(
  name: { title: string; object: O; prefix: P; description: string },
  members: T,
) {
  return Type.Object(
    {
      id: IdOf(name.prefix),
      object: Type.Unsafe<O>({ type: 'string', const: name.object }),
      ...members,
      metadata: Metadata,
      created_at: Timestamp(),
      updated_at: Timestamp(),
    },
    { title: name.title, description: name.description },
  )
}

export const ErrorDetail = Type.Object(
  {
    field: Text(0, 1000, { description: 'Dotted path of a body field, or the name of a parameter, header or limit.' }),
    location: OpenEnum(['body', 'query', 'header', 'limit']),
    code: OpenEnum(detailCodes, { title: 'DetailCode' }),
    message: Text(0, 1000),
    pointer: Type.Optional(Text(0, 1000, { description: 'RFC 6901 pointer, for body fields.' })),
    id: Type.Optional(Text(0, 64, { description: 'The existing resource that the entry refers to.' })),
  },
  { title: 'ErrorDetail', description: 'One error.' },
)
export type ErrorDetail = Static<typeof ErrorDetail>

export const ErrorResponse = Type.Object(
  {
    code: OpenEnum(Object.keys(errorCodes), {
      title: 'ErrorCode',
      description: 'Machine-readable code; branch on it.',
    }),
    message: Text(0, 1000, { description: 'Message for people; may change at any time.' }),
    details: Type.Array(ErrorDetail, { maxItems: 101 }),
    request_id: Text(0, 64, { description: 'The same as the `Request-Id` header.' }),
    doc_url: Text(0, 2000, { description: 'The page on this server that explains the code.' }),
  },
  { title: 'ErrorResponse', description: 'The body of every response with a status of 400 or higher.' },
)
export type ErrorResponse = Static<typeof ErrorResponse>
