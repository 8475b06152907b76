// Prints the schemas of the description as plain TypeScript.

import type { Json } from '../contract/src/openapi-schemas.ts'

interface SdkTypesSchema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  'x-extensible-enum'?: unknown[]
  oneOf?: SdkTypesSchema[]
  anyOf?: SdkTypesSchema[]
  items?: SdkTypesSchema
  properties?: Record<string, SdkTypesSchema>
  required?: string[]
  additionalProperties?: SdkTypesSchema | false
  description?: string
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)
const baseTypes: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

export const comment = (text: string | undefined, indent = ''): string =>
  text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : ''

/** A closed object belongs to a request, where an undefined member is the same as an absent one. */
function members(schema: SdkTypesSchema, indent: string): string {
  const absent = schema.additionalProperties === false ? ' | undefined' : ''
  return Object.entries(schema.properties ?? {})
    .map(([name, member]) => {
      const isRequired = schema.required?.includes(name) ?? false
      return `${comment(member.description, indent)}${indent}${name}${isRequired ? '' : '?'}: ${typeOf(member)}${isRequired ? '' : absent}\n`
    })
    .join('')
}

function objectType(schema: SdkTypesSchema): string {
  if (schema.properties) return `{ ${members(schema, '').trim().replaceAll('\n', '; ')} }`
  return schema.additionalProperties
    ? `Record<string, ${typeOf(schema.additionalProperties)}>`
    : 'Record<string, unknown>'
}

/** The alternatives of a type, for a union. */
function alternatives(schema: SdkTypesSchema): string[] {
  if (schema.$ref !== undefined) return [schema.$ref.split('/').at(-1) ?? '']
  if (schema.const !== undefined) return [literal(schema.const)]
  if (schema.enum) return schema.enum.map(literal)
  const union = schema.oneOf ?? schema.anyOf
  if (union) return union.flatMap(alternatives)
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return ['unknown']
  return types.flatMap((type) => {
    if (type === 'string' && schema['x-extensible-enum'])
      return [...schema['x-extensible-enum'].map(literal), '(string & {})']
    if (type === 'array') return [arrayOf(typeOf(schema.items ?? {}))]
    return [type === 'object' ? objectType(schema) : (baseTypes[type] ?? 'unknown')]
  })
}

const arrayOf = (item: string): string => (/[ |&]/.test(item) ? `(${item})[]` : `${item}[]`)

function typeOf(schema: SdkTypesSchema): string {
  return alternatives(schema).join(' | ')
}

export function printType(name: string, component: Json): string {
  const schema = component as SdkTypesSchema
  const heading = comment(schema.description)
  if (schema.properties) return `${heading}export interface ${name} {\n${members(schema, '  ')}}\n`
  const parts = alternatives(schema)
  const oneLine = parts.join(' | ')
  return `${heading}export type ${name} =${oneLine.length > 100 ? parts.map((part) => `\n  | ${part}`).join('') : ` ${oneLine}`}\n`
}

/** The query of an operation. A comma list takes one value or several. */
export function printQuery(name: string, parameters: readonly Json[]): string {
  const lines = parameters.map((parameter) => {
    const schema = parameter.schema as SdkTypesSchema
    const item = schema.items && typeOf(schema.items)
    const type = item === undefined ? typeOf(schema) : `OneOrMore<${item}>`
    const isRequired = parameter.required === true
    const text = comment(parameter.description as string | undefined, '  ')
    return `${text}  ${String(parameter.name)}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'}\n`
  })
  return `export interface ${name} {\n${lines.join('')}}\n`
}
