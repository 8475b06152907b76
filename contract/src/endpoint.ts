// An endpoint is data. Validation, responses, handler types, scopes, rate classes, OpenAPI, the SDK and the tests that
// every endpoint must pass are all derived from it.

import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { EventType } from './event-types.ts'
import type { idMembers } from './generated/tables.ts'
import type { Id, IdMember } from './ids.ts'
import { Nullable, OneOf, Text, Timestamp } from './schema.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Priority under overload. */
export type LoadClass = 'read' | 'write' | 'list'

type ParamNames<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | ParamNames<Rest> : never
export type PathParams<P extends string> = {
  [N in ParamNames<P>]: N extends IdMember ? Id<(typeof idMembers)[N]> : string
}

export interface ListRules {
  /** Immutable keys that the list may be sorted by; the first is the default, prefixed with `-` when descending. */
  sorts: readonly string[]
  filters: readonly string[]
  /** The member behind the sort key, which a cursor remembers. */
  key: 'id' | 'number' | 'position' | 'seq'
  /** A list in ascending order always returns a cursor, so that a client can follow new items. */
  is_followed: boolean
}

export interface Waiting {
  member: string
  while: readonly unknown[]
  /** The field with the job's id. */
  job: string
}

interface Definition<
  M extends Method,
  P extends string,
  Q extends TObject | null,
  B extends TSchema | null,
  A extends TSchema | null,
> {
  method: M
  path: P
  /** null: any valid credential. */
  scope: Scope | null
  /** Further required scopes. */
  also_needs?: readonly Scope[]
  /** The scope that is enough for users who change their own account, with `me` in the path. */
  own_scope?: Scope
  /** Scopes that may also be required, depending on the body. */
  may_need?: readonly Scope[]
  summary: string
  description?: string
  query?: Q
  body?: B
  /** `{ 201: Document }`; null for a response without a body. */
  success: { readonly [status: number]: A }
  /** Status of the response if the resource already existed and nothing was created. */
  unchanged_status?: number
  fails?: readonly ErrorCode[]
  /** The events that a successful call writes, each once. */
  events?: readonly EventType[]
  /** Events that a call may also write, or write instead if it does something other than the example. */
  may_record?: readonly EventType[]
  /** The change also affects the parent resource: its `ETag` changes too. */
  bumps_parent?: boolean
  /** Fields that are fixed at creation: ignored in a request if unchanged, otherwise 422 `immutable`. */
  fixed?: readonly string[]
  /** The body may be as large as MAX_JSON_BYTES. */
  is_large?: boolean
  /** The response contains a secret: it is never cached, and is encrypted where it is stored. */
  is_secret?: boolean
  /** The body is optional; without it, `{}` is assumed. */
  is_body_optional?: boolean
  /** Also accepts `multipart/form-data`: one `file`, which is streamed to storage, and fields with these names. */
  form?: TObject
  /** Only the form is accepted, no JSON; `body` describes its fields without the file. */
  is_form_only?: boolean
  /** The response is binary. Clients that accept only JSON get the described response, with a link to the bytes. */
  is_bytes?: boolean
  /** The response is a text, which is streamed: `text/markdown` or `text/plain`, by `format` and `Accept`. */
  is_text?: boolean
  /** The result may be unfinished: `Prefer: wait=N` delays the response while `member` has one of these values. */
  waits?: Waiting
  /** Waits even without `Prefer: wait`. */
  waits_by_default?: boolean
  /** Also available as `text/event-stream`: a list as it grows, or a result as it is written. */
  is_stream?: boolean
  /** This operation is deprecated; the result is available under this newer path. */
  successor?: string
  /** AI units for every ten pages or fewer. */
  ai_base?: number
  list?: ListRules
  /**
   * A valid body. `{project_id}` stands for the id of an existing project, `{new_user_id}` for the id of a user that
   * nothing else refers to, `{unique}` for a unique word. `prove contract` creates its fixtures from it.
   */
  example?: Record<string, unknown>
}

