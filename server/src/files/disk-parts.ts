// Uploads in parts on a disk: a folder for each upload, a file for each part.

import { createReadStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { valueOf } from '@octavo/base/required.ts'
import { newUuid, timeOfUuid } from '../lib/ids.ts'
import { flushFolder, io, isErrno, orNull, writeFile } from './disk-io.ts'
import { isKey } from './keys.ts'
import { PAGE, type PendingUpload, StorageUnavailable, type UploadedPart, UploadGone } from './store.ts'

const PART = /^\d{5}$/
const UPLOAD = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const CHUNK = 256 * 1024
/** Suffix of a folder that is being removed: renamed first, so that no join sees only some of its parts. */
const GONE = '.gone'

/** No character of a key is an underscore. */
export function folderName(key: string, upload: string): string {
  if (!UPLOAD.test(upload)) throw new UploadGone('The upload does not exist.')
  return `${key.replace('/', '_')}_${upload}`
}

export function isGone(error: unknown): boolean {
  return error instanceof UploadGone || (error instanceof StorageUnavailable && isErrno(error.cause, 'ENOENT'))
}

export async function publishPart(from: string, folder: string, number: number): Promise<void> {
  await rename(from, join(folder, String(number).padStart(5, '0')))
  await flushFolder(folder)
}

export async function listParts(folder: string): Promise<UploadedPart[]> {
  const names = await orNull(readdir(folder))
  if (names === null) throw new UploadGone('The upload does not exist.')
  const parts: UploadedPart[] = []
  for (const name of names.filter((one) => PART.test(one)).sort())
    parts.push({ number: Number(name), size_bytes: (await stat(join(folder, name))).size })
  return parts
}

/** Passes on the complete joined file before it removes the parts, so that the join can be repeated after a crash. */
export async function joinParts(folder: string, give: (whole: string) => Promise<void>): Promise<number> {
  const names = (await orNull(readdir(folder)))?.filter((one) => PART.test(one)).sort() ?? []
  if (names.length === 0) throw new UploadGone('The upload does not exist or has no parts.')
  const whole = join(folder, newUuid())
  const count = await io(writeFile(whole, bytesOf(names.map((name) => join(folder, name)))))
  await give(whole)
  await discard(folder)
  return count
}

async function* bytesOf(paths: string[]): AsyncGenerator<Buffer> {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: CHUNK })
}

export async function discard(folder: string): Promise<void> {
  const gone = folder + GONE
  await rm(gone, { recursive: true, force: true })
  await orNull(rename(folder, gone), 'ENOTEMPTY', 'EEXIST')
  // A crash that undid the name but not the removals would leave some of the parts as if they were all.
  await flushFolder(dirname(folder))
  await rm(gone, { recursive: true, force: true })
}

function findBegun(name: string): PendingUpload | null {
  const [tenant = '', object = '', upload = ''] = name.replace(GONE, '').split('_')
  const key = `${tenant}/${object}`
  return isKey(key) && UPLOAD.test(upload) ? { key, upload, begun_at: timeOfUuid(upload) } : null
}

export async function listBegun(root: string, after: string | null): Promise<PendingUpload[]> {
  const found = new Map<string, PendingUpload>()
  for (const name of await readdir(root)) {
    const one = findBegun(name)
    // An upload and what is being removed of it are one.
    if (one && (after === null || one.key > after)) found.set(`${one.key} ${one.upload}`, one)
  }
  const names = [...found.keys()].sort().slice(0, PAGE)
  return names.map((name) => valueOf(found, name))
}
