import { type Static, Type } from 'typebox'
import { FileName, MediaType } from './documents.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import {
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
    url: Text(0, 4_000, { description: 'Takes the bytes by one PUT, without the API key. Whoever has it can use it.' }),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 1_000 },
      description: 'To be sent with the PUT as they are.',
    }),
  },
  { title: 'SignedPut', description: 'Where the bytes go.' },
)
const UploadPart = Type.Object(
  {
    number: Type.Integer({ minimum: 1, maximum: MAX_PARTS }),
    offset: Count({ description: 'Where it begins in the file.' }),
    size_bytes: Count(),
    is_received: Type.Boolean({ description: 'It has come; it may be sent again.' }),
    put: SignedPut,
  },
  { title: 'UploadPart', description: 'One piece of a large file.' },
)

export const Upload = Resource(
  {
    title: 'Upload',
    object: 'upload',
    prefix: 'upl',
    description: 'A file on its way in. Once its bytes have come, `POST /documents` makes a document of it.',
  },
  {
    project_id: Nullable(IdOf('proj', { description: 'Who sees the upload; the document may be of another project.' })),
    file_name: FileName,
    media_type: MediaType,
    size_bytes: Type.Integer({ minimum: 1, maximum: MAX_INTEGER }),
    sha256: Nullable(
      Text(64, 64, { pattern: '^[0-9a-f]{64}$', description: 'Of the bytes; what comes is compared with it.' }),
    ),
    status: OpenEnum(uploadStatuses, { title: 'UploadStatus', description: '`completed`: a document was made of it.' }),
    expires_at: Timestamp({ description: 'Unused until then, it is deleted.' }),
    document_id: Nullable(IdOf('doc')),
    put: NullableRef(SignedPut),
    parts: Type.Array(UploadPart, {
      maxItems: MAX_PARTS,
      description:
        'Of a file over 64 MiB, instead of `put`. Only where one upload is read, not in lists, and only for who may write.',
    }),
  },
)
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
      filters: { status: Type.Optional(Type.Unsafe<string>({ ...OneOf(uploadStatuses), 'x-comma-list': true })) },
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/uploads',
    scope: 'documents:write',
    summary: 'Begin an upload',
    description:
      'Send the bytes to `put`, or each part to its own, and then create a document with the source `{"type": "upload", "upload_id": …}`. `GET` tells which parts have come and signs them anew.',
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
    summary: 'Delete an upload that was not used',
    success: { 204: null },
    fails: ['invalid_state'],
    events: ['upload.deleted'],
  }),
}
