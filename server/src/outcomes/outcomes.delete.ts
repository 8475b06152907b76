// Apart from outcomes.service, which needs documents, as documents need this.

import type { Needs } from '../app.ts'
import type { Tx } from '../db/database.ts'
import { operator } from '../lib/caller.ts'
import * as store from './outcomes.store.ts'

/** Deletes a document's outcomes in the document's transaction, because they contain its text. */
export const forgetOutcomes = (tx: Tx, document_id: string): void => store.deleteOfDocument(tx, document_id)

const EXPIRED_AT_ONCE = 200

/** Searches and answers are kept for a while; says how many are gone, since there may be more. */
export async function expireOutcomes(app: Needs<'db' | 'system'>): Promise<number> {
  const expired = await store.listExpired(app.system, EXPIRED_AT_ONCE)
  for (const { tenant, object, id } of expired)
    await app.db.transaction(operator(tenant, []), async (tx) => {
      store.deleteOutcome(tx, object, id)
    })
  return expired.length
}
