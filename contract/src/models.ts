import { type Static, Type } from 'typebox'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { Count, Nullable, OneOf, OpenEnum, Text } from './schema.ts'

export const modelKinds = ['reader', 'embedder', 'generator', 'reranker', 'engine'] as const

export const ModelPrice = Type.Object(
  { input: Count(), output: Count() },
  { title: 'ModelPrice', description: "Millionths of the operator's currency for a million tokens." },
)

export const Model = Type.Object(
  {
    id: Text(1, 100, { description: 'What a request names it by.' }),
    object: Type.Unsafe<'model'>({ type: 'string', const: 'model' }),
    kind: OpenEnum(modelKinds, {
      title: 'ModelKind',
      description:
        '`reader` reads the pages of documents, `embedder` turns texts into vectors, `generator` writes, `reranker` orders passages, ' +
        '`engine` is what this server does without any of them.',
    }),
    provider: Text(1, 100, { description: 'Who runs it: `built_in`, or a name of the operator.' }),
    version: Text(0, 100),
    locality: OpenEnum(['local', 'remote'], { description: '`remote`: what it is given leaves this installation.' }),
    capabilities: Type.Array(Text(0, 64), { maxItems: 100 }),
    languages: Type.Array(Text(0, 35), {
      maxItems: 1_000,
      description:
        'BCP 47 tags of what it is made for; of a reader, whose text it recognises in pictures. Empty: it does not say.',
    }),
    context_tokens: Nullable(
      Count({ description: 'What fits into one question and its answer; of an embedder, its longest text.' }),
    ),
    dimensions: Nullable(Count({ description: 'Length of the vectors of an embedder.' })),
    price: ModelPrice,
    licence: Nullable(Text(0, 200)),
    is_default: Type.Boolean({ description: 'Taken where a request that needs one of its kind names none.' }),
  },
  { title: 'Model', description: 'Something that reads or answers, and that a request can name.' },
)
export type Model = Static<typeof Model>

export const models = {
  list: endpoint({
    method: 'GET',
    path: '/models',
    scope: null,
    summary: 'List what a request can name',
    ...listOf(Model, { sorts: ['id'], filters: { kind: Type.Optional(OneOf(modelKinds)) } }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/models/{model_id}',
    scope: null,
    summary: 'Get one of them',
    query: GetQuery,
    success: { 200: Model },
  }),
}
