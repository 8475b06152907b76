// Model calls within a request: reserved from the daily budget first, paid for when the result is stored.

import type { ModelCard, Tokens } from '../ai/model.ts'
import type { Needs } from '../app.ts'
import type { Reader, Tx } from '../db/database.ts'
import { operator } from '../lib/caller.ts'
import { newUuid } from '../lib/ids.ts'
import { costOf, recordUsage, release, reserve, type UsageRow } from './usage.service.ts'

export interface Spending {
  model: ModelCard
  spent: Tokens
  /** Name of its reservation. */
  call: string
}

const CHARACTERS_A_TOKEN = 3

/** The name of the call; null if the daily budget is too low. */
export async function reserveFor(
  app: Needs<'db'>,
  { caller }: Pick<Reader, 'caller'>,
  model: ModelCard,
  characters: number,
): Promise<string | null> {
  const call = `request:${newUuid()}`
  const most = costOf(model, { input_tokens: Math.ceil(characters / CHARACTERS_A_TOKEN), output_tokens: 0 })
  return (await reserve(app, operator(caller.tenant, []), call, most)) ? call : null
}

/** A call without an answer costs nothing. */
export async function giveBack(
  app: Needs<'db'>,
  { caller }: Pick<Reader, 'caller'>,
  model: ModelCard,
  call: string,
): Promise<void> {
  if (model.price.input === 0) return
  await app.db.transaction(operator(caller.tenant, []), async (tx) => release(tx, call))
}

export function pay(
  tx: Tx,
  { model, spent, call }: Spending,
  of: Pick<UsageRow, 'project_id' | 'key_id' | 'job_id' | 'subject'>,
  more: { pages: number; compute_ms: number } = { pages: 0, compute_ms: 0 },
): void {
  recordUsage(tx, model, of, { ...spent, ...more })
  if (model.price.input > 0) release(tx, call)
}
