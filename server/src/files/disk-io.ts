// Files that are whole or not there: written aside, flushed, renamed, and the directory flushed.

import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { codeOf, toError } from '@octavo/base/unknown.ts'
import { chunksOf } from './source.ts'
import { StorageFull, StorageUnavailable, WrongSize } from './store.ts'

const CHUNK = 64 * 1024
const FULL = new Set(['ENOSPC', 'EDQUOT'])

export const isErrno = (error: unknown, ...codes: string[]): boolean => codes.includes(codeOf(error))

/** Wraps every disk operation and converts its errors to those that callers know. */
export async function io<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asStorageError(error)
  }
}

function asStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  if (FULL.has(codeOf(error))) return new StorageFull('The disk is full.', { cause: error })
  return new StorageUnavailable('A disk operation failed.', { cause: error })
}

export const orNull = async <T>(work: Promise<T>, ...codes: string[]): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (isErrno(error, 'ENOENT', ...codes)) return null
    throw error
  })

export const makeFolder = (path: string): Promise<string | undefined> => mkdir(path, { recursive: true, mode: 0o700 })

export async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Rethrows errors of the source; errors of the disk become storage errors. On any failure the file is removed. */
export async function writeFile(
  path: string,
  bytes: AsyncIterable<Buffer>,
  given: { size_bytes?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const { size_bytes, signal } = given
  signal?.throwIfAborted()
  const handle = await io(open(path, 'wx', 0o600))
  try {
    const count = await copy(chunksOf(bytes, signal), handle, size_bytes)
    await io(handle.sync())
    await handle.close()
    return count
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(path, { force: true }).catch(() => {})
    signal?.throwIfAborted()
    throw error
  }
}

async function copy(bytes: AsyncIterable<Buffer>, handle: FileHandle, size_bytes: number | undefined): Promise<number> {
  let count = 0
  for await (const chunk of bytes) {
    count += chunk.length
    if (size_bytes !== undefined && count > size_bytes)
      throw new WrongSize(`More bytes arrived than the announced ${size_bytes}.`)
    await io(handle.writeFile(chunk))
  }
  if (size_bytes !== undefined && count < size_bytes)
    throw new WrongSize(`Only ${count} of the announced ${size_bytes} bytes arrived.`)
  return count
}

/** From here on the file is seen under its name, also after a crash. */
export async function publish(from: string, to: string, root: string): Promise<void> {
  const folder = dirname(to)
  let made: string | undefined
  for (let attempt = 1; ; attempt++) {
    try {
      made = (await makeFolder(folder)) ?? made
      await rename(from, to)
      break
    } catch (error) {
      // Removing the last file of a folder removes the folder and an empty parent too, which may just have happened.
      if (!isErrno(error, 'ENOENT') || attempt === 10) throw error
    }
  }
  await flushFolder(folder)
  if (made === undefined) return
  for (let parent = dirname(folder); parent.length >= root.length; parent = dirname(parent)) await flushFolder(parent)
}

/** Reads on after the file was removed: the handle holds it. */
export async function readRange(
  path: string,
  range: { first: number; last: number } | undefined,
): Promise<Readable | null> {
  const handle = await orNull(open(path, 'r'))
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    return new FileRange(handle, range?.first ?? 0, Math.min(range === undefined ? size : range.last + 1, size))
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Like a Node.js read stream, but read errors become storage errors, and a file that ends too early is an error. */
class FileRange extends Readable {
  readonly #handle: FileHandle
  readonly #end: number
  #position: number

  constructor(handle: FileHandle, first: number, end: number) {
    super({ highWaterMark: CHUNK })
    this.#handle = handle
    this.#position = first
    this.#end = end
  }

  override _read(): void {
    void this.#next()
  }

  async #next(): Promise<void> {
    const length = Math.min(CHUNK, this.#end - this.#position)
    try {
      const { bytesRead, buffer } =
        length > 0
          ? await this.#handle.read(Buffer.allocUnsafeSlow(length), 0, length, this.#position)
          : { bytesRead: 0, buffer: null }
      if (bytesRead === 0 && length > 0) throw new StorageUnavailable('A file is shorter than it was.')
      this.#position += bytesRead
      this.push(buffer?.subarray(0, bytesRead) ?? null)
    } catch (error) {
      this.destroy(toError(asStorageError(error)))
    }
  }

  override _destroy(reason: Error | null, tell: (reason: Error | null) => void): void {
    void this.#close().finally(() => tell(reason))
  }

  async #close(): Promise<void> {
    await this.#handle.close().catch(() => {})
  }
}
