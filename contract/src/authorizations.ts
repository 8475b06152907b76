import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { IdOf, Nullable, OpenEnum, Resource, Text, Timestamp } from './schema.ts'
import { scopeNames } from './scopes.ts'

export const authorizationResource = defineResource({
  title: 'Authorization',
  object: 'authorization',
  prefix: 'grt',
  description: 'The access that a user gave to an application.',
  scopes: {
    'authorizations:manage': 'See and revoke the access of applications; change your name and leave the tenant',
  },
  events: ['created', 'updated', 'revoked'],
})

export const Authorization = Resource(authorizationResource, {
  user_id: IdOf('usr'),
  client_id: Nullable(
    IdOf('cli', {
      description:
        "The registered application; null for Octavo's command line and for an application with a `client_url`.",
    }),
  ),
  client_url: Nullable(
    Text(1, 1000, {
      description: 'The `client_id` of an application that is not registered: the address of its metadata document.',
    }),
  ),
  client_name: Text(0, 255, { description: "The application's name, or the host of its `client_url`." }),
  scopes: Type.Array(OpenEnum(scopeNames), {
    maxItems: 100,
    description: "Permissions of the application, within the limits of the user's role.",
  }),
  last_used_at: Nullable(Timestamp({ description: 'Accurate to the minute.' })),
  expires_at: Timestamp({ description: 'When the user has to agree again.' }),
})
export type Authorization = Static<typeof Authorization>

export const authorizations = {
  list: endpoint({
    method: 'GET',
    path: '/authorizations',
    scope: 'authorizations:manage',
    summary: 'List authorizations',
    description:
      'A user sees their own authorizations; a caller with the `members:manage` scope sees those of all users.',
    ...listOf(Authorization, { sorts: ['-created_at'], filters: {} }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/authorizations/{authorization_id}',
    scope: 'authorizations:manage',
    summary: 'Get an authorization',
    query: GetQuery,
    success: { 200: Authorization },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/authorizations/{authorization_id}',
    scope: 'authorizations:manage',
    summary: 'Revoke an authorization',
    description: "The application's tokens stop working immediately.",
    success: { 204: null },
    events: ['authorization.revoked'],
  }),
}
