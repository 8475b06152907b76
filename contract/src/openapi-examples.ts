// One example of each resource and each list, for the responses of the description. Its values are those of the
// request that creates the resource; what the server adds comes from the schema.

import { type IdMember, idMembers, operations } from './index.ts'
import type { Json } from './openapi-schemas.ts'

export const exampleId = (member: IdMember): string => `${idMembers[member]}_01h455vb4pex5vsknk084sn02q`
export const isIdMember = (name: string): name is IdMember => Object.hasOwn(idMembers, name)

/** `{project_id}` or `{new_user_id}` in an example stands for the id of a resource that exists, `{unique}` for any word. */
export function fillIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fillIn)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillIn(entry)]))
  if (typeof value !== 'string') return value
  return value
    .replaceAll('{unique}', 'first')
    .replace(/^\{(?:new_)?(\w+)\}$/, (whole, name: string) => (isIdMember(name) ? exampleId(name) : whole))
}

const isObject = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value)
const recordOf = (value: unknown): Json => (isObject(value) ? value : {})
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
}

/** `given`: the value that a request has for it. */
function exampleOf(schema: unknown, given?: unknown): unknown {
  const { type, const: constant, anyOf, oneOf, ...rest } = recordOf(schema)
  if (constant !== undefined) return constant
  const types = [type].flat()
  const isNullable = types.includes('null') || listOf(anyOf).some((branch) => recordOf(branch).type === 'null')
  if (isNullable && (given ?? null) === null) return null
  const [branch] = [...listOf(anyOf), ...listOf(oneOf)]
  if (branch !== undefined) return exampleOf(branch, given)
  const [kind] = types
  const isUsable = given !== undefined && typeof kind === 'string' && isOfType[kind]?.(given)
  if (kind === 'object') return exampleObject(rest, isUsable ? recordOf(given) : {})
  if (kind === 'array') return exampleArray(rest, isUsable ? listOf(given) : [])
  return isUsable ? given : exampleValue(kind, rest)
}

/** Optional members only if the request has them. */
function exampleObject({ properties, required, additionalProperties }: Json, given: Json): Json {
  const members = Object.entries(recordOf(properties)).filter(
    ([name]) => name in given || listOf(required).includes(name),
  )
  const known = members.map(([name, schema]): [string, unknown] => [
    name,
    exampleOf(schema, given[name] ?? (name === 'is_terminal' ? true : undefined)),
  ])
  return { ...(additionalProperties === undefined ? {} : given), ...Object.fromEntries(known) }
}

function exampleArray({ items, minItems }: Json, given: readonly unknown[]): unknown[] {
  const length = Math.max(given.length, typeof minItems === 'number' ? minItems : 0)
  return Array.from({ length }, (_, index) => exampleOf(items, given[index]))
}

/** The words of finished work. */
const TYPICAL = ['succeeded', 'ready', 'completed', 'miss']

function exampleValue(kind: unknown, schema: Json): unknown {
  const words = [...listOf(schema.examples), ...listOf(schema.enum), ...listOf(schema['x-extensible-enum'])]
  const word = TYPICAL.find((typical) => words.includes(typical)) ?? words[0]
  if (word !== undefined) return word
  if (kind === 'integer' || kind === 'number') return schema.minimum ?? 0
  if (kind === 'boolean') return false
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0
  return ''.padEnd(least, 'a')
}

const objectOf = (schema: unknown): unknown => recordOf(recordOf(recordOf(schema).properties).object).const

/** The request that creates a resource of this schema. */
function findRequest(schema: unknown): Json {
  const object = objectOf(schema)
  const create = operations.find(
    ({ endpoint }) => endpoint.method === 'POST' && endpoint.example && objectOf(endpoint.answer) === object,
  )
  return object === undefined ? {} : recordOf(create?.endpoint.example)
}

export interface ExamplePrinter {
  /** The examples of a response with this schema. */
  print(answer: unknown): Json
  /** Examples that were printed so far, sorted by name. */
  components(): Record<string, Json>
}

export function examplePrinter(): ExamplePrinter {
  const known = new Map<string, Json>()
  return {
    print(answer) {
      const { title, properties } = recordOf(answer)
      if (typeof title !== 'string') return {}
      const { items } = recordOf(recordOf(properties).data)
      const item = items && title.endsWith('List') ? fillIn(findRequest(items)) : null
      const given = item === null ? fillIn(findRequest(answer)) : { data: [item], cursor: null }
      known.set(title, { value: exampleOf(answer, given) })
      return { examples: { [title]: { $ref: `#/components/examples/${title}` } } }
    },
    components: () => Object.fromEntries([...known].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}
