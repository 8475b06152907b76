// Lookups that cannot miss. A miss is a bug: it throws here instead of passing `undefined` on.

export function required<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new Error(`No ${name}, although there must be one`)
  return value
}

/** `null` is an item like any other. */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index]
  if (item === undefined) throw new RangeError(`No item at ${index} of ${list.length}`)
  return item
}
export const firstOf = <T>(list: readonly T[]): T => itemAt(list, 0)
export const lastOf = <T>(list: readonly T[]): T => itemAt(list, list.length - 1)

export function valueOf<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new Error(`No value of ${String(key)}`)
  return value
}
