// Revocation while the process that is asked hears no notifications, and after it hears again.

import { setTimeout as sleep } from 'node:timers/promises'
import { openProxy, type Proxy, through } from '../lib/proxy.ts'
import { owned } from '../lib/scope.ts'
import { type RevocableCredential, revokedKey, tokenKinds } from './credentials.ts'
import type { RevocationScene } from './scene.ts'
import { askUntilWarm, watchRefusal } from './watch.ts'

const GIVE_UP_MS = 15_000
const PAUSE_MS = 50
const STAGGER_MS = 4_500
/** A refusal as quick as this came by notification. */
const HEARD_MS = 250

export interface Cut {
  max_ms: number
  strange: number
  /** Time from the repair of the connection to the end of the first revocation that the process was notified of. */
  heard_after_ms: number
}

/** A separate process whose notification connection goes through a proxy; its other connections do not. */
export async function cutListener(scene: RevocationScene, count: number, how: 'cut' | 'silence'): Promise<Cut> {
  const { world } = scene
  const { hostname: host, port } = new URL(world.database.app_url)
  await using proxy = owned(await openProxy({ host, port: Number(port || 5432) }))
  const api = await world.startApi({ DATABASE_DIRECT_URL: through(world.database.app_url, proxy) })
  const deaf = { ...scene, other: api.url }
  // Notifications must work before the cut: otherwise the cut would prove nothing.
  if ((await revokeOne(deaf)) > HEARD_MS && (await revokeOne(deaf)) > HEARD_MS)
    return { max_ms: Number.POSITIVE_INFINITY, strange: 0, heard_after_ms: 0 }
  proxy[how]()
  const { lags, strange } = await revokeMany(deaf, count)
  const first = await waitUntilHeard(deaf, proxy)
  // A short break: the network is back, but the old connection is dead without an error.
  proxy[how]()
  return { max_ms: Math.max(...lags), strange, heard_after_ms: Math.max(first, await waitUntilHeard(deaf, proxy)) }
}

/** Half of the credentials have been cached for some time, each for a different one; the rest only just now. */
async function revokeMany(scene: RevocationScene, count: number): Promise<{ lags: number[]; strange: number }> {
  const makers = [revokedKey, ...Object.values(tokenKinds)]
  const credentials: RevocableCredential[] = []
  for (let i = 0; i < count; i++) credentials.push(await (makers[i % makers.length] ?? revokedKey)(scene))
  const revoke = async ({ secret, end }: RevocableCredential, i: number): Promise<{ lag: number; strange: number }> => {
    if (i % 2 === 0) {
      await sleep((i / count) * STAGGER_MS)
      await askUntilWarm(scene.other, secret)
      await sleep(STAGGER_MS - (i / count) * STAGGER_MS)
    } else await sleep(STAGGER_MS)
    await askUntilWarm(scene.other, secret)
    await end()
    const done_ms = Date.now()
    const { at_ms, strange } = await watchRefusal(scene.other, secret, {
      give_up_ms: GIVE_UP_MS,
      pause_ms: PAUSE_MS,
    })
    return { lag: Math.max(0, at_ms - done_ms), strange }
  }
  const revoked = await Promise.all(credentials.map(revoke))
  return { lags: revoked.map(({ lag }) => lag), strange: revoked.reduce((sum, { strange }) => sum + strange, 0) }
}

async function waitUntilHeard(scene: RevocationScene, proxy: Proxy): Promise<number> {
  const healed_ms = Date.now()
  proxy.heal()
  while (Date.now() < healed_ms + GIVE_UP_MS) {
    if ((await revokeOne(scene)) <= HEARD_MS) return Date.now() - healed_ms
  }
  return Number.POSITIVE_INFINITY
}

async function revokeOne(scene: RevocationScene): Promise<number> {
  const { secret, end } = await revokedKey(scene)
  await askUntilWarm(scene.other, secret)
  await end()
  const done_ms = Date.now()
  const { at_ms } = await watchRefusal(scene.other, secret, { give_up_ms: 2 * HEARD_MS })
  return Math.max(0, at_ms - done_ms)
}
