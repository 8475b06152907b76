import { type Static, Type } from 'typebox'
import { endpoint, GetQuery, listOf, type Waiting } from './endpoint.ts'
import { jobEnds, outcomeCancels } from './event-types.ts'
import { Processing, ShownProcessing } from './processing.ts'
import {
  Count,
  IdOf,
  Metadata,
  MetadataPatch,
  Nullable,
  NullableRef,
  OneOf,
  OpenEnum,
  Resource,
  Text,
  Timestamp,
} from './schema.ts'

export const MAX_PAGES = 2_000
export const MAX_PAGE_CHARACTERS = 1_000_000
export const MediaType = Text(1, 255, {
  pattern: '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$',
  description: 'Must be a type such as `application/pdf`. It is what you take the file for; what its bytes say counts.',
})
export const FileName = Text(1, 255, { description: 'A name for people; never used as a path.' })
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
const Base64Source = Type.Object(
  {
    type: Type.Unsafe<'base64'>({ type: 'string', const: 'base64' }),
    media_type: MediaType,
    data: Text(0, 44_739_244, {
      pattern: '^[A-Za-z0-9+/]*={0,2}$',
      description: 'The file in Base64, without line breaks.',
    }),
    file_name: Type.Optional(FileName),
  },
  { title: 'Base64Source', description: 'A small file, inside the request.' },
)
const UploadSource = Type.Object(
  { type: Type.Unsafe<'upload'>({ type: 'string', const: 'upload' }), upload_id: IdOf('upl') },
  { title: 'UploadSource', description: 'A file that was uploaded before. An upload is used once.' },
)
const UrlSource = Type.Object(
  {
    type: Type.Unsafe<'url'>({ type: 'string', const: 'url' }),
    url: Text(1, 2_000, {
      description:
        'An https address that anyone can read. It is fetched in the background, without following redirects.',
    }),
  },
  { title: 'UrlSource', description: 'A file that is fetched.' },
)
type AnySource =
  | Static<typeof TextSource>
  | Static<typeof PagesSource>
  | Static<typeof Base64Source>
  | Static<typeof UploadSource>
  | Static<typeof UrlSource>
export const NewSource = Type.Unsafe<AnySource>({
  title: 'NewDocumentSource',
  description: 'What the document is read from.',
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: [TextSource, PagesSource, Base64Source, UploadSource, UrlSource],
})
export type NewSource = Static<typeof NewSource>

export const sourceTypes = ['text', 'pages', 'base64', 'upload', 'url', 'file'] as const
const DocumentSource = Type.Object(
  {
    type: OpenEnum(sourceTypes, { description: '`file`: it came as `multipart/form-data`.' }),
    file_name: Type.Optional(FileName),
    upload_id: Type.Optional(IdOf('upl')),
    url: Type.Optional(Text(0, 2_000, { description: 'Without its query, which may hold a secret.' })),
  },
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
    processing: NullableRef(ShownProcessing),
    status: OpenEnum(documentStatuses, { title: 'DocumentStatus' }),
    file_id: Nullable(IdOf('file', { description: 'The file as it came.' })),
    media_type: Nullable(Text(0, 255)),
    size_bytes: Nullable(Count()),
    sha256: Nullable(Text(0, 64, { description: 'Of the source, in hexadecimal.' })),
    language: Nullable(Text(0, 35, { description: 'That most of it is written in, as a BCP 47 tag.' })),
    expires_at: Nullable(
      Timestamp({ description: 'When it is deleted by itself; null: as its project says, or never.' }),
    ),
    latest_job_id: Nullable(
      IdOf('job', { description: 'The last job that worked on it. Jobs are kept for 30 days after their end.' }),
    ),
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
const OnDuplicate = OneOf(['allow', 'reject', 'return_existing'], {
  title: 'OnDuplicate',
  description:
    'What happens when a document that you can see was made from the same bytes: `allow` (if absent) makes another, `reject` answers 409, `return_existing` answers that one with 200.',
})
const creation = {
  project_id: Type.Optional(project_id),
  processing: Type.Optional(Processing),
  on_duplicate: Type.Optional(OnDuplicate),
}
export const NewDocument = Type.Object(
  { ...writable, ...creation, source: Type.Optional(NewSource) },
  { title: 'NewDocument' },
)
/** Members that are not text are JSON in their field. */
export const DocumentForm = Type.Object(
  {
    ...writable,
    ...creation,
    title: Type.Optional(title),
    file: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  },
  { title: 'DocumentForm', description: 'A file and what describes it; without a title its name is the title.' },
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

const fixed = ['project_id', 'source', 'processing'] as const
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
    description:
      'With a source it answers `processing`: a job reads the pages. Without one the document is empty and `ready`. A file may also come as `multipart/form-data`.',
    is_large: true,
    body: NewDocument,
    form: DocumentForm,
    success: { 201: Document },
    unchanged_status: 200,
    fails: ['conflict', 'invalid_state', 'rate_limit_exceeded'],
    events: ['document.created', 'job.queued'],
    may_record: ['upload.completed'],
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
    may_record: [...jobEnds, ...outcomeCancels, 'job.updated'],
  }),
}
