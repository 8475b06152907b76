import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { Count, FilterId, IdOf, MAX_INTEGER, Nullable, Text } from './schema.ts'

export const ExpandedText = Nullable(
  Text(0, 4_000, {
    description:
      "The text with each row of a table as `header: value; header: value`, below the table's caption; null if the chunk has no table. Search indexes it. Citations and positions refer to `text`.",
  }),
)

export const chunkResource = defineResource({
  title: 'Chunk',
  object: 'chunk',
  prefix: 'chk',
  description: 'A part of one page, as search and models use it. It never crosses the end of a page.',
  scopes: {},
  events: [],
})

export const Chunk = Type.Object(
  {
    id: IdOf(chunkResource.prefix),
    object: Type.Unsafe<'chunk'>({ type: 'string', const: chunkResource.object }),
    document_id: IdOf('doc'),
    page_id: IdOf('page'),
    page_number: Type.Integer({ minimum: 1, maximum: MAX_INTEGER }),
    position: Type.Integer({
      minimum: 0,
      maximum: MAX_INTEGER,
      description: 'The order of the chunks within a document; the numbers have gaps.',
    }),
    start: Count({ description: 'Start in the text of the page, in Unicode code points.' }),
    end: Count({ description: 'End in the text of the page, in Unicode code points.' }),
    text: Text(0, 4_000),
    heading_path: Type.Array(Text(0, 300), {
      maxItems: 9,
      description: 'The headings above it, outermost first.',
    }),
    expanded_text: ExpandedText,
    token_count: Count({ description: 'Number of tokens, counted with the o200k tokenizer.' }),
  },
  { title: chunkResource.title, description: chunkResource.description },
)
export type Chunk = Static<typeof Chunk>

export const chunks = {
  list: endpoint({
    method: 'GET',
    path: '/documents/{document_id}/chunks',
    scope: 'documents:read',
    summary: 'List the chunks of a document',
    ...listOf(Chunk, { sorts: ['position'], key: 'position', filters: { page_id: FilterId('page') } }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/documents/{document_id}/chunks/{chunk_id}',
    scope: 'documents:read',
    summary: 'Get a chunk',
    description: 'Correcting a page replaces its chunks, so the id of an earlier chunk is then 404.',
    query: GetQuery,
    success: { 200: Chunk },
  }),
}
