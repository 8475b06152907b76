// The password of a protected file: sealed while its document is being read, then deleted.

import type { Needs } from '../../app.ts'
import type { Reader } from '../../db/database.ts'
import { type Keyring, seal, unseal } from '../../lib/keyring.ts'
import { findPassword } from './documents.store.ts'

const PURPOSE = 'document_password'

/** The id of the document is authenticated, so that the value is useless in another row. */
export const sealPassword = (keyring: Keyring, document_id: string, password: string): Buffer =>
  seal(keyring, PURPOSE, password, document_id)

export async function readPassword(app: Needs<'config'>, db: Reader, document_id: string): Promise<string | null> {
  const sealed = await findPassword(db, document_id)
  return sealed && (unseal(app.config.keyring, PURPOSE, sealed, document_id)?.toString() ?? null)
}
