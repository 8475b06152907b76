// Functions that copy members of a value into a new object. Their code is generated: an object literal is created and
// serialized about twice as fast as an object that gets its members in a loop, and a list builds one for every row.

import { compileFunction } from 'node:vm'
import type { Row } from '@octavo/base/unknown.ts'

export interface BuiltMember<V> {
  name: string
  /** Where the source has the value. */
  key: string | number
  /** null: the value is copied as it is. Not applied to null and undefined. */
  convert: ((value: V) => unknown) | null
}

/** A member that the source does not have is undefined, so JSON omits it. */
export type ObjectBuilder<V> = (source: Readonly<Record<string, V | null | undefined>> | readonly (V | null)[]) => Row

/** Names and keys must come from the contract or from SQL, never from a request. */
export function compileBuilder<V>(members: readonly BuiltMember<V>[]): ObjectBuilder<V> {
  const parts = members.map(({ name, key, convert }, i) => {
    const value = `source[${JSON.stringify(key)}]`
    return `${JSON.stringify(name)}: ${convert ? `${value} == null ? ${value} : convert${i}(${value})` : value}`
  })
  const converters = members.map((_, i) => `convert${i}`)
  const make = compileFunction(`return (source) => ({ ${parts.join(', ')} })`, converters)
  const build: unknown = Reflect.apply(
    make,
    null,
    members.map(({ convert }) => convert),
  )
  return build as ObjectBuilder<V>
}
