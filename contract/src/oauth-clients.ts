import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { IdOf, Metadata, MetadataPatch, Nullable, OneOf, OpenEnum, Resource, Text, WithDefault } from './schema.ts'
import { applicationScopes } from './scopes.ts'

export const oauthGrantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const
export type OauthGrantType = (typeof oauthGrantTypes)[number]

const RedirectUris = Type.Array(Text(1, 2000), {
  maxItems: 20,
  uniqueItems: true,
  description:
    'Where users return after they give access. Must match exactly. Allowed are `https`, `http` on 127.0.0.1 or [::1] with any port, or a private-use scheme such as `com.example.app:/callback`.',
})
const members = {
  name: Text(1, 100, { description: 'Shown to users on the consent page.' }),
  grant_types: Type.Array(OpenEnum(oauthGrantTypes), { maxItems: 10, uniqueItems: true }),
  redirect_uris: RedirectUris,
  scopes: Type.Array(OpenEnum(applicationScopes), {
    maxItems: 100,
    uniqueItems: true,
    description: 'The scopes that the application can request.',
  }),
  project_ids: Nullable(
    Type.Array(IdOf('proj'), {
      minItems: 1,
      maxItems: 250,
      uniqueItems: true,
      description: 'The projects that the application can see; null means all projects of the user or the tenant.',
    }),
  ),
  is_confidential: Type.Boolean({
    description: 'True if the application has a secret. False for apps on phones, desktops and in browsers.',
  }),
  secret_preview: Nullable(Text(0, 64, { description: 'The first and last characters of the secret.' })),
}
export const oauthClientResource = defineResource({
  title: 'OauthClient',
  object: 'oauth_client',
  prefix: 'cli',
  description: 'An application that gets access tokens with OAuth 2.0. Its id is its `client_id`.',
  scopes: { 'oauth_clients:manage': 'Register, change and remove OAuth applications' },
  events: ['created', 'updated', 'deleted'],
  id_members: ['client_id'],
})

export const OauthClient = Resource(oauthClientResource, members)
export type OauthClient = Static<typeof OauthClient>
export const OauthClientWithSecret = Resource(
  {
    ...oauthClientResource,
    title: 'OauthClientWithSecret',
    description: 'An OAuth application with its secret, which is shown only once.',
  },
  {
    ...members,
    secret: Nullable(
      Text(0, 64, { description: 'The `client_secret`; null for a public client. It is never shown again.' }),
    ),
  },
)
export type OauthClientWithSecret = Static<typeof OauthClientWithSecret>

const Scopes = Type.Array(OneOf(applicationScopes, { title: 'ApplicationScope' }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
})
export const NewOauthClient = Type.Object(
  {
    name: members.name,
    grant_types: Type.Array(OneOf(oauthGrantTypes, { title: 'OauthGrantType' }), {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
    }),
    redirect_uris: Type.Optional(RedirectUris),
    scopes: Scopes,
    project_ids: Type.Optional(members.project_ids),
    is_confidential: WithDefault(Type.Boolean({ description: 'Default true.' }), true),
    metadata: Type.Optional(Metadata),
  },
  { title: 'NewOauthClient' },
)
export type NewOauthClient = Static<typeof NewOauthClient>
export const OauthClientPatch = Type.Object(
  {
    name: Type.Optional(members.name),
    redirect_uris: Type.Optional(RedirectUris),
    scopes: Type.Optional(Scopes),
    metadata: Type.Optional(MetadataPatch),
  },
  { title: 'OauthClientPatch' },
)
export type OauthClientPatch = Static<typeof OauthClientPatch>

export const oauth_clients = {
  list: endpoint({
    method: 'GET',
    path: '/oauth-clients',
    scope: 'oauth_clients:manage',
    summary: 'List OAuth applications',
    ...listOf(OauthClient, { sorts: ['-created_at'], filters: {} }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/oauth-clients',
    scope: 'oauth_clients:manage',
    summary: 'Register an OAuth application',
    is_secret: true,
    description:
      'Only this response contains the secret. An application cannot get management scopes, nor scopes that your own credential does not have.',
    body: NewOauthClient,
    success: { 201: OauthClientWithSecret },
    fails: ['conflict', 'permission_denied'],
    events: ['oauth_client.created'],
    example: { name: 'Nightly import', grant_types: ['client_credentials'], scopes: ['documents:read'] },
  }),
  get: endpoint({
    method: 'GET',
    path: '/oauth-clients/{client_id}',
    scope: 'oauth_clients:manage',
    summary: 'Get an OAuth application',
    query: GetQuery,
    success: { 200: OauthClient },
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/oauth-clients/{client_id}',
    scope: 'oauth_clients:manage',
    summary: 'Update an OAuth application',
    description: 'A scope that you remove stops working immediately, even in existing tokens.',
    body: OauthClientPatch,
    fixed: ['grant_types', 'project_ids', 'is_confidential'],
    success: { 200: OauthClient },
    fails: ['permission_denied'],
    events: ['oauth_client.updated'],
    example: { name: 'Nightly import, old' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/oauth-clients/{client_id}',
    scope: 'oauth_clients:manage',
    summary: 'Remove an OAuth application',
    description: 'Immediately ends all its tokens and the access that users gave it.',
    success: { 204: null },
    fails: ['permission_denied'],
    events: ['oauth_client.deleted'],
  }),
}
