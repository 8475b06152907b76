// Bytes in the storage that are not yet the file of a resource.

import { Readable } from 'node:stream'
import type { Needs } from '../../app.ts'
import { discard, objectKey } from '../../files/keys.ts'
import { sha256 } from '../../lib/digest.ts'
import { invalidValue } from '../../lib/failure.ts'
import { type StoredFile, storedFileName } from '../../lib/file-name.ts'
import { newUuid } from '../../lib/ids.ts'

/** The file of a form. Its name may be missing. */
export type ReceivedFile = Omit<StoredFile, 'file_name'> & { file_name: string | null }

/** Checks the file of a form, whose bytes are already stored. */
export function checkReceived(
  app: Needs<'files'>,
  tenant: string,
  received: ReceivedFile,
): { value: StoredFile; discard: () => Promise<void> } {
  if (received.size_bytes === 0) throw emptyFile()
  return {
    value: { ...received, file_name: storedFileName(received.file_name) },
    discard: () => discard(app.files, tenant, received.object_id),
  }
}

export const emptyFile = (): Error => invalidValue('file', 'too_short', 'Must have at least one byte.')

export async function storeBytes(
  app: Needs<'files'>,
  tenant: string,
  bytes: Buffer,
  { file_name, media_type }: { file_name: string | null; media_type: string },
): Promise<StoredFile> {
  const object_id = newUuid()
  const { length: size_bytes } = bytes
  await app.files.put(objectKey(tenant, object_id), Readable.from([bytes]), { media_type, size_bytes })
  return { object_id, file_name: storedFileName(file_name), media_type, size_bytes, sha256: sha256(bytes) }
}
