// The usage ledger and the daily budget. The cost of each call is reserved before the call.

import type { ModelCard, Tokens } from '../ai/model.ts'
import type { Needs } from '../app.ts'
import type { Reader, Tx } from '../db/database.ts'
import type { Caller } from '../lib/caller.ts'
import * as store from './usage.store.ts'

export type UsageRow = store.UsageRow
export type UsedAmounts = Pick<UsageRow, 'pages' | 'input_tokens' | 'output_tokens' | 'compute_ms'>

export const costOf = ({ price }: Pick<ModelCard, 'price'>, spent: Tokens): number =>
  Math.ceil((spent.input_tokens * price.input + spent.output_tokens * price.output) / 1_000_000)

/** Runs in the same transaction as the work. */
export function recordUsage(
  tx: Tx,
  model: Pick<ModelCard, 'id' | 'provider' | 'locality' | 'price'>,
  of: Pick<UsageRow, 'project_id' | 'key_id' | 'job_id' | 'subject'>,
  used: UsedAmounts,
): void {
  const { id, provider, locality } = model
  store.insertUsage(tx, { ...of, ...used, model: id, provider, locality, cost_micros: costOf(model, used) })
}

/** Before a call: false if the tenant's daily budget is too low. The same call may be reserved again. */
export async function reserve(app: Needs<'db'>, caller: Caller, call: string, micros: number): Promise<boolean> {
  if (micros === 0 || (await store.findBudget(app.db.for(caller))) === null) return true
  return app.db.transaction(caller, async (tx) => {
    const { day, left } = await store.findLeft(tx, call)
    if (left !== null && left < micros) return false
    store.insertReservation(tx, day, call, micros)
    return true
  })
}

/** Today's spending; days are in UTC. */
export const readSpent = (db: Reader): Promise<number> => store.findSpent(db)

/** After a call: the ledger then has the actual cost. */
export const release = (tx: Tx, call: string): void => store.deleteReservation(tx, call)
