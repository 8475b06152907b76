// Prints the contract's schemas as components of an OpenAPI description: every titled schema once, by its title.

export type Json = Record<string, unknown>

const schemaKeys = ['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else']
const schemaListKeys = ['oneOf', 'anyOf', 'allOf', 'prefixItems']

export interface SchemaPrinter {
  /** The schema as printed in the OpenAPI document: a `$ref` if it has a title. */
  print(schema: unknown): Json
  /** Schemas hoisted so far, sorted by name. */
  components(): Record<string, Json>
}

const isObject = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value)

/** Drops our own keywords, except `x-extensible-enum`, which diff tools understand. */
const isPrinted = (key: string): boolean => key !== 'title' && (key === 'x-extensible-enum' || !key.startsWith('x-'))

const mapValues = (value: Json, change: (entry: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, change(entry)]))

/** The mapping is added here and not in the contract: Ajv refuses it. */
function printUnion(schema: Json, print: (schema: unknown) => Json): Json {
  const { propertyName } = schema.discriminator as { propertyName: string }
  const branches = schema.oneOf as { properties: Record<string, { const: string }> }[]
  const references = branches.map(print)
  const mapping = branches.map((branch, index) => [branch.properties[propertyName]?.const, references[index]?.$ref])
  return {
    ...(schema.description === undefined ? {} : { description: schema.description }),
    oneOf: references,
    discriminator: { propertyName, mapping: Object.fromEntries(mapping) as Json },
  }
}

export function schemaPrinter(): SchemaPrinter {
  const hoisted = new Map<string, Json>()

  function printKey(key: string, value: unknown): unknown {
    if (key === 'properties' && isObject(value)) return mapValues(value, print)
    if (schemaKeys.includes(key) && isObject(value)) return print(value)
    if (schemaListKeys.includes(key) && Array.isArray(value)) return value.map(print)
    return value
  }

  function printBare(schema: Json): Json {
    if (schema.discriminator !== undefined) return printUnion(schema, print)
    const entries = Object.entries(schema).filter(([key]) => isPrinted(key))
    return Object.fromEntries(entries.map(([key, value]) => [key, printKey(key, value)]))
  }

  function print(schema: unknown): Json {
    if (!isObject(schema)) throw new Error(`A schema must be an object, not ${JSON.stringify(schema)}.`)
    // The default belongs to the member, not to the type that it shares with others.
    const { default: value, ...shared } = schema
    if (typeof schema.title !== 'string') return printBare(schema)
    const bare = printBare(shared)
    const known = hoisted.get(schema.title)
    if (known && JSON.stringify(known) !== JSON.stringify(bare))
      throw new Error(`Two different schemas have the title '${schema.title}'.`)
    hoisted.set(schema.title, bare)
    return { $ref: `#/components/schemas/${schema.title}`, ...(value === undefined ? {} : { default: value }) }
  }

  const components = () => Object.fromEntries([...hoisted].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { print, components }
}
