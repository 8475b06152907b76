// Which members the contract's schemas have.

import type { Endpoint } from '@octavo/contract'

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
export const isStored = (endpoint: Endpoint): boolean =>
  endpoint.is_text || 'updated_at' in membersOf(shownBy(endpoint))