export interface Endpoint<
  M extends Method = Method,
  P extends string = string,
  Q extends TObject | null = TObject | null,
  B extends TSchema | null = TSchema | null,
  A extends TSchema | null = TSchema | null,
> {
  readonly method: M
  readonly path: P
  readonly scope: Scope | null
  readonly also_needs: readonly Scope[]
  readonly own_scope: Scope | null
  readonly may_need: readonly Scope[]
  readonly summary: string
  readonly description: string
  readonly query: Q
  readonly body: B
  readonly status: number
  readonly unchanged_status: number
  readonly answer: A
  readonly fails: readonly ErrorCode[]
  readonly events: readonly EventType[]
  readonly may_record: readonly EventType[]
  readonly bumps_parent: boolean
  readonly fixed: readonly string[]
  /** Fields of the response that a request may contain; they are dropped before validation. */
  readonly ignored: readonly string[]
  readonly is_large: boolean
  readonly is_secret: boolean
  readonly is_body_optional: boolean
  readonly form: TObject | null
  readonly is_form_only: boolean
  readonly is_bytes: boolean
  readonly is_text: boolean
  readonly waits: Waiting | null
  readonly waits_by_default: boolean
  readonly is_stream: boolean
  readonly successor: string | null
  /** 0: it is not weighed. */
  readonly ai_base: number
  readonly load_class: LoadClass
  readonly list: ListRules | null
  readonly example: Record<string, unknown> | null
}

export type ParamsOf<E> = E extends Endpoint<Method, infer P, infer _Q, infer _B, infer _A> ? PathParams<P> : never
export type BodyOf<E> =
  E extends Endpoint<Method, string, infer _Q, infer B, infer _A> ? (B extends TSchema ? Static<B> : undefined) : never
export type QueryOf<E> =
  E extends Endpoint<Method, string, infer Q, infer _B, infer _A>
    ? Q extends TObject
      ? Static<Q>
      : Record<string, never>
    : never
export type AnswerOf<E> =
  E extends Endpoint<Method, string, infer _Q, infer _B, infer A> ? (A extends TSchema ? Static<A> : null) : never

/** Pick, Partial and Omit of typebox drop `additionalProperties: false`, so every request object is closed here. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (schema === null || typeof schema !== 'object') return schema
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) copy[key] = key === 'examples' ? value : close(value)
  if ([copy.type].flat().includes('object') && copy.properties !== undefined) copy.additionalProperties ??= false
  return copy
}

/** Property names; for a union, those of all its variants. */
function keysOf(schema: unknown): string[] {
  const { properties = {}, oneOf = [] } = (schema ?? {}) as { properties?: object; oneOf?: unknown[] }
  return [...Object.keys(properties), ...oneOf.flatMap(keysOf)]
}

/** Lists are shed first, because they cost the most. */
function loadClassOf(method: Method, isList: boolean): LoadClass {
  if (method !== 'GET') return 'write'
  return isList ? 'list' : 'read'
}

export function endpoint<
  const M extends Method,
  const P extends string,
  Q extends TObject | null = null,
  B extends TSchema | null = null,
  A extends TSchema | null = null,
