import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf, type Waiting } from './endpoint.ts'
import { jobEnds, outcomeCancels } from './event-types.ts'
import { Processing, ShownProcessing } from './processing.ts'
import {
  AnyOf,
  Count,
  changeFilters,
  FilterId,
  FormFile,
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
  WithDefault,
} from './schema.ts'

export const MAX_PAGES = 2_000
export const MAX_PAGE_CHARACTERS = 1_000_000
export const MediaType = Text(1, 255, {
  pattern: '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$',
  description: 'Must be a type such as `application/pdf`. It is a hint; Octavo detects the type from the bytes.',
})
export const FileName = Text(1, 255, { description: 'The file name, for display only.' })
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
  { title: 'PagesSource', description: "The texts of the document's pages." },
)
const Base64Source = Type.Object(
  {
    type: Type.Unsafe<'base64'>({ type: 'string', const: 'base64' }),
    media_type: MediaType,
    data: Text(0, 44_739_244, {
      pattern: '^[A-Za-z0-9+/]*={0,2}$',
      description: 'The file, encoded as Base64 without line breaks.',
    }),
    file_name: Type.Optional(FileName),
  },
  { title: 'Base64Source', description: 'A small file inside the request.' },
)
const UploadSource = Type.Object(
  { type: Type.Unsafe<'upload'>({ type: 'string', const: 'upload' }), upload_id: IdOf('upl') },
  { title: 'UploadSource', description: 'A file that you uploaded before. You can use an upload once.' },
)
const FileSource = Type.Object(
  { type: Type.Unsafe<'file'>({ type: 'string', const: 'file' }), file_id: IdOf('file') },
  { title: 'FileSource', description: 'A file that you sent with `POST /files`. You can use a file once.' },
)
const UrlSource = Type.Object(
  {
    type: Type.Unsafe<'url'>({ type: 'string', const: 'url' }),
    url: Text(1, 2_000, {
      description: 'A public https URL. Octavo downloads it in the background and does not follow redirects.',
    }),
  },
  { title: 'UrlSource', description: 'A file that Octavo downloads.' },
)
type AnySource =
  | Static<typeof TextSource>
  | Static<typeof PagesSource>
  | Static<typeof Base64Source>
  | Static<typeof UploadSource>
  | Static<typeof FileSource>
  | Static<typeof UrlSource>
export const NewSource = Type.Unsafe<AnySource>({
  title: 'NewDocumentSource',
  description: 'The source of the document.',
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: [TextSource, PagesSource, Base64Source, UploadSource, UrlSource, FileSource],
})
export type NewSource = Static<typeof NewSource>

export const sourceTypes = ['text', 'pages', 'base64', 'upload', 'url', 'file'] as const
const DocumentSource = Type.Object(
  {
    type: OpenEnum(sourceTypes, {
      description: '`file` means that it was sent as `multipart/form-data`, here or with `POST /files`.',
    }),
    file_name: Type.Optional(FileName),
    upload_id: Type.Optional(IdOf('upl')),
    url: Type.Optional(Text(0, 2_000, { description: 'Without its query string, which may contain a secret.' })),
  },
  { title: 'DocumentSource', description: 'The source of the document.' },
)
const DocumentError = Type.Object(
  { code: Text(0, 64), message: Text(0, 1000) },
  { title: 'DocumentError', description: 'Why the document could not be read.' },
)

export const documentResource = defineResource({
  title: 'Document',
  object: 'document',
  prefix: 'doc',
  id_members: ['document_id', 'parent_document_id'],
  description: 'A document and the state of its pages. It does not contain the text itself.',
  scopes: {
    'documents:read': 'Read documents and their pages',
    'documents:write': 'Create, change and delete documents and their pages',
  },
  events: ['created', 'updated', 'deleted'],
})

export const Document = Resource(documentResource, {
  title: Text(1, 300),
  project_id: Nullable(IdOf('proj', { description: 'The project it belongs to; set at creation.' })),
  parent_document_id: Nullable(
    IdOf('doc', { description: 'The email that it was attached to. It is deleted with that email.' }),
  ),
  external_id: Nullable(Text(1, 200, { description: 'Your own identifier; unique in the tenant.' })),
  source: NullableRef(DocumentSource),
  processing: NullableRef(ShownProcessing),
  status: OpenEnum(documentStatuses, { title: 'DocumentStatus' }),
  file_id: Nullable(IdOf('file', { description: 'The original file.' })),
  media_type: Nullable(Text(0, 255)),
  size_bytes: Nullable(Count()),
  sha256: Nullable(Text(0, 64, { description: 'SHA-256 of the source, in hexadecimal.' })),
  language: Nullable(Text(0, 35, { description: 'Main language, as a BCP 47 tag.' })),
  expires_at: Nullable(
    Timestamp({
      description:
        "When it is deleted automatically; null means after its project's retention or, if that is null, never.",
    }),
  ),
  latest_job_id: Nullable(
    IdOf('job', { description: 'The last job that worked on it. Jobs are kept for 30 days after they end.' }),
  ),
  page_count: Count(),
  pages_ready: Count(),
  pages_failed: Count(),
  warnings: Type.Array(Text(0, 1000), { maxItems: 100 }),
  error: NullableRef(DocumentError),
})
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
    'Action if a document that you can see has the same bytes: `allow` (default) creates another, `reject` returns 409, `return_existing` returns the existing one with 200.',
})
const Password = Text(1, 255, {
  writeOnly: true,
  description:
    'The password of a protected PDF, Word, Excel or PowerPoint file. Never returned; deleted when the file has been read.',
})
const creation = {
  project_id: Type.Optional(project_id),
  password: Type.Optional(Password),
  processing: Type.Optional(Processing),
  on_duplicate: WithDefault(OnDuplicate, 'allow'),
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
    file: FormFile,
  },
  { title: 'DocumentForm', description: 'A file and its metadata. The default title is the file name.' },
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

export const textFormats = ['markdown', 'text'] as const
const DocumentText = Type.String({ title: 'DocumentText' })
const ContentsQuery = Type.Object({
  format: Type.Optional(OneOf(textFormats, { title: 'TextFormat', description: '`markdown` or `text`.' })),
})

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
        project_id: FilterId('proj'),
        parent_document_id: FilterId('doc'),
        external_id: Type.Optional(Text(1, 200)),
        status: Type.Optional(AnyOf(OneOf(documentStatuses))),
        ...changeFilters,
      },
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/documents',
    scope: 'documents:write',
    summary: 'Create a document',
    description:
      'With a source, the document is `processing` while a job reads its pages. Without one, it is empty and `ready`. You can also send a file as `multipart/form-data`.',
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
  contents: endpoint({
    method: 'GET',
    path: '/documents/{document_id}/contents',
    scope: 'documents:read',
    summary: 'Get the text of a document',
    description:
      'Streams the text of all pages that are ready, in order. In Markdown, an empty line separates the pages; in plain text, a form feed does. Without `format`, `Accept` selects the type; the default is Markdown.',
    query: ContentsQuery,
    success: { 200: DocumentText },
    fails: ['invalid_state'],
    is_text: true,
  }),
  replace: endpoint({
    method: 'PUT',
    path: '/documents/{document_id}',
    scope: 'documents:write',
    summary: 'Replace the metadata of a document',
    is_large: true,
    description: 'Replaces title, external_id, expires_at and metadata, but not the source.',
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
    summary: 'Update the metadata of a document',
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
    description: 'The document disappears immediately; a job removes its stored data.',
    success: { 204: null },
    events: ['document.deleted', 'job.queued'],
    may_record: [...jobEnds, ...outcomeCancels, 'job.updated'],
  }),
}
