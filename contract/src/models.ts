import { type Static, Type } from 'typebox'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { OneOf, OpenEnum, Text } from './schema.ts'

export const modelKinds = ['reader'] as const

export const Model = Type.Object(
  {
    id: Text(1, 100, { description: 'What a request names it by.' }),
    object: Type.Unsafe<'model'>({ type: 'string', const: 'model' }),
    kind: OpenEnum(modelKinds, { title: 'ModelKind', description: '`reader`: reads the pages of documents.' }),
    version: Text(0, 100),
    locality: OpenEnum(['local', 'remote'], { description: '`remote`: pages leave this server.' }),
    capabilities: Type.Array(Text(0, 64), { maxItems: 100 }),
    languages: Type.Array(Text(0, 35), {
      maxItems: 1_000,
      description: 'Whose text it recognises in pictures, as BCP 47 tags; empty: it does not say.',
    }),
    is_default: Type.Boolean(),
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
