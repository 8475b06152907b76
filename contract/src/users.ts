import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { roleNames } from './roles.ts'
import { Metadata, MetadataPatch, Nullable, OneOf, OpenEnum, Resource, Text, Timestamp, WithDefault } from './schema.ts'

export const projectAccesses = ['all', 'assigned'] as const
export const userStatuses = ['active', 'suspended'] as const

/** Not a full check: only a delivered email proves that an address exists. */
export const Email = Text(3, 254, { pattern: '^[^\\s@]+@[^\\s@]+$', description: 'An email address.' })
export const RoleChoice = OneOf(roleNames, { title: 'RoleChoice' })
export const ShownRole = OpenEnum(roleNames, {
  title: 'Role',
  description:
    '`owner`: everything; `admin`: everything except appointing owners; `editor`: reads and writes; `viewer`: reads, searches and asks questions.',
})

export const userResource = defineResource({
  title: 'User',
  object: 'user',
  prefix: 'usr',
  description: 'A person in a tenant. A person with the same address in two tenants has two users.',
  scopes: {
    'members:read': 'Read users, invitations and project members',
    'members:manage': 'Invite people; change and remove users and project members',
    'tenant:manage': 'Appoint and remove owners of the tenant',
  },
  events: ['created', 'updated', 'deleted'],
  id_members: ['user_id', 'invited_by', 'created_by_user_id'],
})

export const User = Resource(userResource, {
  email: Email,
  name: Text(1, 100),
  role: ShownRole,
  project_access: OpenEnum(projectAccesses, {
    title: 'ProjectAccess',
    description:
      '`all`: the whole tenant; `assigned`: only the projects that the user is a member of. Owners and admins always have `all`.',
  }),
  status: OpenEnum(userStatuses, { title: 'UserStatus', description: 'A suspended user has no access.' }),
  signed_in_at: Nullable(Timestamp({ description: 'The last sign-in; null means never.' })),
})
export type User = Static<typeof User>

const { email, name } = User.properties
const AccessChoice = OneOf(projectAccesses, { title: 'ProjectAccessChoice', description: 'Default `all`.' })
export const NewUser = Type.Object(
  {
    email,
    name,
    role: RoleChoice,
    project_access: WithDefault(AccessChoice, 'all'),
    metadata: Type.Optional(Metadata),
  },
  { title: 'NewUser' },
)
export type NewUser = Static<typeof NewUser>
export const UserPatch = Type.Object(
  {
    name: Type.Optional(name),
    role: Type.Optional(RoleChoice),
    project_access: Type.Optional(AccessChoice),
    status: Type.Optional(OneOf(userStatuses, { title: 'UserStatusChoice' })),
    metadata: Type.Optional(MetadataPatch),
  },
  { title: 'UserPatch' },
)
export type UserPatch = Static<typeof UserPatch>

const ME = 'Use `me` instead of an id for the user who makes the request. An API key does not belong to a user.'
const OWN = 'Every user can do this with `me` and the `authorizations:manage` scope.'
const RIGHTS = 'You can change only users whose role has no scope that your own credential lacks.'

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/users',
    scope: 'members:read',
    summary: 'List users',
    description: 'A credential that is limited to projects sees only the members of these projects.',
    ...listOf(User, {
      sorts: ['-created_at'],
      filters: {
        role: Type.Optional(RoleChoice),
        email: Type.Optional(Text(1, 254, { description: 'Exact address, ignoring case.' })),
      },
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/users',
    scope: 'members:manage',
    summary: 'Create a user',
    description: `Creates a user without a password, for sign-in with an external identity provider. To let a person choose a password, create an invitation. ${RIGHTS}`,
    body: NewUser,
    success: { 201: User },
    fails: ['conflict', 'permission_denied', 'insufficient_user_authentication'],
    events: ['user.created'],
    example: { email: '{unique}@example.com', name: 'Ada Okafor', role: 'editor' },
  }),
  get: endpoint({
    method: 'GET',
    path: '/users/{user_id}',
    scope: 'members:read',
    summary: 'Get a user',
    description: ME,
    query: GetQuery,
    success: { 200: User },
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/users/{user_id}',
    scope: 'members:manage',
    own_scope: 'authorizations:manage',
    summary: 'Change a user',
    description: `${ME} ${OWN} With \`me\`, you can change only \`name\` and \`metadata\`. ${RIGHTS} The last active owner cannot be demoted or suspended.`,
    body: UserPatch,
    fixed: ['email'],
    success: { 200: User },
    fails: ['invalid_state', 'permission_denied', 'insufficient_user_authentication'],
    events: ['user.updated'],
    example: { name: 'Ada Okafor-Lind' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/users/{user_id}',
    scope: 'members:manage',
    own_scope: 'authorizations:manage',
    summary: 'Remove a user',
    description: `${ME} ${OWN} ${RIGHTS} The last active owner cannot leave. API keys that the user created keep working.`,
    success: { 204: null },
    fails: ['invalid_state', 'permission_denied'],
    events: ['user.deleted'],
  }),
}
