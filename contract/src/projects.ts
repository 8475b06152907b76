import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { Processing, ProcessingPatch, ShownProcessing } from './processing.ts'
import {
  Count,
  changeFilters,
  Metadata,
  MetadataPatch,
  Nullable,
  OneOf,
  OpenEnum,
  Resource,
  Text,
  WithDefault,
} from './schema.ts'

export const projectPrivacies = ['allowed', 'local_only'] as const
export type ProjectPrivacy = (typeof projectPrivacies)[number]

export const projectResource = defineResource({
  title: 'Project',
  object: 'project',
  prefix: 'proj',
  description: 'A group of documents, and the unit of access control inside a tenant.',
  scopes: { 'projects:read': 'Read projects', 'projects:write': 'Create, change and delete projects' },
  events: ['created', 'updated', 'deleted'],
})

export const Project = Resource(projectResource, {
  name: Text(1, 100),
  description: Nullable(Text(0, 2000)),
  retention_days: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description: 'Age after which documents are deleted; null means never.',
    }),
  ),
  privacy: OpenEnum(projectPrivacies, {
    title: 'ProjectPrivacy',
    description: '`local_only` means that Octavo never sends its text to a remote model or reader.',
  }),
  default_processing: ShownProcessing,
  document_count: Count({ description: 'Current number of documents.' }),
})
export type Project = Static<typeof Project>

const { name, description, retention_days } = Project.properties
const Privacy = OneOf(projectPrivacies, { title: 'ProjectPrivacyChoice', description: 'Default `allowed`.' })
export const NewProject = Type.Object(
  {
    name,
    description: Type.Optional(description),
    retention_days: Type.Optional(retention_days),
    privacy: WithDefault(Privacy, 'allowed'),
    default_processing: Type.Optional(Processing),
    metadata: Type.Optional(Metadata),
  },
  { title: 'NewProject' },
)
export type NewProject = Static<typeof NewProject>
export const ProjectPatch = Type.Object(
  {
    name: Type.Optional(name),
    description: Type.Optional(description),
    retention_days: Type.Optional(retention_days),
    privacy: Type.Optional(Privacy),
    default_processing: Type.Optional(ProcessingPatch),
    metadata: Type.Optional(MetadataPatch),
  },
  { title: 'ProjectPatch' },
)
export type ProjectPatch = Static<typeof ProjectPatch>

const example = { name: 'Leases', description: 'Signed leases of 2026', metadata: { team: 'legal' } }

export const projects = {
  list: endpoint({
    method: 'GET',
    path: '/projects',
    scope: 'projects:read',
    summary: 'List projects',
    ...listOf(Project, { sorts: ['-created_at'], filters: changeFilters }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects',
    scope: 'projects:write',
    summary: 'Create a project',
    body: NewProject,
    success: { 201: Project },
    fails: ['permission_denied'],
    events: ['project.created'],
    example,
  }),
  get: endpoint({
    method: 'GET',
    path: '/projects/{project_id}',
    scope: 'projects:read',
    summary: 'Get a project',
    query: GetQuery,
    success: { 200: Project },
  }),
  replace: endpoint({
    method: 'PUT',
    path: '/projects/{project_id}',
    scope: 'projects:write',
    summary: 'Replace a project',
    body: NewProject,
    success: { 200: Project },
    events: ['project.updated'],
    example,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/projects/{project_id}',
    scope: 'projects:write',
    summary: 'Update a project',
    body: ProjectPatch,
    success: { 200: Project },
    events: ['project.updated'],
    example: { name: 'Leases, old' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/{project_id}',
    scope: 'projects:write',
    summary: 'Delete an empty project',
    success: { 204: null },
    fails: ['resource_in_use'],
    events: ['project.deleted'],
  }),
}
