// Checks the schemas for extraction. A schema comes from a request, so nothing in it may be fetched or take long.

import { isOneOf, messageOf } from '@octavo/base/unknown.ts'
import type { DetailCode } from '@octavo/contract'
import { compileSchema, DROPPED, FORMATS, LISTS, type Schema } from './analysis.shaping.rules.ts'

interface SchemaProblem {
  /** From the root of the schema. */
  path: string[]
  code: DetailCode
  message: string
}

const MAX_BYTES = 64 * 1024
const MAX_PROPERTIES = 500
const MAX_DEPTH = 10
const MAX_ALTERNATIVES = 20
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
const LOCAL = /^#\/\$defs\/([\w.-]{1,100})$/

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isCount = (value: unknown): boolean => isNumber(value) && Number.isSafeInteger(value) && value >= 0
const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isScalar = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value)
const isType = (value: unknown): boolean => {
  const types = [value].flat()
  return types.length > 0 && types.every((type) => isOneOf(TYPES, type)) && new Set(types).size === types.length
}

/** Keywords that hold a plain value, and what it must be. */
const PLAIN: Record<string, readonly [is: (value: unknown) => boolean, must: string]> = {
  type: [isType, `Must be one of ${TYPES.join(', ')}, or a list of them.`],
  required: [(value) => Array.isArray(value) && value.every(isText), 'Must be a list of names.'],
  enum: [
    (value) => Array.isArray(value) && value.length > 0 && value.every(isScalar),
    'Must be a list of strings, numbers, true, false and null.',
  ],
  const: [isScalar, 'Must be a string, a number, true, false or null.'],
  format: [(value) => isOneOf(FORMATS, value), `Must be one of ${FORMATS.join(', ')}.`],
  uniqueItems: [isFlag, 'Must be true or false.'],
  multipleOf: [(value) => isNumber(value) && value > 0, 'Must be a number greater than 0.'],
  ...Object.fromEntries(
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((key) => [key, [isNumber, 'Must be a number.']]),
  ),
  ...Object.fromEntries(
    ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((key) => [
      key,
      [isCount, 'Must be a whole number, 0 or more.'],
    ]),
  ),
  ...Object.fromEntries(['title', 'description'].map((key) => [key, [isText, 'Must be a string.']])),
}
const PATTERNS = 'Patterns are not supported. Use `format` or `enum`, or check the values yourself.'
const HINTS: Record<string, string> = {
  pattern: PATTERNS,
  patternProperties: PATTERNS,
  definitions: 'Write `$defs` instead.',
  nullable: 'Write `"type": ["string", "null"]` instead.',
  prefixItems: 'Tuples are not supported. Use an object with a property for each position.',
}

class SchemaRefusal extends Error {
  readonly problem: SchemaProblem
  constructor(path: string[], code: DetailCode, message: string) {
    super(message)
    this.problem = { path, code, message }
  }
}

/** null: values can be extracted by it. */
export function findSchemaProblem(schema: Schema): SchemaProblem | null {
  try {
    if (Buffer.byteLength(JSON.stringify(schema)) > MAX_BYTES)
      throw new SchemaRefusal([], 'too_long', 'Must have at most 64 KiB.')
    if (schema.type !== 'object')
      throw new SchemaRefusal(['type'], 'not_allowed_value', 'Must be `object`. Wrap your schema in an object.')
    if (!isObject(schema.properties) || Object.keys(schema.properties).length === 0)
      throw new SchemaRefusal(['properties'], 'required', 'Must have at least one property.')
    new SchemaWalk(schema).start()
    compileSchema(schema)
    return null
  } catch (error) {
    if (error instanceof SchemaRefusal) return error.problem
    return {
      path: [],
      code: 'invalid_format',
      message: `Not a valid JSON Schema: ${messageOf(error).slice(0, 300)}.`,
    }
  }
}

