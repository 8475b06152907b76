// Checks JSON in pages, in which `…` marks omissions: every member shown must exist in the API.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './pages.ts'

interface ShownJsonSchema {
  $ref?: string
  properties?: Record<string, ShownJsonSchema>
  items?: ShownJsonSchema
  anyOf?: ShownJsonSchema[]
  oneOf?: ShownJsonSchema[]
  allOf?: ShownJsonSchema[]
  additionalProperties?: unknown
  const?: unknown
  enum?: unknown[]
}

const { components } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
  components: { schemas: Record<string, ShownJsonSchema> }
}

/** A text may end with `…`; elsewhere it stands for members or items. */
const fill = (shown: string): string =>
  shown.replace(/"(?:[^"\\]|\\.)*"|,?\s*…/g, (part) => (part.startsWith('"') ? part : '')).replace(/([[{])\s*,/g, '$1')

function resolve(schema: ShownJsonSchema): ShownJsonSchema[] {
  const name = schema.$ref?.split('/').at(-1)
  const own = name === undefined ? schema : (components.schemas[name] ?? {})
  return [own, ...[...(own.anyOf ?? []), ...(own.oneOf ?? []), ...(own.allOf ?? [])].flatMap(resolve)]
}

function unknownIn(value: unknown, schema: ShownJsonSchema, path: string): string[] {
  const forms = resolve(schema)
  if (Array.isArray(value)) {
    const items = forms.find((form) => form.items)?.items
    return items ? value.flatMap((item) => unknownIn(item, items, path)) : []
  }
  const known = forms.filter((form) => form.properties)
  if (typeof value !== 'object' || value === null || known.length === 0) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const there = `${path}${path && '.'}${name}`
    const found = known.find((form) => form.properties?.[name])?.properties?.[name]
    return found ? unknownIn(member, found, there) : [there]
  })
}

/** Finds the schemas by the value's `object`: a secret is in the response that creates a resource. Errors have none. */
function schemaOf(value: object): ShownJsonSchema | undefined {
  if ('request_id' in value) return components.schemas['ErrorResponse']
  if (!('object' in value)) return undefined
  const anyOf = Object.values(components.schemas).filter(({ properties }) => {
    const { const: only, enum: words } = properties?.['object'] ?? {}
    return only === value.object || words?.[0] === value.object
  })
  return anyOf.length > 0 ? { anyOf } : undefined
}

/** Throws if the text is not valid JSON. A value that is not an API resource is only parsed. */
export function unknownMembers(shown: string): string[] {
  const value: unknown = JSON.parse(fill(shown))
  if (typeof value !== 'object' || value === null) return []
  const schema = schemaOf(value)
  if ('object' in value && !schema) return [`object '${String(value.object)}'`]
  return schema ? unknownIn(value, schema, '') : []
}
