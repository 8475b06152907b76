// Objects as files of one directory: objects/<tenant>/<begin of id>/<id>, and what is not whole yet under begun/.

import { mkdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newUuid } from '../lib/ids.ts'
import { flushFolder, io, makeFolder, orNull, publish, readRange, writeFile } from './disk-io.ts'
import { listObjects } from './disk-list.ts'
import { discard, folderName, isGone, joinParts, listBegun, listParts, publishPart } from './disk-parts.ts'
import { checkPart, splitKey } from './keys.ts'
import { held } from './source.ts'
import { type FileStore, type ObjectInfo, UploadGone } from './store.ts'

/**
 * Ids begin with their time, so a folder holds the objects of 2^24 ms (under five hours), and folders sort like keys.
 */
const FOLDER = 6

export function openDisk(root: string): FileStore {
  const objects = join(root, 'objects')
  const begun = join(root, 'begun')

  function filePath(key: string): string {
    const { tenant, name } = splitKey(key)
    return join(objects, tenant, name.slice(0, FOLDER), name)
  }

  function begunOf(key: string, upload: string): string {
    splitKey(key)
    return join(begun, folderName(key, upload))
  }

  let prepared: Promise<unknown> | null = null

  /** Only once: a disk that goes away later must not look like an empty one. */
  async function prepare(): Promise<void> {
    prepared ??= Promise.all([makeFolder(objects), makeFolder(begun)])
    await prepared.catch((error: unknown) => {
      prepared = null
      throw error
    })
  }

  async function none(): Promise<null> {
    await prepare()
    await stat(objects)
    return null
  }

  async function find(key: string): Promise<ObjectInfo | null> {
    const found = await io(orNull(stat(filePath(key))))
    return found === null ? io(none()) : { key, size_bytes: found.size, modified_at: found.mtime }
  }

  async function begin(key: string): Promise<{ upload: string; folder: string }> {
    const upload = newUuid()
    const folder = begunOf(key, upload)
    await prepare()
    await mkdir(folder, { mode: 0o700 })
    return { upload, folder }
  }

  const get: FileStore['get'] = async (key, range) => (await io(readRange(filePath(key), range))) ?? io(none())

  const put: FileStore['put'] = async (key, bytes, { size_bytes, signal }) => {
    using _ = held(bytes)
    const path = filePath(key)
    const { folder } = await io(begin(key))
    const whole = join(folder, 'whole')
    try {
      const count = await writeFile(whole, bytes, { size_bytes, signal })
      await io(publish(whole, path, root))
      return count
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => {})
    }
  }

  return {
    driver: 'disk',
    find,
    put,
    get,
    async copy(from, to) {
      const bytes = await get(from)
      return bytes && put(to, bytes, { media_type: '' })
    },
    async remove(key) {
      const path = filePath(key)
      await io(orNull(rm(path)))
      for (const folder of [dirname(path), dirname(dirname(path))])
        await io(orNull(rmdir(folder), 'ENOTEMPTY', 'EEXIST'))
    },
    list: (prefix, after) => io(prepare().then(() => listObjects(objects, prefix, after))),
    async beginParts(key) {
      const { upload } = await io(begin(key))
      await io(flushFolder(begun))
      return upload
    },
    listParts: async (key, upload) => io(listParts(begunOf(key, upload))),
    async endParts(key, upload) {
      try {
        return await io(joinParts(begunOf(key, upload), (whole) => publish(whole, filePath(key), root)))
      } catch (error) {
        const found = isGone(error) ? await find(key) : null
        if (found === null) throw error
        return found.size_bytes
      }
    },
    abortParts: async (key, upload) => io(discard(begunOf(key, upload))),
    listBegun: (after) => io(prepare().then(() => listBegun(begun, after))),
    signPut: async () => null,
    signPart: async () => null,
    async putPart(key, upload, { number, bytes, size_bytes, signal }) {
      using _ = held(bytes)
      checkPart(number)
      try {
        const folder = begunOf(key, upload)
        const path = join(folder, newUuid())
        await writeFile(path, bytes, { size_bytes, signal })
        await io(publishPart(path, folder, number))
      } catch (error) {
        throw isGone(error) ? new UploadGone('The upload does not exist.') : error
      }
    },
    async close() {},
  }
}
