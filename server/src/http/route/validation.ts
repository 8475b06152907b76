// The exact border between 400 and 422: a wrong type tree is 400, a value that is not allowed in a right one is 422.

import { recordOf } from '@octavo/base/unknown.ts'
import type { DetailCode, ErrorDetail } from '@octavo/contract'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import formats from 'ajv-formats'
import { Failure } from '../../lib/failure.ts'
import { countPoints } from '../../text/words.ts'

export type SchemaCheck = (value: unknown) => ErrorObject[] | null

const MAX_DETAILS = 100
/** Finding all errors of a large body is a way to keep us busy: beyond this only the first is reported. */
const ALL_ERRORS_BYTES = 256 * 1024

function newAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    discriminator: true,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    $data: false,
    // The schemas are the contract's, which `npm run check` validates. Shortening the generated
    // code takes longer than generating it, and V8 does it again.
    meta: false,
    validateSchema: false,
    code: { optimize: false },
    // Each error then knows its schema, which says what would be allowed.
    verbose: true,
  })
  formats.default(ajv, ['date-time', 'binary'])
  for (const keyword of ['x-extensible-enum', 'x-comma-list']) ajv.addKeyword(keyword)
  ajv.removeKeyword('maxLength').addKeyword({ keyword: 'maxLength', type: 'string', compile: compileMaxLength })
  return ajv
}

/** Counts code points only if that can change the verdict: counting a text of megabytes takes as long as parsing it. */
function compileMaxLength(limit: number): DataValidateFunction {
  const check: DataValidateFunction = (text: string): boolean => {
    const isShort = text.length <= limit || (text.length <= 2 * limit && countPoints(text) <= limit)
    check.errors = isShort ? [] : [{ keyword: 'maxLength', params: { limit } }]
    return isShort
  }
  return check
}

const first = newAjv(false)
const all = newAjv(true)

/**
 * Finds the first error cheaply, and all of them only then, and only where that is bounded. The check that finds all is
 * compiled for the first invalid value: most operations never need it, and compiling both doubles the time to start.
 */
export function compileCheck(schema: object): (value: unknown, bytes?: number) => ErrorObject[] | null {
  const isValid = first.compile(schema)
  return (value, bytes = 0) => {
    if (isValid(value)) return null
    if (bytes > ALL_ERRORS_BYTES) return [...(isValid.errors ?? [])]
    const explain = all.compile(schema)
    explain(value)
    return [...(explain.errors ?? isValid.errors ?? [])]
  }
}

const SHAPE: Record<string, DetailCode> = {
  required: 'required',
  dependentRequired: 'required',
  type: 'invalid_type',
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
}
const VALUE: Record<string, DetailCode> = {
  enum: 'not_allowed_value',
  const: 'not_allowed_value',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_few_items',
  maxItems: 'too_many_items',
  uniqueItems: 'duplicate_items',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  maximum: 'too_large',
  exclusiveMaximum: 'too_large',
  multipleOf: 'not_multiple_of',
  pattern: 'invalid_format',
  format: 'invalid_format',
  propertyNames: 'invalid_format',
  minProperties: 'too_few_items',
  maxProperties: 'too_many_items',
}

function codeOf(error: ErrorObject): DetailCode {
  if (error.keyword === 'discriminator') return error.params.error === 'tag' ? 'required' : 'not_allowed_value'
  return SHAPE[error.keyword] ?? VALUE[error.keyword] ?? 'invalid_format'
}

const isShape = (error: ErrorObject): boolean =>
  error.keyword in SHAPE || (error.keyword === 'discriminator' && error.params.error === 'tag')

