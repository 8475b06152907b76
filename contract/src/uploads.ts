import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { FileName, MediaType } from './documents.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import {
  AnyOf,
  Count,
  IdOf,
  MAX_INTEGER,
  Metadata,
  Nullable,
  NullableRef,
  OneOf,
  OpenEnum,
  Resource,
  Text,
  Timestamp,
} from './schema.ts'

export const uploadStatuses = ['pending', 'completed'] as const
/** Larger files come in parts. */
export const PART_BYTES = 16 * 1024 * 1024
export const SINGLE_PUT_BYTES = 64 * 1024 * 1024
export const MAX_PARTS = 1_000

const SignedPut = Type.Object(
  {
    url: Text(0, 4_000, {
      description: 'Send the bytes here with one PUT, without the API key. Anyone with this URL can use it.',
    }),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 1_000 },
      description: 'Send these headers unchanged with the PUT.',
    }),
  },
  { title: 'SignedPut', description: 'Where to send the bytes.' },
)
const UploadPart = Type.Object(
  {
    number: Type.Integer({ minimum: 1, maximum: MAX_PARTS }),
    offset: Count({ description: 'Offset in the file.' }),
    size_bytes: Count(),
    is_received: Type.Boolean({ description: 'True if the part has arrived; you may send it again.' }),
    put: SignedPut,
  },
  { title: 'UploadPart', description: 'One part of a large file.' },
)

export const uploadResource = defineResource({
  title: 'Upload',
  object: 'upload',
  prefix: 'upl',
  description:
    'A file that is being uploaded. When its bytes have arrived, create a document from it with `POST /documents`.',
  scopes: {},
  events: ['created', 'completed', 'deleted'],
})

export const Upload = Resource(uploadResource, {
  project_id: Nullable(
    IdOf('proj', {
      description: 'The project that controls who can see the upload; the document may belong to another project.',
    }),
  ),
  file_name: FileName,
  media_type: MediaType,
  size_bytes: Type.Integer({ minimum: 1, maximum: MAX_INTEGER }),
  sha256: Nullable(
    Text(64, 64, {
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the bytes; Octavo compares it with the bytes that arrive.',
    }),
  ),
  status: OpenEnum(uploadStatuses, {
    title: 'UploadStatus',
    description: '`completed` means that a document was created from it.',
  }),
  expires_at: Timestamp({ description: 'An unused upload is deleted at this time.' }),
  document_id: Nullable(IdOf('doc')),
  put: NullableRef(SignedPut),
  parts: Type.Array(UploadPart, {
    maxItems: MAX_PARTS,
    description: 'The parts of a file over 64 MiB, instead of `put`. Absent in lists and for keys that may not write.',
  }),
})
export type Upload = Static<typeof Upload>

const { project_id, file_name, media_type, size_bytes, sha256 } = Upload.properties
export const NewUpload = Type.Object(
  {
    project_id: Type.Optional(project_id),
    file_name,
    media_type,
    size_bytes,
    sha256: Type.Optional(sha256),
    metadata: Type.Optional(Metadata),
  },
  { title: 'NewUpload' },
)
export type NewUpload = Static<typeof NewUpload>

export const uploads = {
  list: endpoint({
    method: 'GET',
    path: '/uploads',
    scope: 'documents:read',
    summary: 'List uploads',
    ...listOf(Upload, {
      sorts: ['-created_at'],
      filters: { status: Type.Optional(AnyOf(OneOf(uploadStatuses))) },
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/uploads',
    scope: 'documents:write',
    summary: 'Create an upload',
    description:
      'Send the bytes to `put`, or each part to its own `put`. Then create a document with the source `{"type": "upload", "upload_id": …}`. `GET` shows which parts have arrived and renews the signed URLs.',
    body: NewUpload,
    success: { 201: Upload },
    fails: ['payload_too_large'],
    events: ['upload.created'],
    is_secret: true,
    example: { project_id: '{project_id}', file_name: 'lease.pdf', media_type: 'application/pdf', size_bytes: 48_213 },
  }),
  get: endpoint({
    method: 'GET',
    path: '/uploads/{upload_id}',
    scope: 'documents:read',
    summary: 'Get an upload',
    query: GetQuery,
    success: { 200: Upload },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/uploads/{upload_id}',
    scope: 'documents:write',
    summary: 'Delete an unused upload',
    success: { 204: null },
    fails: ['invalid_state'],
    events: ['upload.deleted'],
  }),
}
