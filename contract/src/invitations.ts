import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { IdOf, Metadata, MetadataPatch, Nullable, Resource, Text, Timestamp } from './schema.ts'
import { Email, RoleChoice, ShownRole } from './users.ts'

export const invitationResource = defineResource({
  title: 'Invitation',
  object: 'invitation',
  prefix: 'inv',
  description: 'An offer to become a user of the tenant. The link that accepts it works once.',
  scopes: {},
  events: ['created', 'updated', 'accepted', 'deleted'],
})

const members = {
  email: Email,
  role: ShownRole,
  project_ids: Nullable(
    Type.Array(IdOf('proj'), {
      minItems: 1,
      maxItems: 250,
      uniqueItems: true,
      description: 'The projects that the user will be a member of and see; null means the whole tenant.',
    }),
  ),
  invited_by: Nullable(
    IdOf('usr', { description: 'The user who sent the invitation; null if an API key or the operator did.' }),
  ),
  expires_at: Timestamp({ description: 'When the link stops working.' }),
  accepted_at: Nullable(Timestamp()),
  user_id: Nullable(IdOf('usr', { description: 'The user who accepted the invitation.' })),
}
export const Invitation = Resource(invitationResource, members)
export type Invitation = Static<typeof Invitation>
export const InvitationWithLink = Resource(
  {
    ...invitationResource,
    title: 'InvitationWithLink',
    description: 'An invitation with its link, which is shown only once.',
  },
  {
    ...members,
    url: Text(0, 2000, { description: 'The page that accepts the invitation. Give it only to the invitee.' }),
  },
)
export type InvitationWithLink = Static<typeof InvitationWithLink>

export const NewInvitation = Type.Object(
  {
    email: members.email,
    role: RoleChoice,
    project_ids: Type.Optional(members.project_ids),
    expires_at: Type.Optional(
      Timestamp({ description: 'When the link stops working: at most 30 days from now; default 7 days.' }),
    ),
    metadata: Type.Optional(Metadata),
  },
  { title: 'NewInvitation' },
)
export type NewInvitation = Static<typeof NewInvitation>
export const InvitationPatch = Type.Object(
  {
    role: Type.Optional(RoleChoice),
    project_ids: Type.Optional(members.project_ids),
    metadata: Type.Optional(MetadataPatch),
  },
  { title: 'InvitationPatch' },
)
export type InvitationPatch = Static<typeof InvitationPatch>

const RIGHTS = 'You can offer only roles and projects that your own credential covers.'

export const invitations = {
  list: endpoint({
    method: 'GET',
    path: '/invitations',
    scope: 'members:read',
    summary: 'List invitations',
    ...listOf(Invitation, { sorts: ['-created_at'], filters: {} }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/invitations',
    scope: 'members:manage',
    summary: 'Invite a person',
    is_secret: true,
    description: `Only this response contains the link. Octavo emails it to the person if \`SMTP_URL\` is set; otherwise send it yourself. ${RIGHTS}`,
    body: NewInvitation,
    success: { 201: InvitationWithLink },
    fails: ['conflict', 'permission_denied', 'insufficient_user_authentication'],
    events: ['invitation.created'],
    example: { email: 'guest-{unique}@example.com', role: 'editor' },
  }),
  get: endpoint({
    method: 'GET',
    path: '/invitations/{invitation_id}',
    scope: 'members:read',
    summary: 'Get an invitation',
    query: GetQuery,
    success: { 200: Invitation },
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/invitations/{invitation_id}',
    scope: 'members:manage',
    summary: 'Change an invitation',
    description: `The link stays the same. An accepted invitation cannot be changed. ${RIGHTS}`,
    body: InvitationPatch,
    fixed: ['email', 'expires_at'],
    success: { 200: Invitation },
    fails: ['invalid_state', 'permission_denied'],
    events: ['invitation.updated'],
    example: { role: 'viewer' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/invitations/{invitation_id}',
    scope: 'members:manage',
    summary: 'Delete an invitation',
    description: 'Its link stops working. A user who has accepted it is not affected.',
    success: { 204: null },
    fails: ['permission_denied'],
    events: ['invitation.deleted'],
  }),
}