function pointerOf(error: ErrorObject): string {
  const params: Record<string, string | undefined> = error.params
  const { missingProperty, additionalProperty, unevaluatedProperty, tag, propertyName } = params
  const key =
    missingProperty ??
    additionalProperty ??
    unevaluatedProperty ??
    (error.keyword === 'discriminator' ? tag : propertyName)
  return key === undefined
    ? error.instancePath
    : `${error.instancePath}/${key.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function fieldOf(pointer: string): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return parts.reduce((field, part) => {
    if (/^\d+$/.test(part)) return `${field}[${part}]`
    return field ? `${field}.${part}` : part
  }, '')
}

interface ValidationParams {
  limit?: number
  allowedValue?: unknown
  allowedValues?: unknown[]
  type?: string | string[]
  format?: string
  tag?: string
}

/** Values that an enum, a constant or a discriminated union would accept. */
function allowedOf({ params, parentSchema }: ErrorObject): unknown[] {
  const { allowedValues, allowedValue, tag = '' }: ValidationParams = params
  const kinds: readonly unknown[] = Array.isArray(parentSchema?.oneOf) ? parentSchema.oneOf : []
  const constOf = (kind: unknown): unknown => recordOf(recordOf(recordOf(kind).properties)[tag]).const
  return allowedValues ?? (allowedValue === undefined ? kinds.map(constOf) : [allowedValue])
}

/** A form that no format names is described beside its pattern. */
function expectedForm({ keyword, schema, parentSchema, params }: ErrorObject): string {
  const { format }: ValidationParams = params
  if (format !== undefined) return `Must be a valid ${format}.`
  const { description } = recordOf(keyword === 'propertyNames' ? schema : parentSchema)
  return typeof description === 'string' ? description : 'Does not have the required format.'
}

const amount = (count: number | undefined, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Sets of words may be long, and a message is read by people. */
const MOST_SHOWN = 30
const someOf = (words: readonly unknown[]): string =>
  words.length <= MOST_SHOWN
    ? words.join(', ')
    : `${words.slice(0, MOST_SHOWN).join(', ')} and ${words.length - MOST_SHOWN} more`

/** Never the submitted value: only what would be allowed. */
function messageOf(error: ErrorObject): string {
  const { limit, type }: ValidationParams = error.params
  switch (codeOf(error)) {
    case 'required':
      return 'Is required.'
    case 'invalid_type':
      return `Must be ${[type].flat().join(' or ')}.`
    case 'unknown_field':
      return 'Unknown field.'
    case 'not_allowed_value':
      return `Must be one of: ${someOf(allowedOf(error))}.`
    case 'too_short':
      return `Must have at least ${amount(limit, 'character')}.`
    case 'too_long':
      return `Must have at most ${amount(limit, 'character')}.`
    case 'too_few_items':
      return `Must have at least ${amount(limit, 'item')}.`
    case 'too_many_items':
      return `Must have at most ${amount(limit, 'item')}.`
    case 'duplicate_items':
      return 'Must not contain duplicate items.'
    case 'too_small':
      return `Must be at least ${limit}.`
    case 'too_large':
      return `Must be at most ${limit}.`
    default:
      return expectedForm(error)
  }
}

export function detailsOf(errors: readonly ErrorObject[], location: 'body' | 'query'): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const seen = new Set<string>()
  for (const error of errors) {
    // A bad property name is reported twice: once by its own rule, once as `propertyNames`.
    if (error.propertyName !== undefined) continue
    // A missing tag is reported twice too: as a required member and by the discriminator.
    const pointer = pointerOf(error)
    const code = codeOf(error)
    if (seen.has(`${code}${pointer}`)) continue
    seen.add(`${code}${pointer}`)
    if (details.length === MAX_DETAILS) {
      details.push({ field: '', location, code: 'too_many_errors', message: 'More errors are not listed.' })
      break
    }
    details.push({
      field: fieldOf(pointer).slice(0, 1000),
      location,
      code,
      message: messageOf(error),
      pointer: pointer.slice(0, 1000),
    })
  }
  return details
}

export function bodyFailure(errors: readonly ErrorObject[]): Failure {
  const details = detailsOf(errors, 'body')
  if (errors.some(isShape))
    return new Failure('invalid_request', 'The request body has missing, unknown or wrongly typed fields.', { details })
  return new Failure('validation_error', 'The request body contains values that are not allowed.', { details })
}
