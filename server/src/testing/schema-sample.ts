// A value that satisfies a JSON Schema, for a server of models that does not think.

interface SampleSchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: SampleSchema[]
  oneOf?: SampleSchema[]
  properties?: Record<string, SampleSchema>
  required?: string[]
  items?: SampleSchema
  minItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** Texts are `quote`, as far as they may be so long. */
export function sampleOf(given: object, quote: string): unknown {
  const schema = given as SampleSchema
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return sampleOf(first, quote)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, one]) => [name, sampleOf(one, quote)]),
    )
  if (type === 'array')
    return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => sampleOf(schema.items ?? {}, quote))
  if (type === 'integer' || type === 'number') return Math.min(schema.maximum ?? 1, Math.max(schema.minimum ?? 0, 1))
  if (type === 'boolean') return true
  if (type === 'null') return null
  return quote.slice(0, schema.maxLength ?? 200).padEnd(schema.minLength ?? 0, 'x')
}
