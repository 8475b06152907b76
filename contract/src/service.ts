// Endpoints about the service itself, open to any valid credential.

import { type Static, Type } from 'typebox'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { Count, MAX_INTEGER, OpenEnum, Text } from './schema.ts'
import { tierNames } from './tiers.ts'

export const Capabilities = Type.Object(
  {
    object: Type.Unsafe<'capabilities'>({ type: 'string', const: 'capabilities' }),
    version: Text(0, 64, { description: 'The version of the server.' }),
    api_versions: Type.Array(Text(0, 16), { maxItems: 10 }),
    features: Type.Array(Text(0, 64), { maxItems: 1000, description: 'Collections that this server supports.' }),
    formats: Type.Array(Text(0, 255), {
      maxItems: 1000,
      description: 'Source types that this server accepts for documents.',
    }),
    limits: Type.Unsafe<Record<string, number>>({
      type: 'object',
      description:
        '`json_bytes` is the largest JSON body that every endpoint accepts; `large_json_bytes` is the limit of the endpoints for documents, pages, embeddings and batches. `file_bytes` is the largest file.',
      additionalProperties: { type: 'integer', maximum: MAX_INTEGER },
    }),
  },
  { title: 'Capabilities', description: 'Features and limits of this server.' },
)
export type Capabilities = Static<typeof Capabilities>

const RatePolicy = Type.Object(
  {
    name: OpenEnum(['requests', 'ai', 'concurrent', 'jobs', 'queue', 'streams']),
    quota: Count(),
    window_seconds: Count({ description: 'Window of the limit; 0 for a concurrency limit.' }),
    remaining: Count(),
    reset_seconds: Count({ description: 'Seconds until the full quota is available again.' }),
  },
  { title: 'RatePolicy', description: 'One limit and its remaining quota.' },
)
export const RateLimit = Type.Object(
  {
    id: OpenEnum(['principal', 'tenant'], {
      description: 'Whose limits these are: `principal` is the calling key or user, `tenant` is the whole tenant.',
    }),
    object: Type.Unsafe<'rate_limit'>({ type: 'string', const: 'rate_limit' }),
    tier: OpenEnum(tierNames),
    policies: Type.Array(RatePolicy, { maxItems: 100 }),
  },
  { title: 'RateLimit', description: 'The rate limits of a key or a tenant.' },
)
export type RateLimit = Static<typeof RateLimit>

export const capabilities = {
  get: endpoint({
    method: 'GET',
    path: '/capabilities',
    scope: null,
    summary: 'Get the capabilities of this server',
    query: GetQuery,
    success: { 200: Capabilities },
  }),
}
export const rate_limits = {
  list: endpoint({
    method: 'GET',
    path: '/rate-limits',
    scope: null,
    summary: 'List your rate limits',
    ...listOf(RateLimit, { sorts: ['id'], filters: {} }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/rate-limits/{limit_id}',
    scope: null,
    summary: 'Get the rate limits of a key or a tenant',
    query: GetQuery,
    success: { 200: RateLimit },
  }),
}
export const openapi = {
  get: endpoint({
    method: 'GET',
    path: '/openapi.json',
    scope: null,
    summary: 'Get this OpenAPI description',
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
