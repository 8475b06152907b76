// The pages that a document is born with. Apart from pages.service, which needs documents.service, which needs this.

import type { Tx } from '../../db/database.ts'
import { sha256 } from '../../lib/digest.ts'
import * as store from './pages.store.ts'

/** Part of the document's creation: they write no events of their own. */
export function createPages(tx: Tx, parent: { id: string; project_id: string | null }, texts: readonly string[]): void {
  if (texts.length > 0)
    store.insertPages(
      tx,
      parent,
      texts.map((text) => ({ text, sha256: sha256(text) })),
    )
}
