// Which members the contract's schemas have.

import { type Endpoint, ErrorResponse } from '@octavo/contract'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true })
formats.default(ajv, ['date-time'])
for (const keyword of ['x-extensible-enum', 'x-comma-list', 'discriminator']) ajv.addKeyword(keyword)

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'examples' ? value : closed(value)]),
  )
  if (copy.type === 'object' && copy.properties !== undefined) copy.additionalProperties = false
  return copy
}

const compiled = new Map<object, ValidateFunction>()

/** null, or what is wrong. */
export function mismatchOf(schema: object, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as object)
  compiled.set(schema, validate)
  if (validate(value)) return null
  return (validate.errors ?? []).map(textOf).join('; ')
}

function textOf({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty = '' } = params as { additionalProperty?: string }
  return `${instancePath || 'the answer'} ${message} ${additionalProperty}`.trim()
}

export const errorMismatch = (value: unknown): string | null => mismatchOf(ErrorResponse, value)

export interface MemberSchema {
  type?: string | string[]
  const?: unknown
  enum?: string[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  examples?: string[]
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  maxProperties?: number
  propertyNames?: MemberSchema
  additionalProperties?: MemberSchema
  items?: MemberSchema
  discriminator?: { propertyName: string }
  properties?: Record<string, MemberSchema>
  required?: string[]
  oneOf?: MemberSchema[]
  'x-comma-list'?: boolean
}

/** For a union: the members of its first variant (the example's), without the discriminator. */
export function membersOf(schema: unknown): Record<string, MemberSchema> {
  const { properties, oneOf, discriminator } = (schema ?? {}) as MemberSchema
  if (!oneOf) return properties ?? {}
  return Object.fromEntries(
    Object.entries(membersOf(oneOf[0])).filter(([name]) => name !== discriminator?.propertyName),
  )
}
export const requiredOf = (schema: unknown): readonly string[] => (schema as MemberSchema | null)?.required ?? []

/** The resource that the endpoint returns: its answer, or the item type of a list. */
export function shownBy(endpoint: Endpoint): MemberSchema {
  const answer = (endpoint.answer ?? {}) as MemberSchema
  return endpoint.list ? (answer.properties?.data?.items ?? {}) : answer
}

/** Stored resources have a version; what is computed has none and may differ from request to request. */
export const isStored = (endpoint: Endpoint): boolean => 'updated_at' in membersOf(shownBy(endpoint))
