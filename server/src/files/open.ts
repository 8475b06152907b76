// Which store a process uses.

import { openDisk } from './disk.ts'
import { openS3 } from './s3.ts'
import type { S3Config } from './s3-client.ts'
import type { FileStore } from './store.ts'

export interface FilesConfig {
  dir: string
  /** null: the disk. */
  s3: S3Config | null
}

export function openFiles({ dir, s3 }: FilesConfig): FileStore {
  return s3 === null ? openDisk(dir) : openS3(s3)
}
