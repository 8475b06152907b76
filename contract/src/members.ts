import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { IdOf, Metadata, MetadataPatch, Resource } from './schema.ts'

export const memberResource = defineResource({
  title: 'Member',
  object: 'member',
  prefix: 'mem',
  description: 'The membership of a user in a project.',
  scopes: {},
  events: ['created', 'updated', 'deleted'],
})

export const Member = Resource(memberResource, {
  project_id: IdOf('proj'),
  user_id: IdOf('usr'),
})
export type Member = Static<typeof Member>

export const NewMember = Type.Object(
  { user_id: Member.properties.user_id, metadata: Type.Optional(Metadata) },
  { title: 'NewMember' },
)
export type NewMember = Static<typeof NewMember>
export const MemberPatch = Type.Object({ metadata: Type.Optional(MetadataPatch) }, { title: 'MemberPatch' })
export type MemberPatch = Static<typeof MemberPatch>

const PATH = '/projects/{project_id}/members/{member_id}'

export const members = {
  list: endpoint({
    method: 'GET',
    path: '/projects/{project_id}/members',
    scope: 'members:read',
    summary: 'List the members of a project',
    description: 'Users with `project_access` `all` see every project without being members.',
    ...listOf(Member, { sorts: ['-created_at'], filters: {} }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/{project_id}/members',
    scope: 'members:manage',
    summary: 'Add a user to a project',
    description: 'You can add only users whose role has no scope that your own credential lacks.',
    body: NewMember,
    success: { 201: Member },
    fails: ['conflict', 'permission_denied'],
    events: ['member.created'],
    example: { user_id: '{new_user_id}' },
  }),
  get: endpoint({
    method: 'GET',
    path: PATH,
    scope: 'members:read',
    summary: 'Get a member of a project',
    query: GetQuery,
    success: { 200: Member },
  }),
  update: endpoint({
    method: 'PATCH',
    path: PATH,
    scope: 'members:manage',
    summary: 'Change the metadata of a membership',
    body: MemberPatch,
    fixed: ['user_id'],
    success: { 200: Member },
    fails: ['permission_denied'],
    events: ['member.updated'],
    example: { metadata: { team: 'legal' } },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: PATH,
    scope: 'members:manage',
    summary: 'Remove a user from a project',
    success: { 204: null },
    fails: ['permission_denied'],
    events: ['member.deleted'],
  }),
}
