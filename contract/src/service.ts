// What a client asks about the service itself. Any valid credential may.

import { type Static, Type } from 'typebox'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { Count, MAX_INTEGER, OpenEnum, Text } from './schema.ts'
import { tierNames } from './tiers.ts'

export const Capabilities = Type.Object(
  {
    object: Type.Unsafe<'capabilities'>({ type: 'string', const: 'capabilities' }),
    version: Text(0, 64, { description: 'Of the server.' }),
    api_versions: Type.Array(Text(0, 16), { maxItems: 10 }),
    features: Type.Array(Text(0, 64), { maxItems: 1000, description: 'Collections that this server offers.' }),
    formats: Type.Array(Text(0, 255), {
      maxItems: 1000,
      description: 'Source types that a document can be made from.',
    }),
    limits: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer', maximum: MAX_INTEGER },
    }),
  },
  { title: 'Capabilities', description: 'What this server can do.' },
)
export type Capabilities = Static<typeof Capabilities>

const RatePolicy = Type.Object(
  {
    name: OpenEnum(['requests', 'ai', 'concurrent', 'jobs', 'queue', 'streams']),
    quota: Count(),
    window_seconds: Count({ description: '0 for a bound on things under way at once.' }),
    remaining: Count(),
    reset_seconds: Count({ description: 'Until the whole quota is there again.' }),
  },
  { title: 'RatePolicy', description: 'One limit and what is left of it.' },
)
export const RateLimit = Type.Object(
  {
    id: OpenEnum(['principal', 'tenant'], {
      description:
        'Whose limits these are: `principal` is the key or user that asks, `tenant` all of the tenant together.',
    }),
    object: Type.Unsafe<'rate_limit'>({ type: 'string', const: 'rate_limit' }),
    tier: OpenEnum(tierNames),
    policies: Type.Array(RatePolicy, { maxItems: 100 }),
  },
  { title: 'RateLimit', description: 'The limits that hold for one party.' },
)
export type RateLimit = Static<typeof RateLimit>

export const capabilities = {
  get: endpoint({
    method: 'GET',
    path: '/capabilities',
    scope: null,
    summary: 'Get what this server can do',
    query: GetQuery,
    success: { 200: Capabilities },
  }),
}
export const rate_limits = {
  list: endpoint({
    method: 'GET',
    path: '/rate-limits',
    scope: null,
    summary: 'List the limits that hold for you',
    ...listOf(RateLimit, { sorts: ['id'], filters: {} }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/rate-limits/{limit_id}',
    scope: null,
    summary: 'Get the limits of one party',
    query: GetQuery,
    success: { 200: RateLimit },
  }),
}
export const openapi = {
  get: endpoint({
    method: 'GET',
    path: '/openapi.json',
    scope: null,
    summary: 'Get this description',
    success: {
      200: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: {},
        title: 'OpenApiDescription',
        description: 'OpenAPI 3.1.',
      }),
    },
  }),
}
