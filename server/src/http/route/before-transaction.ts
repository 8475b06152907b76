// Storage work of a write, done before its transaction begins so that no transaction waits for storage.

import { discard } from '../../files/keys.ts'
import { Failure } from '../../lib/failure.ts'
import { Form } from '../streaming/form.ts'
import type { Body } from './body.ts'
import { findAnswer, forgetKey, type Key, type StoredAnswer } from './idempotency.ts'
import { readAgain } from './reply.ts'
import type { ApiRequest, PrepareWrite, Route, Write } from './route.ts'

export type Replay = { replayed: StoredAnswer & { is_replayed: boolean } }

/** A repeated request does not store its bytes again, or pay for a model twice. */
export async function runBeforeTransaction(
  route: Route,
  request: ApiRequest,
  { key, body, plan }: { key: Key | null; body: Body; plan: PrepareWrite },
): Promise<Write | Replay> {
  const db = route.app.db.for(request.context.caller)
  const file = request.body instanceof Form ? request.body.file : null
  const drop = async (): Promise<void> => {
    if (file) await discard(route.app.files, request.context.caller.tenant, file.object_id)
  }
  try {
    const given = { db, body: body.value, file, params: request.params }
    const replayed = key && plan.hasEffects(given) && (await findReplay(route, request, key))
    if (replayed) {
      await drop()
      return { replayed }
    }
    const begun = Date.now()
    const write = await plan.prepare(given)
    // Large files are joined here, and their owner waits for it.
    request.context.extend(Date.now() - begun)
    return write
  } catch (error) {
    await drop()
    // The same request, sent twice at a time: what the other one has used up is no reason to refuse this one.
    const replayed = key && error instanceof Failure && (await findReplay(route, request, key))
    if (replayed) return { replayed }
    throw error
  }
}

/** null if the key is new, or if its resource has no copy and was deleted: then the request runs again. */
export async function findReplay(route: Route, request: ApiRequest, key: Key): Promise<Replay['replayed'] | null> {
  const { app } = route
  const { caller } = request.context
  const stored = await findAnswer(app.db.for(caller), key, app.config.keyring)
  if (!stored || stored.body !== null || stored.location === null) return stored && { ...stored, is_replayed: true }
  try {
    return { ...stored, ...(await readAgain(route, request, stored)), is_replayed: true }
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'not_found')) throw error
    await app.db.transaction(caller, async (tx) => forgetKey(tx, key, stored.location))
    return null
  }
}
