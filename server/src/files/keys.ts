// The format of object keys. On a disk a key becomes a path, so everything else is refused.

import { type FileStore, MAX_PARTS } from './store.ts'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const SUFFIX = '(?:[.-][a-z0-9]{1,32}){0,4}'
const KEY = new RegExp(`^(${UUID})/(${UUID}${SUFFIX})$`)
const PREFIX = new RegExp(`^(?:${UUID}/[0-9a-z.-]{0,200})?$`)

/**
 * Takes the place of a tenant in the keys of tombstones, which must survive a restore of the database
 * (`tombstones.ts`).
 */
export const TOMBSTONES = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Keys begin with the tenant. */
export const objectKey = (tenant: string, object_id: string): string => `${tenant}/${object_id}`

/** Removes bytes that are not needed after all. If this fails, the sweeper removes them. */
export const discard = (files: FileStore, tenant: string, object_id: string): Promise<void> =>
  files.remove(objectKey(tenant, object_id)).catch(() => {})

export function isKey(text: string): boolean {
  return KEY.test(text)
}

export function splitKey(key: string): { tenant: string; name: string } {
  const [, tenant, name] = KEY.exec(key) ?? []
  if (tenant === undefined || name === undefined)
    throw new TypeError('A key is <tenant uuid>/<object uuid>, perhaps with a suffix.')
  return { tenant, name }
}

/** A prefix ends no earlier than the tenant's slash: half a tenant would be two tenants. */
export function checkPrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) throw new TypeError('A prefix is empty, or begins with a tenant and a slash.')
}

export function checkPart(number: number): void {
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS)
    throw new TypeError(`A part has a number from 1 to ${MAX_PARTS}.`)
}
