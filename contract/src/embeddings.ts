import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { asked, OUTCOME_WAITS, Outcome, OutcomePatch, outcomeEvents, outcomeFilters, ProjectOfText } from './outcome.ts'
import { Count, FilterId, IdOf, Nullable, OneOf, OpenEnum, Text, WithDefault } from './schema.ts'

export const MAX_EMBEDDING_INPUTS = 256
/** A longer document is rejected, because its vectors would not fit in one response. */
export const MAX_EMBEDDED_CHUNKS = 5_000
const encodings = ['float', 'base64'] as const

const EmbeddedText = Type.Object(
  {
    index: Count(),
    vector: Type.Unsafe<number[] | string>({
      description: 'Numbers, or little-endian float32 in Base64, depending on `encoding_format`.',
    }),
    chunk_id: Nullable(IdOf('chk')),
  },
  { title: 'EmbeddedText', description: 'One vector of length 1.' },
)
export const embeddingResource = defineResource({
  title: 'Embedding',
  object: 'embedding',
  prefix: 'emb',
  description: 'Vectors of texts, or of the chunks of a document.',
  scopes: { 'embeddings:read': 'Read embeddings', 'embeddings:write': 'Create and delete embeddings' },
  events: outcomeEvents,
})

export const Embedding = Outcome(embeddingResource, {
  document_id: Nullable(IdOf('doc')),
  encoding_format: OpenEnum(encodings, { title: 'EncodingFormat' }),
  dimensions: Nullable(Count()),
  data: Type.Array(EmbeddedText, {
    maxItems: MAX_EMBEDDED_CHUNKS,
    description: 'In the order of the inputs or chunks. Empty in lists: get a single embedding to read its vectors.',
  }),
})
export type Embedding = Static<typeof Embedding>

export const NewEmbedding = Type.Object(
  {
    inputs: Type.Optional(
      Type.Array(Text(1, 32_000), { minItems: 1, maxItems: MAX_EMBEDDING_INPUTS, description: 'The texts to embed.' }),
    ),
    document_id: Type.Optional(
      IdOf('doc', {
        description:
          'A document whose chunks are embedded, instead of texts; at most 5,000 chunks, fewer with `float`.',
      }),
    ),
    project_id: ProjectOfText,
    dimensions: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 16_000,
        description: "Must equal the model's dimensions.",
      }),
    ),
    encoding_format: WithDefault(
      OneOf(encodings, { title: 'EncodingFormatChoice', description: 'Default `float`.' }),
      'float',
    ),
    ...asked,
  },
  { title: 'NewEmbedding', description: 'Send either `inputs` or `document_id`.' },
)
export type NewEmbedding = Static<typeof NewEmbedding>

export const embeddings = {
  list: endpoint({
    method: 'GET',
    path: '/embeddings',
    scope: 'embeddings:read',
    summary: 'List embeddings',
    ...listOf(Embedding, {
      sorts: ['-created_at'],
      filters: { project_id: FilterId('proj'), document_id: FilterId('doc'), ...outcomeFilters },
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/embeddings',
    scope: 'embeddings:write',
    also_needs: ['documents:read'],
    ai_base: 1,
    summary: 'Embed texts or a document',
    description: 'A built-in model embeds up to 16 texts within the request; everything else is a job.',
    is_large: true,
    body: NewEmbedding,
    success: { 201: Embedding },
    fails: ['rate_limit_exceeded'],
    events: ['embedding.created', 'embedding.succeeded'],
    may_record: ['job.queued'],
    waits: OUTCOME_WAITS,
    example: { inputs: ['The rent is 1,200 a month.'], encoding_format: 'base64', project_id: '{project_id}' },
  }),
  get: endpoint({
    method: 'GET',
    path: '/embeddings/{embedding_id}',
    scope: 'embeddings:read',
    summary: 'Get an embedding',
    query: GetQuery,
    success: { 200: Embedding },
    waits: OUTCOME_WAITS,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/embeddings/{embedding_id}',
    scope: 'embeddings:write',
    summary: 'Change the metadata of an embedding',
    body: OutcomePatch,
    success: { 200: Embedding },
    events: ['embedding.updated'],
    example: { metadata: { checked: 'yes' } },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/embeddings/{embedding_id}',
    scope: 'embeddings:write',
    summary: 'Delete an embedding',
    description: 'Also cancels its job if the job has not ended.',
    success: { 204: null },
    events: ['embedding.deleted'],
    may_record: [
      'embedding.cancelled',
      'job.cancelled',
      'job.updated',
      'job.succeeded',
      'job.partially_succeeded',
      'job.failed',
    ],
  }),
}
