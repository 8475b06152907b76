// Rules for the contract's schemas and paths, so that validation is mechanical (400 or 422) and common client
// generators accept the description. Run as a script, it checks the whole contract.

import { type Endpoint, MAX_INTEGER, operations, scopes } from '../contract/src/index.ts'
import { type Description, describe } from '../contract/src/openapi.ts'
import { isClosedUnion, type SchemaWalkPlace, type SchemaWalkSchema, walk } from './schema-walk.ts'

export interface Violation {
  rule: string
  where: string
}
type SchemaRule = (schema: SchemaWalkSchema, place: SchemaWalkPlace) => boolean

const isSnake = (name: string): boolean => /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)
const isKebab = (name: string): boolean => /^[a-z][a-z0-9]*(-[a-z0-9]+)*(\.json)?$/.test(name)
const typesOf = (schema: SchemaWalkSchema): string[] => [schema.type ?? []].flat()
const has = (schema: SchemaWalkSchema, type: string): boolean => typesOf(schema).includes(type)
const isNullReference = ({ anyOf = [] }: SchemaWalkSchema): boolean =>
  anyOf.length === 2 && anyOf.some(({ title }) => title !== undefined) && anyOf.some(({ type }) => type === 'null')
const isNamed = ({ title }: SchemaWalkSchema): boolean => typeof title === 'string' && /^[A-Z][A-Za-z0-9]*$/.test(title)

/** Each is true where the schema breaks the rule. Booleans stand for schemas only in `boolean_schema`. */
export const schemaRules: Record<string, SchemaRule> = {
  // Requests: a combination of schemas reports the errors of the branch that was not meant.
  combined_request_schema: (schema, place) =>
    place.isRequest && ['anyOf', 'allOf', 'not', 'if', 'oneOf'].some((key) => key in schema) && !isClosedUnion(schema),
  nullable_keyword: (schema) => 'nullable' in schema,
  open_request_object: (schema, place) =>
    place.isRequest && has(schema, 'object') && !isClosedUnion(schema) && schema.additionalProperties === undefined,
  unbounded_string: (schema, place) =>
    place.isRequest &&
    has(schema, 'string') &&
    schema.maxLength === undefined &&
    !schema.enum &&
    schema.const === undefined,
  unbounded_array: (schema, place) => place.isRequest && has(schema, 'array') && schema.maxItems === undefined,
  unbounded_map: (schema, place) =>
    place.isRequest &&
    has(schema, 'object') &&
    typeof schema.additionalProperties === 'object' &&
    schema.maxProperties === undefined,
  unbounded_integer: (schema, place) =>
    place.isRequest && has(schema, 'integer') && !(schema.maximum !== undefined && schema.maximum <= MAX_INTEGER),
  // Answers: clients must tolerate new members.
  closed_answer_object: (schema, place) => !place.isRequest && schema.additionalProperties === false,
  // Names
  member_not_snake_case: (schema) => Object.keys(schema.properties ?? {}).some((name) => !isSnake(name)),
  bad_title: (schema) => schema.title !== undefined && !isNamed(schema),
  unnamed_object: (schema, place) => schema.properties !== undefined && !isNamed(schema) && !place.isQuery,
  unnamed_enum: (schema, place) => schema.enum !== undefined && !isNamed(schema) && !place.isQuery,
  // Generators
  boolean_schema: (schema) => typeof schema === 'boolean',
  type_list: (schema) =>
    Array.isArray(schema.type) && !(schema.type.length === 2 && schema.type[1] === 'null' && schema.type[0] !== 'null'),
  const_without_type: (schema) =>
    (schema.const !== undefined || schema.enum !== undefined) && schema.type === undefined,
  nullable_enum: (schema) => has(schema, 'null') && (schema.enum !== undefined || isNamed(schema)),
  any_of_without_reference: (schema) => schema.anyOf !== undefined && !isNullReference(schema),
  one_of_without_discriminator: (schema) => schema.oneOf !== undefined && !isClosedUnion(schema),
  mapped_discriminator: (schema) => schema.discriminator?.mapping !== undefined,
  tuple: (schema) => schema.prefixItems !== undefined || Array.isArray(schema.items),
}

const success: Record<string, number> = { GET: 200, POST: 201, PUT: 200, PATCH: 200, DELETE: 204 }
const segmentsOf = (endpoint: Endpoint): string[] => endpoint.path.split('/').slice(1)
const isParam = (segment: string): boolean => segment.startsWith('{')

export const endpointRules: Record<string, (endpoint: Endpoint) => boolean> = {
  nested_too_deep: (endpoint) => segmentsOf(endpoint).filter((segment) => !isParam(segment)).length > 2,
  path_not_kebab_case: (endpoint) => segmentsOf(endpoint).some((segment) => !isParam(segment) && !isKebab(segment)),
  param_not_snake_case: (endpoint) =>
    segmentsOf(endpoint).some((segment) => isParam(segment) && !isSnake(segment.slice(1, -1))),
  unknown_scope: (endpoint) => endpoint.scope !== null && !Object.hasOwn(scopes, endpoint.scope),
  write_without_scope: (endpoint) => endpoint.scope === null && endpoint.method !== 'GET',
  wrong_success_status: (endpoint) =>
    endpoint.status !== success[endpoint.method] || (endpoint.status === 204) !== (endpoint.answer === null),
  misplaced_body: (endpoint) => (endpoint.body !== null) !== ['POST', 'PUT', 'PATCH'].includes(endpoint.method),
  missing_example: (endpoint) => endpoint.body !== null && endpoint.example === null,
  missing_summary: (endpoint) => endpoint.summary === '' || endpoint.summary.endsWith('.'),
}

export function checkOperation(name: string, endpoint: Endpoint): Violation[] {
  const found = Object.entries(endpointRules)
    .filter(([, isBroken]) => isBroken(endpoint))
    .map(([rule]) => ({ rule, where: name }))
  for (const { schema, place } of walk(name, endpoint)) {
    for (const [rule, isBroken] of Object.entries(schemaRules)) {
      const applies = typeof schema === 'object' || rule === 'boolean_schema'
      if (applies && isBroken(schema, place)) found.push({ rule, where: place.where })
    }
  }
  return found
}

/** Rules that apply only to the generated description. */
export function checkDescription(description: Description): Violation[] {
  return Object.entries(description.paths).flatMap(([path, members]) =>
    Object.entries(members).flatMap(([method, { security, responses }]) => {
      const where = `${method.toUpperCase()} ${path}`
      return [
        ...(security.some((entry) => 'bearer' in entry) ? [] : [{ rule: 'no_security', where }]),
        ...(responses.default ? [] : [{ rule: 'no_default_response', where }]),
      ]
    }),
  )
}

if (import.meta.main) {
  const found = [
    ...operations.flatMap(({ name, endpoint }) => checkOperation(name, endpoint)),
    ...checkDescription(describe({ version: '0.0.0' })),
  ]
  for (const { rule, where } of found) console.error(`${rule}: ${where}`)
  console.log(`${operations.length} operations, ${found.length} violations`)
  process.exitCode = found.length > 0 || operations.length === 0 ? 1 : 0
}
