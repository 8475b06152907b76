// Lists objects on a disk in key order. Tenants, folders and names have fixed places in a key, so each level is sorted
// separately.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { orNull } from './disk-io.ts'
import { checkPrefix, isKey } from './keys.ts'
import { type ObjectInfo, PAGE } from './store.ts'

/** True if something between `after` and the end of `prefix` may begin with `begin`. */
function mayHold(begin: string, prefix: string, after: string | null): boolean {
  const length = Math.min(begin.length, prefix.length)
  return begin.slice(0, length) === prefix.slice(0, length) && (after === null || begin >= after.slice(0, begin.length))
}

const namesIn = async (folder: string): Promise<string[]> => ((await orNull(readdir(folder), 'ENOTDIR')) ?? []).sort()

async function* walk(root: string, prefix: string, after: string | null): AsyncGenerator<ObjectInfo> {
  for (const tenant of (await readdir(root)).sort()) {
    if (!mayHold(`${tenant}/`, prefix, after)) continue
    for (const folder of await namesIn(join(root, tenant))) {
      if (!mayHold(`${tenant}/${folder}`, prefix, after)) continue
      for (const name of await namesIn(join(root, tenant, folder))) {
        const key = `${tenant}/${name}`
        if (!isKey(key) || !key.startsWith(prefix) || (after !== null && key <= after)) continue
        const found = await orNull(stat(join(root, tenant, folder, name)))
        if (found) yield { key, size_bytes: found.size, modified_at: found.mtime }
      }
    }
  }
}

export async function listObjects(root: string, prefix: string, after: string | null): Promise<ObjectInfo[]> {
  checkPrefix(prefix)
  const page: ObjectInfo[] = []
  for await (const object of walk(root, prefix, after)) if (page.push(object) === PAGE) break
  return page
}
