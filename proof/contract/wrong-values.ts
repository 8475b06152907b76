// For the schema of a member: values that it does not allow, and what is said of each.

import type { DetailCode, ErrorCode } from '@octavo/contract'
import type { MemberSchema } from './schemas.ts'

export interface WrongValue {
  value: unknown
  code: ErrorCode
  detail: DetailCode
}

/** Longer texts are refused in the same way and only take time. */
const MAX_SENT = 10_000

const shape = (value: unknown, detail: DetailCode): WrongValue => ({ value, code: 'invalid_request', detail })
const content = (value: unknown, detail: DetailCode): WrongValue => ({ value, code: 'validation_error', detail })

const samples: readonly [type: string, value: unknown][] = [
  ['boolean', true],
  ['string', 'text'],
  ['integer', 17],
  ['array', []],
  ['object', {}],
]

function* wrongTypes(types: readonly string[]): Generator<WrongValue> {
  const isNumber = types.includes('number')
  for (const [type, value] of samples)
    if (!types.includes(type) && !(type === 'integer' && isNumber)) yield shape(value, 'invalid_type')
  if (!types.includes('null')) yield shape(null, 'invalid_type')
  if (types.includes('integer')) yield shape(1.5, 'invalid_type')
}

function* wrongTexts(schema: MemberSchema): Generator<WrongValue> {
  if (schema.enum) yield content('no such word', 'not_allowed_value')
  if (schema.minLength) yield content('', 'too_short')
  if (schema.maxLength !== undefined && schema.maxLength < MAX_SENT)
    yield content('x'.repeat(schema.maxLength + 1), 'too_long')
  if (schema.format) yield content('nonsense', 'invalid_format')
  if (schema.pattern) yield content('☃'.repeat(schema.minLength ?? 1), 'invalid_format')
  yield content('nul\0', 'invalid_format')
  yield content('half a pair \ud800', 'invalid_format')
}

function* wrongNumbers(schema: MemberSchema): Generator<WrongValue> {
  if (schema.minimum !== undefined) yield content(schema.minimum - 1, 'too_small')
  if (schema.maximum !== undefined) yield content(schema.maximum + 1, 'too_large')
}

function* wrongArrays(schema: MemberSchema): Generator<WrongValue> {
  if (schema.minItems) yield content([], 'too_few_items')
  if (schema.items?.type !== 'string') return
  if (schema.uniqueItems) yield content(['same', 'same'], 'duplicate_items')
  if (schema.maxItems !== undefined && schema.maxItems < MAX_SENT)
    yield content(
      Array.from({ length: schema.maxItems + 1 }, (_, place) => `item ${place}`),
      'too_many_items',
    )
}

function* wrongObjects(schema: MemberSchema): Generator<WrongValue> {
  const { discriminator, maxProperties, additionalProperties: values, propertyNames: keys } = schema
  if (discriminator) {
    yield shape({}, 'required')
    yield content({ [discriminator.propertyName]: 'no such kind' }, 'not_allowed_value')
  }
  if (maxProperties === undefined) return
  yield content(
    Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, place) => [`key ${place}`, ''])),
    'too_many_items',
  )
  if (keys) yield content({ ['x'.repeat(MAX_SENT)]: '' }, 'invalid_format')
  if (![values?.type ?? []].flat().includes('string')) return
  yield shape({ key: 17 }, 'invalid_type')
  if (values?.maxLength !== undefined) yield content({ key: 'x'.repeat(values.maxLength + 1) }, 'too_long')
}

/** Members of members, where nothing else is asked for beside them. */
function* wrongMembers({ properties = {}, required = [] }: MemberSchema): Generator<WrongValue> {
  if (Object.keys(properties).length === 0 || required.length > 0) return
  yield shape({ no_such_member: 1 }, 'unknown_field')
  for (const [name, schema] of Object.entries(properties))
    for (const { value, ...said } of wrongValues(schema)) yield { ...said, value: { [name]: value } }
}

export function* wrongValues(schema: MemberSchema): Generator<WrongValue> {
  const types = [schema.type ?? []].flat()
  yield* wrongTypes(types)
  if (types.includes('string')) yield* wrongTexts(schema)
  if (types.includes('integer') || types.includes('number')) yield* wrongNumbers(schema)
  if (types.includes('array')) yield* wrongArrays(schema)
  if (types.includes('object')) yield* wrongObjects(schema)
  if (types.includes('object')) yield* wrongMembers(schema)
}