class SchemaWalk {
  private readonly root: Schema
  private readonly defs: Record<string, unknown>
  /** Depth of each definition; null while it is being measured. */
  private readonly depths = new Map<string, number | null>()
  private properties = 0

  constructor(root: Schema) {
    this.root = root
    this.defs = isObject(root.$defs) ? root.$defs : {}
  }

  start(): void {
    if (this.root.$defs !== undefined && !isObject(this.root.$defs))
      throw new SchemaRefusal(['$defs'], 'invalid_type', 'Must be an object.')
    const depth = this.depthOf(this.root, [])
    for (const name of Object.keys(this.defs)) this.depthOfDefinition(name, ['$defs', name])
    if (depth > MAX_DEPTH) throw new SchemaRefusal([], 'too_large', `Must not be deeper than ${MAX_DEPTH} levels.`)
  }

  /** How many levels of objects and lists the values have. */
  private depthOf(schema: unknown, path: string[]): number {
    if (!isObject(schema)) throw new SchemaRefusal(path, 'invalid_type', 'Must be an object.')
    let depth = 0
    for (const [key, value] of Object.entries(schema)) {
      depth = Math.max(depth, this.keyword(key, value, [...path, key]))
      if (path.length > 4 * MAX_DEPTH)
        throw new SchemaRefusal(path, 'too_large', `Must not be deeper than ${MAX_DEPTH} levels.`)
    }
    return depth
  }

  private keyword(key: string, value: unknown, path: string[]): number {
    const plain = Object.hasOwn(PLAIN, key) ? PLAIN[key] : undefined
    if (plain) {
      if (!plain[0](value)) throw new SchemaRefusal(path, 'not_allowed_value', plain[1])
      return 0
    }
    if (DROPPED.has(key) || (key === '$defs' && path.length === 1)) return 0
    if (key === 'properties') return this.members(value, path)
    if (key === 'items') return 1 + this.depthOf(value, path)
    if (key === 'additionalProperties') return isFlag(value) ? 0 : 1 + this.depthOf(value, path)
    if (key === '$ref') return this.reference(value, path)
    if (isOneOf(LISTS, key)) return this.alternatives(value, path)
    const hint = (Object.hasOwn(HINTS, key) ? HINTS[key] : null) ?? 'This keyword is not supported. Remove it.'
    throw new SchemaRefusal(path, 'not_allowed_value', hint)
  }

  private members(value: unknown, path: string[]): number {
    if (!isObject(value)) throw new SchemaRefusal(path, 'invalid_type', 'Must be an object.')
    const entries = Object.entries(value)
    this.properties += entries.length
    if (this.properties > MAX_PROPERTIES)
      throw new SchemaRefusal([], 'too_many_items', `Must have at most ${MAX_PROPERTIES} properties in total.`)
    return 1 + Math.max(0, ...entries.map(([name, schema]) => this.depthOf(schema, [...path, name])))
  }

  private alternatives(value: unknown, path: string[]): number {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ALTERNATIVES)
      throw new SchemaRefusal(path, 'not_allowed_value', `Must be a list of 1 to ${MAX_ALTERNATIVES} schemas.`)
    return Math.max(...value.map((schema, at) => this.depthOf(schema, [...path, String(at)])))
  }

  private reference(value: unknown, path: string[]): number {
    const [, name] = typeof value === 'string' ? (LOCAL.exec(value) ?? []) : []
    if (name === undefined || !Object.hasOwn(this.defs, name))
      throw new SchemaRefusal(
        path,
        'reference_not_found',
        'Must be `#/$defs/<name>` of this schema; other references are not supported.',
      )
    return this.depthOfDefinition(name, path)
  }

  private depthOfDefinition(name: string, path: string[]): number {
    const known = this.depths.get(name)
    if (known === null) throw new SchemaRefusal(path, 'inconsistent', 'Must not be recursive.')
    if (known !== undefined) return known
    this.depths.set(name, null)
    const depth = this.depthOf(this.defs[name], ['$defs', name])
    this.depths.set(name, depth)
    return depth
  }
}
