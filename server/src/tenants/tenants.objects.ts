// Removes all bytes of a tenant from the storage.

import { lastOf } from '@octavo/base/required.ts'
import { objectKey } from '../files/keys.ts'
import type { FileStore } from '../files/store.ts'

export interface RemovedObjects {
  objects: number
  bytes: number
  /** Uploads in parts that were not complete. */
  uploads: number
}

export async function removeObjects(files: FileStore, tenant: string): Promise<RemovedObjects> {
  const removed: RemovedObjects = { objects: 0, bytes: 0, uploads: 0 }
  const prefix = objectKey(tenant, '')
  for (;;) {
    const page = await files.list(prefix, null)
    if (page.length === 0) break
    for (const { key, size_bytes } of page) {
      await files.remove(key)
      removed.objects++
      removed.bytes += size_bytes
    }
  }
  for (let last: string | null = null; ; ) {
    const page = await files.listBegun(last)
    if (page.length === 0) return removed
    last = lastOf(page).key
    for (const { key, upload } of page.filter((one) => one.key.startsWith(prefix))) {
      await files.abortParts(key, upload)
      removed.uploads++
    }
  }
}
