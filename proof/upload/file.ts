// A large file that no memory holds: one random block again and again, each time with its number.

import { createHash, randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BLOCK = 1024 * 1024

export interface LargeFile {
  blob: Blob
  sha256: string
  /** Bytes of a range. */
  read(first: number, last: number): Promise<Buffer>
  remove(): Promise<void>
}

export async function makeFile(size_bytes: number): Promise<LargeFile> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-upload-'))
  const path = join(folder, 'large.bin')
  const block = randomBytes(BLOCK)
  const hash = createHash('sha256')
  const handle = await open(path, 'w+')
  for (let i = 0; i < size_bytes / BLOCK; i++) {
    block.writeUInt32BE(i)
    hash.update(block)
    await handle.writeFile(block)
  }
  return {
    blob: await openAsBlob(path, { type: 'application/octet-stream' }),
    sha256: hash.digest('hex'),
    read: async (first, last) => (await handle.read(Buffer.alloc(last - first + 1), 0, last - first + 1, first)).buffer,
    async remove() {
      await handle.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
