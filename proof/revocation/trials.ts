// A credential ends through one process and is refused by another: by a change, or by its own time.

import { setTimeout as sleep } from 'node:timers/promises'
import type { NewCredential } from './credentials.ts'
import type { RevocationScene } from './scene.ts'
import { ask, askUntilWarm, watchRefusal } from './watch.ts'

/** Far over the goal: the notification did not come. */
const GIVE_UP_MS = 1_500
const GIVE_UP_AFTER = 4
const LEAD_MS = 4_000
/** The process remembers a secret this long before it ends, also on a busy machine. */
const WARM_MS = 2_000
const SPACING_MS = 60
const OVERLAP_SECONDS = 1

export interface Trials {
  /** From the answer that says it is done to the first 401; 0 where that came first. */
  lags: number[]
  /** The same from the moment the request was sent, which is before the commit. */
  from_sent: number[]
  strange: number
  /** Refused although still valid, or a new secret not accepted. */
  early: number
}
const newTrials = (): Trials => ({ lags: [], from_sent: [], strange: 0, early: 0 })

export async function endCredentials(
  scene: RevocationScene,
  count: number,
  newCredential: NewCredential,
): Promise<Trials> {
  const trials = newTrials()
  for (let i = 0; i < count; i++) {
    const { secret, end } = await newCredential(scene)
    await askUntilWarm(scene.other, secret)
    const watching = watchRefusal(scene.other, secret, { give_up_ms: GIVE_UP_MS })
    await sleep(Math.random() * 20)
    const sent_ms = Date.now()
    const successor = await end()
    const done_ms = Date.now()
    if (successor !== null && (await ask(scene.other, successor)) !== 200) trials.early++
    const { at_ms, strange } = await watching
    trials.lags.push(Math.max(0, at_ms - done_ms))
    trials.from_sent.push(at_ms - sent_ms)
    trials.strange += strange
    if (at_ms < sent_ms) trials.early++
    if (trials.lags.filter((lag) => lag > GIVE_UP_MS).length >= GIVE_UP_AFTER) break
  }
  return trials
}

/** Keys that expire one after the other, each remembered by the other process when it happens. */
export async function expireKeys(scene: RevocationScene, count: number): Promise<Trials> {
  const begin = Date.now() + LEAD_MS + 10 * count
  const ends = Array.from({ length: count }, (_, i) => begin + i * SPACING_MS)
  const keys = await Promise.all(
    ends.map((end) => scene.world.newKey(scene.tenant, { expires_at: new Date(end).toISOString() })),
  )
  const trials = newTrials()
  await Promise.all(
    keys.map(({ secret }, i) => watchEnd(scene, secret, trials, { from_ms: ends[i]!, to_ms: ends[i]! })),
  )
  return trials
}

/** The old secret of a rotation lives until the overlap ends, not longer and not shorter. */
export async function overlapKeys(scene: RevocationScene, count: number): Promise<Trials> {
  const trials = newTrials()
  const one = async (i: number): Promise<void> => {
    await sleep(i * SPACING_MS)
    const key = await scene.world.newKey(scene.tenant)
    await askUntilWarm(scene.other, key.secret)
    const from_ms = Date.now() + OVERLAP_SECONDS * 1000
    const { secret } = await scene.admin.apiKeys.rotate(key.id, { overlap_seconds: OVERLAP_SECONDS })
    const to_ms = Date.now() + OVERLAP_SECONDS * 1000
    if ((await ask(scene.other, secret)) !== 200) trials.early++
    await watchEnd(scene, key.secret, trials, { from_ms, to_ms })
  }
  await Promise.all(Array.from({ length: count }, (_, i) => one(i)))
  return trials
}

/** The secret ends at a moment between the two bounds; times in the database are whole milliseconds. */
async function watchEnd(
  scene: RevocationScene,
  secret: string,
  trials: Trials,
  end: { from_ms: number; to_ms: number },
): Promise<void> {
  await sleep(Math.max(0, end.from_ms - Date.now() - WARM_MS))
  await askUntilWarm(scene.other, secret)
  await sleep(Math.max(0, end.from_ms - Date.now() - 15))
  const { at_ms, strange } = await watchRefusal(scene.other, secret, { give_up_ms: GIVE_UP_MS })
  trials.lags.push(Math.max(0, at_ms - end.to_ms))
  trials.strange += strange
  if (at_ms < end.from_ms - 1) trials.early++
}
