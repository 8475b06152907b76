import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery } from './endpoint.ts'
import { Count, FormFile, IdOf, Nullable, OpenEnum, Resource, Text, Timestamp } from './schema.ts'

export const fileKinds = ['original', 'page_image', 'report'] as const

export const fileResource = defineResource({
  title: 'File',
  object: 'file',
  prefix: 'file',
  description: 'Stored bytes: an original file, the image of a page, or a report.',
  scopes: {},
  events: ['created', 'deleted'],
  id_members: ['file_id', 'image_file_id'],
})

export const File = Resource(fileResource, {
  project_id: Nullable(IdOf('proj')),
  document_id: Nullable(
    IdOf('doc', { description: 'The document it belongs to; null for a report and for an unused file.' }),
  ),
  report_id: Nullable(
    IdOf('rep', { description: 'The report it belongs to; downloading its file also needs `reports:read`.' }),
  ),
  kind: OpenEnum(fileKinds, { title: 'FileKind' }),
  file_name: Text(1, 255),
  media_type: Text(1, 255),
  size_bytes: Count(),
  sha256: Nullable(
    Text(0, 64, { description: 'SHA-256 of the bytes, in hexadecimal; null until they have been read once.' }),
  ),
  expires_at: Nullable(
    Timestamp({ description: 'When the file is deleted if no document uses it; null if it is in use.' }),
  ),
})
export type File = Static<typeof File>

export const FileLink = Type.Object(
  {
    id: IdOf('file'),
    object: Type.Unsafe<'file_link'>({ type: 'string', const: 'file_link' }),
    url: Text(0, 4_000, { description: 'Anyone with this link can download the file while it exists.' }),
    expires_at: Timestamp(),
  },
  { title: 'FileLink', description: 'A short-lived download link for a file.' },
)
export type FileLink = Static<typeof FileLink>

const { project_id } = File.properties
const fields = { project_id: Type.Optional(project_id) }
export const NewFile = Type.Object(fields, { title: 'NewFile' })
export type NewFile = Static<typeof NewFile>
export const FileForm = Type.Object(
  { ...fields, file: FormFile },
  { title: 'FileForm', description: 'A file, and the project that controls who can see it until a document uses it.' },
)

export const files = {
  create: endpoint({
    method: 'POST',
    path: '/files',
    scope: 'documents:write',
    summary: 'Upload a file',
    description:
      'Stores the bytes of one file. Then create a document with the source `{"type": "file", "file_id": …}`. A file that no document uses is deleted after 24 hours.',
    body: NewFile,
    form: FileForm,
    is_form_only: true,
    success: { 201: File },
    fails: ['payload_too_large'],
    events: ['file.created'],
    example: { project_id: '{project_id}' },
  }),
  get: endpoint({
    method: 'GET',
    path: '/files/{file_id}',
    scope: 'documents:read',
    summary: 'Get file metadata',
    query: GetQuery,
    success: { 200: File },
  }),
  contents: endpoint({
    method: 'GET',
    path: '/files/{file_id}/contents',
    scope: 'documents:read',
    summary: 'Download a file',
    description:
      'Returns the bytes as an attachment; supports a single `Range` (206). With `Accept: application/json`, returns a link that works without the API key for at least five minutes.',
    success: { 200: FileLink },
    fails: ['range_not_satisfiable'],
    is_bytes: true,
  }),
  link: endpoint({
    method: 'GET',
    path: '/files/{file_id}/link',
    scope: 'documents:read',
    summary: 'Get a download link',
    description:
      'Returns a link that works without the API key for at least five minutes, as long as the file exists. Requests within a few minutes get the same link.',
    query: GetQuery,
    success: { 200: FileLink },
  }),
}
