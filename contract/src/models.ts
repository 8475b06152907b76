import { type Static, Type } from 'typebox'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { AnyOf, Count, Nullable, OneOf, OpenEnum, Text } from './schema.ts'

export const modelKinds = ['reader', 'embedder', 'generator', 'reranker', 'engine'] as const

export const ModelPrice = Type.Object(
  { input: Count(), output: Count() },
  { title: 'ModelPrice', description: "Price per million tokens, in millionths of the operator's currency." },
)

export const Model = Type.Object(
  {
    id: Text(1, 100, { description: 'The id that requests use.' }),
    object: Type.Unsafe<'model'>({ type: 'string', const: 'model' }),
    kind: OpenEnum(modelKinds, {
      title: 'ModelKind',
      description:
        '`reader` reads the pages of documents, `embedder` turns texts into vectors, `generator` writes text, `reranker` orders passages, ' +
        '`engine` is the built-in engine.',
    }),
    provider: Text(1, 100, { description: '`built_in`, or a provider that the operator configured.' }),
    version: Text(0, 100),
    locality: OpenEnum(['local', 'remote'], {
      description: '`remote` means that text sent to it leaves this installation.',
    }),
    capabilities: Type.Array(Text(0, 64), { maxItems: 100 }),
    languages: Type.Array(Text(0, 35), {
      maxItems: 1_000,
      description:
        'BCP 47 tags of the languages it supports; for a reader, the languages of its OCR. Empty if unknown.',
    }),
    context_tokens: Nullable(
      Count({ description: 'Context length: prompt and output together; for an embedder, its longest text.' }),
    ),
    dimensions: Nullable(Count({ description: 'Vector length of an embedder.' })),
    price: ModelPrice,
    licence: Nullable(Text(0, 200)),
    is_default: Type.Boolean({ description: 'Used when the request does not name a model.' }),
  },
  { title: 'Model', description: 'A model, reader or engine that a request can name.' },
)
export type Model = Static<typeof Model>

export const models = {
  list: endpoint({
    method: 'GET',
    path: '/models',
    scope: null,
    summary: 'List models',
    ...listOf(Model, { sorts: ['id'], filters: { kind: Type.Optional(AnyOf(OneOf(modelKinds))) } }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/models/{model_id}',
    scope: null,
    summary: 'Get a model',
    query: GetQuery,
    success: { 200: Model },
  }),
}