>(definition: Definition<M, P, Q, B, A>): Endpoint<M, P, Q, B, A> {
  const [[status, answer] = ['204', null]] = Object.entries(definition.success)
  const body = (definition.body ? close(definition.body) : null) as B
  const fixed = definition.fixed ?? []
  const known = new Set([...keysOf(body), ...fixed])
  return {
    method: definition.method,
    path: definition.path,
    scope: definition.scope,
    also_needs: definition.also_needs ?? [],
    own_scope: definition.own_scope ?? null,
    may_need: definition.may_need ?? [],
    summary: definition.summary,
    description: definition.description ?? '',
    query: (definition.query ? close(definition.query) : null) as Q,
    body,
    status: Number(status),
    unchanged_status: definition.unchanged_status ?? Number(status),
    answer: answer as A,
    fails: definition.fails ?? [],
    events: definition.events ?? [],
    may_record: definition.may_record ?? [],
    bumps_parent: definition.bumps_parent ?? false,
    fixed,
    ignored: body && !definition.is_form_only ? keysOf(answer).filter((key) => !known.has(key)) : [],
    is_large: definition.is_large ?? false,
    is_secret: definition.is_secret ?? false,
    is_body_optional: definition.is_body_optional ?? false,
    form: definition.form ? (close(definition.form) as TObject) : null,
    is_form_only: definition.is_form_only ?? false,
    is_bytes: definition.is_bytes ?? false,
    is_text: definition.is_text ?? false,
    waits: definition.waits ?? null,
    waits_by_default: definition.waits_by_default ?? false,
    is_stream: definition.is_stream ?? false,
    successor: definition.successor ?? null,
    ai_base: definition.ai_base ?? 0,
    load_class: loadClassOf(
      definition.method,
      definition.list !== undefined || definition.is_bytes === true || definition.is_text === true,
    ),
    list: definition.list ?? null,
    example: definition.example ?? null,
  }
}

/** The largest JSON body of an endpoint that is not `is_large`. */
export const MAX_BODY_BYTES = 1024 * 1024

const Fields = Type.Optional(
  Text(1, 1000, {
    description: 'Comma-separated list of top-level fields to return; `id` and `object` are always included.',
  }),
)
/** The query of every GET of one resource. */
export const GetQuery = Type.Object({ fields: Fields })

/** `created_after` and `created_before`, which every list in the order of creation offers. */
const timeFilters = {
  created_after: Type.Optional(Timestamp({ description: 'Created at or after this time.' })),
  created_before: Type.Optional(Timestamp({ description: 'Created before this time.' })),
}

/** The query and the response of a list: cursor pages by default, numbered pages with `page` or `per_page`. */
export function listOf<T extends TSchema, F extends TProperties, const S extends readonly string[]>(
  item: T,
  rules: { sorts: S; filters: F; key?: ListRules['key']; is_followed?: boolean },
) {
  const filters = (rules.sorts[0]?.endsWith('created_at') ? { ...rules.filters, ...timeFilters } : rules.filters) as F &
    typeof timeFilters
  const sorts = rules.sorts.flatMap((key) => [key.replace('-', ''), `-${key.replace('-', '')}`])
  // No `default` here: generated clients would send both `limit` and `per_page`, which exclude each other.
  const query = Type.Object({
    cursor: Type.Optional(Text(1, 512, { description: 'The `cursor` of the previous response.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Items per page; default 20.' })),
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description:
          'Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests.',
      }),
    ),
    per_page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Items per numbered page; default 20.' }),
    ),
    sort: Type.Optional(OneOf(sorts, { description: `\`-\` means descending; default \`${rules.sorts[0]}\`.` })),
    fields: Fields,
    ...filters,
  })
  const { title } = item as unknown as { title: string }
  const answer = Type.Object(
    {
      data: Type.Array(item, { maxItems: 100 }),
      has_next_page: Type.Boolean({ description: 'Whether there is another page.' }),
      cursor: Type.Optional(
        Nullable(Text(0, 512, { description: 'Opaque position of the next page; null on the last page.' })),
      ),
      page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 10_000, description: 'Present only with numbered pages.' }),
      ),
      per_page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Present only with numbered pages.' }),
      ),
    },
    { title: `${title}List`, description: 'One page of a list.' },
  )
  const list: ListRules = {
    sorts: rules.sorts,
    filters: Object.keys(filters),
    key: rules.key ?? 'id',
    is_followed: rules.is_followed ?? false,
  }
  return { query, success: { 200: answer }, list } as const
}
