import { type Static, Type } from 'typebox'
import { endpoint, GetQuery } from './endpoint.ts'
import { Count, IdOf, Nullable, OpenEnum, Resource, Text, Timestamp } from './schema.ts'

export const fileKinds = ['original', 'page_image', 'report'] as const

export const File = Resource(
  {
    title: 'File',
    object: 'file',
    prefix: 'file',
    description: 'Stored bytes: a document as it came, the picture of a page, or a report.',
  },
  {
    project_id: Nullable(IdOf('proj')),
    document_id: Nullable(IdOf('doc', { description: 'null: it is a report.' })),
    report_id: Nullable(IdOf('rep', { description: 'Of a report; whoever reads its file also needs `reports:read`.' })),
    kind: OpenEnum(fileKinds, { title: 'FileKind' }),
    file_name: Text(1, 255),
    media_type: Text(1, 255),
    size_bytes: Count(),
    sha256: Nullable(
      Text(0, 64, { description: 'Of the bytes, in hexadecimal; null until they have been read once.' }),
    ),
  },
)
export type File = Static<typeof File>

export const FileLink = Type.Object(
  {
    id: IdOf('file'),
    object: Type.Unsafe<'file_link'>({ type: 'string', const: 'file_link' }),
    url: Text(0, 4_000, { description: 'Gives the bytes to whoever has it, as long as the file is there.' }),
    expires_at: Timestamp(),
  },
  { title: 'FileLink', description: 'A link to the bytes of a file for a short time.' },
)
export type FileLink = Static<typeof FileLink>

export const files = {
  get: endpoint({
    method: 'GET',
    path: '/files/{file_id}',
    scope: 'documents:read',
    summary: 'Get what is known of a file',
    query: GetQuery,
    success: { 200: File },
  }),
  contents: endpoint({
    method: 'GET',
    path: '/files/{file_id}/contents',
    scope: 'documents:read',
    summary: 'Get the bytes of a file',
    description:
      'Answers the bytes as an attachment; one `Range` of them with 206. With `Accept: application/json` it answers a link that works for five minutes without the API key.',
    success: { 200: FileLink },
    fails: ['range_not_satisfiable'],
    is_bytes: true,
  }),
}
