// Every schema of an endpoint with its location.

import type { Endpoint } from '../contract/src/index.ts'

export interface SchemaWalkSchema {
  title?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  oneOf?: SchemaWalkSchema[]
  anyOf?: SchemaWalkSchema[]
  discriminator?: { propertyName: string; mapping?: unknown }
  properties?: Record<string, SchemaWalkSchema>
  additionalProperties?: SchemaWalkSchema | boolean
  items?: SchemaWalkSchema | SchemaWalkSchema[]
  prefixItems?: SchemaWalkSchema[]
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  maximum?: number
}
export interface SchemaWalkPlace {
  where: string
  isRequest: boolean
  isQuery: boolean
}
interface SchemaAt {
  schema: SchemaWalkSchema
  place: SchemaWalkPlace
}

/** The only union that a request may contain: named branches with a constant string as discriminator. */
export function isClosedUnion(schema: SchemaWalkSchema): boolean {
  const tag = schema.discriminator?.propertyName
  if (tag === undefined || !schema.oneOf || schema.anyOf) return false
  return schema.oneOf.every((branch) => {
    const member = branch.properties?.[tag]
    return branch.title !== undefined && member?.type === 'string' && typeof member.const === 'string'
  })
}

/** `propertyNames` is left out: it is bounded by a pattern, so that a bad key is reported as its format. */
function childrenOf(schema: SchemaWalkSchema): [string, SchemaWalkSchema][] {
  const lists = { oneOf: schema.oneOf, anyOf: schema.anyOf, prefixItems: schema.prefixItems }
  return [
    ...Object.entries(schema.properties ?? {}),
    ...Object.entries(lists).flatMap(([key, list]) =>
      (list ?? []).map((child, index): [string, SchemaWalkSchema] => [`${key}[${index}]`, child]),
    ),
    ...[schema.items ?? []].flat().map((child): [string, SchemaWalkSchema] => ['[]', child]),
    // `false` closes an object; every other value is a schema.
    ...(schema.additionalProperties === undefined || schema.additionalProperties === false
      ? []
      : [['{}', schema.additionalProperties] as [string, SchemaWalkSchema]]),
  ]
}

function* below(schema: SchemaWalkSchema, place: SchemaWalkPlace): Generator<SchemaAt> {
  yield { schema, place }
  if (typeof schema !== 'object') return
  for (const [key, child] of childrenOf(schema)) yield* below(child, { ...place, where: `${place.where}.${key}` })
}

export function* walk(name: string, endpoint: Endpoint): Generator<SchemaAt> {
  const parts = [
    { part: 'query', schema: endpoint.query, isRequest: true, isQuery: true },
    { part: 'body', schema: endpoint.body, isRequest: true, isQuery: false },
    { part: 'answer', schema: endpoint.answer, isRequest: false, isQuery: false },
  ]
  for (const { part, schema, isRequest, isQuery } of parts) {
    if (schema) yield* below(schema, { where: `${name} ${part}`, isRequest, isQuery })
  }
}
