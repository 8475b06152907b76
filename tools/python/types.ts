// Prints schemas of the description as Python: pydantic models for responses, TypedDicts for requests.

export interface PythonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  'x-extensible-enum'?: unknown[]
  oneOf?: PythonSchema[]
  anyOf?: PythonSchema[]
  items?: PythonSchema
  properties?: Record<string, PythonSchema>
  required?: string[]
  additionalProperties?: PythonSchema | false
  description?: string
}

/** `model`: the type of a response. `param`: the type of a request, which accepts any sequence or mapping. */
export type PythonKind = 'model' | 'param'

const baseTypes: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

const literal = (value: unknown): string => (value === true ? 'True' : JSON.stringify(value))
const literals = (values: readonly unknown[]): string => `Literal[${values.map(literal).join(', ')}]`

export const docstring = (text: string | undefined, indent: string): string =>
  text ? `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ')}"""\n` : ''

function stringType(schema: PythonSchema, kind: PythonKind): string[] {
  if (schema['x-extensible-enum']) return [literals(schema['x-extensible-enum']), 'str']
  if (schema.format === 'date-time') return kind === 'model' ? ['datetime'] : ['datetime', 'str']
  return ['str']
}

function objectType(schema: PythonSchema, kind: PythonKind): string {
  if (schema.properties) throw new Error('An object inside another one needs a title.')
  const values = schema.additionalProperties ? typeOf(schema.additionalProperties, kind) : 'Any'
  return `${kind === 'model' ? 'dict' : 'Mapping'}[str, ${values}]`
}

/** The alternatives of a type, for a union. */
function alternatives(schema: PythonSchema, kind: PythonKind): string[] {
  if (schema.$ref !== undefined) return [schema.$ref.split('/').at(-1) ?? '']
  if (schema.const !== undefined) return [literals([schema.const])]
  if (schema.enum) return [literals(schema.enum)]
  const union = schema.oneOf ?? schema.anyOf
  if (union) return union.flatMap((member) => alternatives(member, kind))
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return ['Any']
  return types.flatMap((type) => {
    if (type === 'string') return stringType(schema, kind)
    if (type === 'array') return [`${kind === 'model' ? 'list' : 'Sequence'}[${typeOf(schema.items ?? {}, kind)}]`]
    return [type === 'object' ? objectType(schema, kind) : (baseTypes[type] ?? 'Any')]
  })
}

export const typeOf = (schema: PythonSchema, kind: PythonKind): string =>
  [...new Set(alternatives(schema, kind))].join(' | ')

function printMember(name: string, member: PythonSchema, kind: PythonKind, isRequired: boolean): string {
  const type = typeOf(member, kind)
  const optional = kind === 'model' ? `${type} | None = None` : `NotRequired[${type}]`
  return `    ${name}: ${isRequired ? type : optional}\n${docstring(member.description, '    ')}`
}

export function printPythonType(name: string, schema: PythonSchema, kind: PythonKind): string {
  if (!schema.properties) {
    const text = schema.description ? `#: ${schema.description}\n` : ''
    return `${text}${name}: TypeAlias = ${typeOf(schema, kind)}\n`
  }
  const members = Object.entries(schema.properties).map(([member, type]) =>
    printMember(member, type, kind, schema.required?.includes(member) ?? false),
  )
  const heading = `class ${name}(${kind === 'model' ? 'OctavoModel' : 'TypedDict'}):\n${docstring(schema.description, '    ')}`
  return `${heading}${schema.description ? '\n' : ''}${members.join('')}`
}

/** The names that a schema refers to. */
export function namesIn(schema: PythonSchema): string[] {
  const inner = [
    ...(schema.oneOf ?? []),
    ...(schema.anyOf ?? []),
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.additionalProperties ? [schema.additionalProperties] : []),
  ]
  return [...(schema.$ref === undefined ? [] : [schema.$ref.split('/').at(-1) ?? '']), ...inner.flatMap(namesIn)]
}
