import { lastOf } from '@octavo/base/required.ts'

const MAX_FILE_NAME = 255
/** Words that only a screen would follow, and what no name needs. */
const ODD = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The last segment of the path that it came with; never used as a path. */
export function storedFileName(file_name: string | null): string {
  const name = lastOf((file_name ?? '').split(/[/\\]/))
    .replace(ODD, '')
    .trim()
  return name === '' || name === '.' || name === '..' ? 'document' : [...name].slice(0, MAX_FILE_NAME).join('')
}

/** Bytes in the storage, with the name and type that a file of them has. */
export interface StoredFile {
  /** uuid. */
  object_id: string
  file_name: string
  media_type: string
  size_bytes: number
  /** null: the bytes have not been read yet. */
  sha256: string | null
}
