// Derives two things from a caller's schema: a validator for values, and the schema of the model's answer.

import { isOneOf } from '@octavo/base/unknown.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

export type Schema = Record<string, unknown>

export const FORMATS = [
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
] as const
export const LISTS = ['anyOf', 'oneOf', 'allOf'] as const
/** Said to people and tools: neither the model nor the check needs them. */
export const DROPPED = new Set([
  '$schema',
  '$id',
  '$comment',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
])

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const STRICT = { strict: true, strictTypes: false, strictRequired: false, addUsedSchema: false, logger: false } as const

interface Validator {
  /** The first problem; null: none. `format` is not checked: values with another format are kept. */
  problemOf(value: unknown): string | null
  /** Pointers to strings that do not match the `format` of the schema. */
  misformed(value: unknown): Set<string>
}

export function compileSchema(schema: Schema): Validator {
  const validate = new Ajv2020({ ...STRICT, validateFormats: false }).compile(bare(schema))
  let checkForms: ReturnType<Ajv2020['compile']> | null = null
  return {
    problemOf(value) {
      if (validate(value)) return null
      const [error] = validate.errors ?? []
      return `${error?.instancePath || 'the whole'} ${error?.message ?? 'does not fit'}`.slice(0, 300)
    },
    misformed(value) {
      if (!checkForms) {
        const ajv = new Ajv2020({ ...STRICT, allErrors: true })
        formats.default(ajv, [...FORMATS])
        checkForms = ajv.compile(bare(schema))
      }
      if (checkForms(value)) return new Set()
      return new Set(
        (checkForms.errors ?? []).filter(({ keyword }) => keyword === 'format').map(({ instancePath }) => instancePath),
      )
    },
  }
}

type Change = (schema: Schema) => Schema

/** The same change everywhere in a schema; names of properties are no keywords. */
const mapMember = (value: unknown, change: Change): unknown => (isObject(value) ? mapSchema(value, change) : value)

function mapSchema(value: Schema, change: Change): Schema {
  const schema: Schema = {}
  for (const [key, member] of Object.entries(value)) {
    if ((key === 'properties' || key === '$defs') && isObject(member))
      schema[key] = Object.fromEntries(Object.entries(member).map(([name, one]) => [name, mapMember(one, change)]))
    else if (key === 'items' || key === 'additionalProperties') schema[key] = mapMember(member, change)
    else if (isOneOf(LISTS, key) && Array.isArray(member)) schema[key] = member.map((one) => mapMember(one, change))
    else schema[key] = member
  }
  return change(schema)
}

const without = (schema: Schema, isDropped: (key: string) => boolean): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !isDropped(key)))
const bare = (schema: Schema): Schema => mapSchema(schema, (one) => without(one, (key) => DROPPED.has(key)))
/** For one part of a document, in which every value may be missing. */
const relaxed = (schema: Schema): Schema =>
  mapSchema(schema, (one) => without(one, (key) => key === 'required' || key === 'minItems' || key === 'minProperties'))

const EVIDENCE = {
  type: 'array',
  maxItems: 1_000,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['path', 'quote'],
    properties: { path: { type: 'string', maxLength: 500 }, quote: { type: 'string', minLength: 1, maxLength: 600 } },
  },
}

/** Schema of the model's answer: the values, and a quote for each of them. */
export function answerSchema(schema: Schema, is_part: boolean): { name: string; schema: Schema } {
  const { $defs, ...data } = is_part ? relaxed(bare(schema)) : bare(schema)
  return {
    name: 'extraction',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['data', 'evidence'],
      properties: { data, evidence: EVIDENCE },
      ...($defs === undefined ? {} : { $defs }),
    },
  }
}

/** At most: a token has three characters and more. */
export const tokensOfSchema = (schema: Schema): number =>
  Math.ceil(JSON.stringify(answerSchema(schema, false).schema).length / 3)
