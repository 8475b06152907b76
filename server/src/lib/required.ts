// Lookups that cannot miss. A miss is a bug: it throws here instead of passing `undefined` on.

export function required<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new Error(`No ${name}, although there must be one`)
  return value
}

export const itemAt = <T>(list: ArrayLike<T>, index: number): T => required(list[index], `item at ${index}`)
export const firstOf = <T>(list: readonly T[]): T => required(list[0], 'first item')
export const lastOf = <T>(list: readonly T[]): T => required(list.at(-1), 'last item')

export const valueOf = <K, V>(map: ReadonlyMap<K, V>, key: K): V => required(map.get(key), `value of ${String(key)}`)
