import { type Static, Type } from 'typebox'
import { endpoint, GetQuery, listOf, type Waiting } from './endpoint.ts'
import { jobEnds } from './event-types.ts'
import { Count, IdOf, Metadata, MetadataPatch, Nullable, NullableRef, OneOf, OpenEnum, Resource, Text, Timestamp } from './schema.ts'

export const MAX_PAGES = 2_000
export const MAX_PAGE_CHARACTERS = 1_000_000
const PageText = Text(0, MAX_PAGE_CHARACTERS)

export const documentStatuses = ['processing', 'ready', 'partially_ready', 'failed'] as const

const TextSource = Type.Object(
  {
    type: Type.Unsafe<'text'>({ type: 'string', const: 'text' }),
    text: Text(0, 33_554_432, { description: 'Plain text; form feeds separate the pages.' }),
  },
  { title: 'TextSource', description: 'The document as one text.' },
)
const PagesSource = Type.Object(
  {
    type: Type.Unsafe<'pages'>({ type: 'string', const: 'pages' }),
    pages: Type.Array(Type.Object({ text: PageText }, { title: 'SourcePage' }), { maxItems: MAX_PAGES }),
  },
  { title: 'PagesSource', description: 'The document as texts of pages.' },
)
export const NewSource = Type.Unsafe<Static<typeof TextSource> | Static<typeof PagesSource>>({
  title: 'NewDocumentSource',
  description: 'What the document is read from.',
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: [TextSource, PagesSource],
})
export type NewSource = Static<typeof NewSource>

const DocumentSource = Type.Object(
  { type: OpenEnum(['text', 'pages']) },
  { title: 'DocumentSource', description: 'What the document was read from.' },
)
const DocumentError = Type.Object(
  { code: Text(0, 64), message: Text(0, 1000) },
  { title: 'DocumentError', description: 'Why the document could not be read.' },
)

export const Document = Resource(
  {
    title: 'Document',
    object: 'document',
    prefix: 'doc',
    description: 'A document and the state of its pages. It never carries the text itself.',
  },
  {
    title: Text(1, 300),
    project_id: Nullable(IdOf('proj', { description: 'The project it belongs to; set at creation.' })),
    external_id: Nullable(Text(1, 200, { description: 'Your own key for it, unique in the tenant while set.' })),
    source: NullableRef(DocumentSource),
    status: OpenEnum(documentStatuses, { title: 'DocumentStatus' }),
    media_type: Nullable(Text(0, 255)),
    size_bytes: Nullable(Count()),
    sha256: Nullable(Text(0, 64, { description: 'Of the source, in hexadecimal.' })),
    expires_at: Nullable(Timestamp({ description: 'When it is deleted by itself; null: as its project says, or never.' })),
    latest_job_id: Nullable(IdOf('job', { description: 'The last job that worked on it. Jobs are kept for 30 days after their end.' })),
    page_count: Count(),
    pages_ready: Count(),
    pages_failed: Count(),
    warnings: Type.Array(Text(0, 1000), { maxItems: 100 }),
    error: NullableRef(DocumentError),
  },
)
export type Document = Static<typeof Document>

const { title, external_id, expires_at, project_id } = Document.properties
const writable = {
  title,
  external_id: Type.Optional(external_id),
  expires_at: Type.Optional(expires_at),
  metadata: Type.Optional(Metadata),
}
export const NewDocument = Type.Object(
  { ...writable, project_id: Type.Optional(project_id), source: Type.Optional(NewSource) },
  { title: 'NewDocument' },
)
export type NewDocument = Static<typeof NewDocument>
export const DocumentReplacement = Type.Object(writable, { title: 'DocumentReplacement' })
export type DocumentReplacement = Static<typeof DocumentReplacement>
export const DocumentPatch = Type.Object(
  {
    title: Type.Optional(title),
    external_id: Type.Optional(external_id),
    expires_at: Type.Optional(expires_at),
    metadata: Type.Optional(MetadataPatch),
  },
  { title: 'DocumentPatch' },
)
export type DocumentPatch = Static<typeof DocumentPatch>

const fixed = ['project_id', 'source'] as const
const WAITS: Waiting = { member: 'status', while: ['processing'], job: 'latest_job_id' }

export const documents = {
  list: endpoint({
    method: 'GET',
    path: '/documents',
    scope: 'documents:read',
    summary: 'List documents',
    ...listOf(Document, {
      sorts: ['-created_at'],
      filters: {
        project_id: Type.Optional(IdOf('proj')),
        external_id: Type.Optional(Text(1, 200)),
        status: Type.Optional(Type.Unsafe<string>({ ...OneOf(documentStatuses), 'x-comma-list': true })),
      },
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/documents',
    scope: 'documents:write',
    summary: 'Create a document',
    description: 'With a source it answers `processing`: a job reads the pages. Without one the document is empty and `ready`.',
    is_large: true,
    body: NewDocument,
    success: { 201: Document },
    fails: ['conflict', 'rate_limit_exceeded'],
    events: ['document.created', 'job.queued'],
    waits: WAITS,
    example: {
      title: 'Lease, 12 Elm Street',
      project_id: '{project_id}',
      source: { type: 'pages', pages: [{ text: 'Lease between …' }, { text: 'Rent: 1,200 a month' }] },
      metadata: { year: '2026' },
    },
  }),
  get: endpoint({
    method: 'GET',
    path: '/documents/{document_id}',
    scope: 'documents:read',
    summary: 'Get a document',
    query: GetQuery,
    success: { 200: Document },
    waits: WAITS,
  }),
  replace: endpoint({
    method: 'PUT',
    path: '/documents/{document_id}',
    scope: 'documents:write',
    summary: 'Replace what describes a document',
    is_large: true,
    description: 'Replaces title, external_id, expires_at and metadata; never the source.',
    body: DocumentReplacement,
    fixed,
    success: { 200: Document },
    fails: ['conflict'],
    events: ['document.updated'],
    example: { title: 'Lease, 12 Elm Street, signed', external_id: null },
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/documents/{document_id}',
    scope: 'documents:write',
    summary: 'Change what describes a document',
    is_large: true,
    body: DocumentPatch,
    fixed,
    success: { 200: Document },
    fails: ['conflict'],
    events: ['document.updated'],
    example: { title: 'Lease, 12 Elm Street, void' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/documents/{document_id}',
    scope: 'documents:write',
    summary: 'Delete a document and its pages',
    description: 'It is gone at once; a job removes what is stored of it.',
    success: { 204: null },
    events: ['document.deleted', 'job.queued'],
    may_record: [...jobEnds, 'job.updated'],
  }),
}
