// The storage, for who only looks.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { listObjects } from '../files/disk-list.ts'
import { openFiles } from '../files/open.ts'
import type { FileStore } from '../files/store.ts'

export const STORAGE = [
  'FILES_DIR',
  'FILES_DRIVER',
  'OCTAVO_DATA_DIR',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_ENDPOINT',
]

/** Of the directory of files: what is wrong there, storage tells. */
export const UNREADABLE = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'EIO', 'ESTALE'])

/** A store of the disk makes its folders when it is first asked; here nothing is left behind, least of all by another user. */
export function openToRead({ dir, s3 }: Config['files']): FileStore {
  const files = openFiles({ dir, s3 })
  if (s3 !== null) return files
  const objects = join(dir, 'objects')
  return {
    ...files,
    find: async (key) => (existsSync(objects) ? files.find(key) : null),
    list: async (prefix, after) => (existsSync(objects) ? listObjects(objects, prefix, after) : []),
  }
}
