import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import {
  IdOf,
  Metadata,
  MetadataPatch,
  Nullable,
  OneOf,
  OpenEnum,
  Resource,
  Text,
  Timestamp,
  WithDefault,
} from './schema.ts'
import { scopeNames } from './scopes.ts'

const members = {
  name: Text(1, 100),
  scopes: Type.Array(OpenEnum(scopeNames), { maxItems: 100, uniqueItems: true, description: 'The scopes of the key.' }),
  project_ids: Nullable(
    Type.Array(IdOf('proj'), {
      minItems: 1,
      maxItems: 250,
      uniqueItems: true,
      description: 'The projects that the key can see; null means the whole tenant.',
    }),
  ),
  expires_at: Nullable(Timestamp({ description: 'When the key expires; null means never.' })),
  last_used_at: Nullable(Timestamp({ description: 'Accurate to the minute.' })),
  created_by: Nullable(Text(0, 64, { description: 'The key that created it; null if a user or the operator did.' })),
  created_by_user_id: Nullable(IdOf('usr', { description: 'The user who created it; null if no user did.' })),
  key_preview: Text(0, 64, { description: 'The first and last characters of the newest secret.' }),
}
export const apiKeyResource = defineResource({
  title: 'ApiKey',
  object: 'api_key',
  prefix: 'key',
  description: 'A long-lived credential for programs.',
  scopes: { 'api_keys:manage': 'Create, change and revoke API keys' },
  events: ['created', 'updated', 'rotated', 'revoked'],
  id_members: ['key_id', 'created_by'],
})

export const ApiKey = Resource(apiKeyResource, members)
export type ApiKey = Static<typeof ApiKey>
export const ApiKeyWithSecret = Resource(
  {
    ...apiKeyResource,
    title: 'ApiKeyWithSecret',
    description: 'An API key with its secret, which is shown only once.',
  },
  {
    ...members,
    secret: Text(0, 64, { description: 'Send it as `Authorization: Bearer <secret>`. It is never shown again.' }),
  },
)
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>

export const NewApiKey = Type.Object(
  {
    name: members.name,
    scopes: Type.Array(OneOf(scopeNames, { title: 'Scope' }), { minItems: 1, maxItems: 100, uniqueItems: true }),
    project_ids: Type.Optional(members.project_ids),
    expires_at: Type.Optional(members.expires_at),
    metadata: Type.Optional(Metadata),
  },
  { title: 'NewApiKey' },
)
export type NewApiKey = Static<typeof NewApiKey>
export const ApiKeyPatch = Type.Object(
  { name: Type.Optional(members.name), metadata: Type.Optional(MetadataPatch) },
  { title: 'ApiKeyPatch' },
)
export type ApiKeyPatch = Static<typeof ApiKeyPatch>
export const NewRotation = Type.Object(
  {
    overlap_seconds: WithDefault(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        description: 'How long the old secret keeps working; default 0.',
      }),
      0,
    ),
  },
  { title: 'NewRotation' },
)
export type NewRotation = Static<typeof NewRotation>

export const api_keys = {
  list: endpoint({
    method: 'GET',
    path: '/api-keys',
    scope: 'api_keys:manage',
    summary: 'List API keys',
    ...listOf(ApiKey, { sorts: ['-created_at'], filters: {} }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api-keys',
    scope: 'api_keys:manage',
    summary: 'Create an API key',
    is_secret: true,
    description:
      'Only this response contains the secret. A key cannot grant scopes that it does not have, and cannot create a key that outlives it: without `expires_at`, the new key expires with the key that creates it.',
    body: NewApiKey,
    success: { 201: ApiKeyWithSecret },
    fails: ['conflict', 'permission_denied', 'insufficient_user_authentication'],
    events: ['api_key.created'],
    example: { name: 'Nightly import', scopes: ['documents:read', 'documents:write'] },
  }),
  get: endpoint({
    method: 'GET',
    path: '/api-keys/{key_id}',
    scope: 'api_keys:manage',
    summary: 'Get an API key',
    query: GetQuery,
    success: { 200: ApiKey },
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api-keys/{key_id}',
    scope: 'api_keys:manage',
    summary: 'Rename an API key',
    body: ApiKeyPatch,
    fixed: ['scopes', 'project_ids', 'expires_at'],
    success: { 200: ApiKey },
    fails: ['permission_denied'],
    events: ['api_key.updated'],
    example: { name: 'Nightly import, old' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api-keys/{key_id}',
    scope: 'api_keys:manage',
    summary: 'Revoke an API key',
    success: { 204: null },
    fails: ['permission_denied'],
    events: ['api_key.revoked'],
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api-keys/{key_id}/rotations',
    scope: 'api_keys:manage',
    summary: 'Rotate the secret of an API key',
    is_secret: true,
    is_body_optional: true,
    description:
      'The key keeps its id. The old secret works until the overlap ends. A key cannot rotate a key that expires later than itself.',
    body: NewRotation,
    success: { 201: ApiKeyWithSecret },
    fails: ['permission_denied', 'insufficient_user_authentication'],
    events: ['api_key.rotated'],
    example: { overlap_seconds: 3600 },
  }),
}
