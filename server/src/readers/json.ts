// JSON of someone else: whatever is asked for is there in its type, or it is not there.

export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json | undefined
}

export function findObject(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
}

/** Own members only: a name such as `constructor` comes from the answer as well. */
const memberOf = (object: JsonObject | null, name: string): Json | undefined =>
  object && Object.hasOwn(object, name) ? object[name] : undefined

export function findText(object: JsonObject | null, name: string): string | null {
  const value = memberOf(object, name)
  return typeof value === 'string' ? value : null
}

export function findNumber(object: JsonObject | null, name: string): number | null {
  const value = memberOf(object, name)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function findArray(object: JsonObject | null, name: string): Json[] {
  const value = memberOf(object, name)
  return Array.isArray(value) ? value : []
}
